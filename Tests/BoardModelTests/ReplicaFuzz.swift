import BoardModel
import Testing

/// A server and three optimistic clients, each with its own lag: nothing is lost, nothing comes out
/// of order, everything comes late.
struct ReplicaFuzz {
    enum Event {
        case commit(Commit)
        case answer(ClientID, seq: Int, Outcome)
    }

    struct Client {
        var replica: BoardReplica
        /// How much of the log it has heard.
        var heard = 0
        /// What it has sent and the server has not read.
        var wire: [(message: BoardReplica.Pending, expected: [Section]?)] = []
        /// What was shown after each edit that nothing but its own edits was under.
        var expected: [Int: [Section]] = [:]
    }

    let seed: Int
    var random: SeededGenerator
    var server: BoardState
    var log: [Event] = []
    var commits: [Commit] = []
    var clients: [Client]
    var strangerSeq = 0
    var made = 0
    /// Edits that nobody raced, and that were compared with what was shown.
    var unraced = 0

    init(seed: Int) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        var sections: [Section] = []
        for (name, letters) in [("p", "ABCDEF"), ("q", "GHIJ"), ("r", "KL")] {
            var section = Section(id: .named(name))
            for letter in letters {
                var icon = Icon(id: .named(String(letter)), red: 0, green: 0.5, blue: 1)
                if random.chance(0.12) { icon.pinnedAt = random.int(0...6) }
                if random.chance(0.05) { icon.locked = true }
                section.icons.append(icon)
            }
            if random.chance(0.15) { section.capacity = random.int(4...7) }
            if random.chance(0.1) { section.drop = .own }
            sections.append(section)
        }
        let board = Board(id: .named("fuzz"), title: "", epoch: "e", sections: sections)
        server = try BoardState(board: board)
        let start = server.board
        clients = (0..<3).map {
            Client(replica: BoardReplica(client: .named("u\($0)"), board: start))
        }
    }

    mutating func run() throws {
        for _ in 0..<50 {
            let who = random.int(0...2)
            switch random.int(0...99) {
            case 0..<34: act(who) { $0.aMove(in: $1) }
            case 34..<40: act(who) { $0.anotherEdit(in: $1) }
            case 40..<45: act(who) { random, _ in random.random.chance(0.65) ? .undo : .redo }
            case 45..<70:
                send(who)
                try arrive(who)
            case 70..<74: removeByStranger()
            case 74..<75: try reconnect(who)
            default: try hear(who)
            }
        }
        try settle()
    }

    /// Lets everything be sent and heard; in the end all show the server's board.
    private mutating func settle() throws {
        for _ in 0..<200 where clients.contains(where: { !$0.replica.pending.isEmpty }) {
            for who in clients.indices {
                send(who)
                while !clients[who].wire.isEmpty { try arrive(who) }
                while clients[who].heard < log.count { try hear(who) }
            }
        }
        for who in clients.indices {
            while clients[who].heard < log.count { try hear(who) }
            let replica = clients[who].replica
            #expect(replica.pending.isEmpty, "seed \(seed), client \(who)")
            #expect(replica.confirmed == server.board, "seed \(seed), client \(who)")
            #expect(replica.shown == server.board, "seed \(seed), client \(who)")
        }
    }

    // MARK: What happens

    private mutating func act(_ who: Int, _ make: (inout ReplicaFuzz, Board) -> Edit?) {
        let shown = clients[who].replica.shown
        guard let edit = make(&self, shown) else { return }
        let replica = clients[who].replica
        let isAlone = replica.pending.allSatisfy {
            $0.base == replica.confirmed.revision && $0.edit != .undo && $0.edit != .redo
        }
        let seq = clients[who].replica.perform(edit)
        guard isAlone, edit != .undo, edit != .redo else { return }
        clients[who].expected[seq] = clients[who].replica.shown.sections
    }

    private mutating func send(_ who: Int) {
        for message in clients[who].replica.outgoing() {
            let expected = clients[who].expected.removeValue(forKey: message.seq)
            clients[who].wire.append((message, expected))
        }
    }

    private mutating func arrive(_ who: Int) throws {
        guard !clients[who].wire.isEmpty else { return }
        let (message, expected) = clients[who].wire.removeFirst()
        let client = clients[who].replica.client
        let isUnraced = commits[message.base...].allSatisfy { $0.client == client && !$0.isUndo }
        let outcome = decide(client, message.seq, message.base, message.edit)
        if let expected, isUnraced {
            unraced += 1
            #expect(
                server.board.sections == expected,
                "seed \(seed): not as shown: \(message.edit), \(outcome)")
        }
        guard random.chance(0.2) else { return }
        let before = server
        let repeated = server.decide(
            Submission(
                client: client, seq: message.seq, base: message.base, intent: .edit(message.edit)))
        guard case .duplicate = repeated else {
            Issue.record("seed \(seed): a repeat was answered \(repeated)")
            return
        }
        #expect(server == before, "seed \(seed)")
    }

    @discardableResult
    private mutating func decide(
        _ client: ClientID, _ seq: Int, _ base: Int, _ edit: Edit
    ) -> Outcome {
        let outcome = server.decide(
            Submission(client: client, seq: seq, base: base, intent: .edit(edit)))
        if case .applied(let commit) = outcome {
            commits.append(commit)
            log.append(.commit(commit))
        } else {
            log.append(.answer(client, seq: seq, outcome))
        }
        return outcome
    }

    private mutating func removeByStranger() {
        let all = server.board.sections.flatMap { $0.icons.map(\.id) }
        guard all.count > 5, let victim = random.pick(all) else { return }
        strangerSeq += 1
        decide(.named("x"), strangerSeq, server.revision, .iconRemove(icons: [victim]))
    }

    private mutating func hear(_ who: Int) throws {
        guard clients[who].heard < log.count else { return }
        let event = log[clients[who].heard]
        clients[who].heard += 1
        switch event {
        case .commit(let commit): try clients[who].replica.heard(commit)
        case .answer(let client, let seq, let outcome):
            guard client == clients[who].replica.client else { return }
            clients[who].replica.answered(seq: seq, outcome)
        }
    }

    /// The connection breaks: what is on its way is lost both ways.
    private mutating func reconnect(_ who: Int) throws {
        clients[who].wire = []
        clients[who].expected = [:]
        clients[who].heard = log.count
        let replica = clients[who].replica
        let isWhole = random.chance(0.3)
        try clients[who].replica.welcomed(
            epoch: server.epoch, revision: server.revision,
            lastSeq: server.lastSeq(of: replica.client), board: isWhole ? server.board : nil,
            commits: isWhole ? [] : Array(commits[replica.confirmed.revision...]))
    }

    // MARK: What people do

    private mutating func aMove(in shown: Board) -> Edit? {
        let all = shown.sections.flatMap { $0.icons.map(\.id) }
        guard let section = random.pick(shown.sections), !all.isEmpty else { return nil }
        let count = random.chance(0.85) ? 1 : random.int(1...3)
        let block = Array(all.shuffled(using: &random).prefix(count))
        return .iconMove(
            icons: block,
            to: Target(section: section.id, index: random.int(0...section.icons.count)))
    }

    private mutating func anotherEdit(in shown: Board) -> Edit? {
        let all = shown.sections.flatMap { $0.icons.map(\.id) }
        guard let section = random.pick(shown.sections), let icon = random.pick(all) else {
            return nil
        }
        let target = Target(section: section.id, index: random.int(0...section.icons.count))
        made += 1
        let new = IconID.named("N\(made)")
        switch random.int(0...5) {
        case 0: return .iconAdd(icon: Icon(id: new, red: 1, green: 0, blue: 0), to: target)
        case 1: return .iconCopy(icons: [icon], newIDs: [new], to: target)
        case 2: return all.count > 6 ? .iconRemove(icons: [icon]) : nil
        case 3:
            var set = SectionPatch()
            set.title = "T\(made)"
            return .sectionUpdate(section: section.id, set: set)
        default:
            var set = IconPatch()
            if random.chance(0.7) {
                set.pinnedAt = random.chance(0.5) ? .clear : .set(random.int(0...5))
            } else {
                set.label = .set("L\(made)")
            }
            return .iconUpdate(icon: icon, set: set)
        }
    }
}
