internal import BoardModel
internal import BoardWire

/// A client of one board: a real replica, and what a page does round it.
final class Person {
    enum Stage {
        /// Without a connection; one is tried at its time.
        case away
        /// The hello is on its way.
        case greeting
        case live
    }

    struct Key: Hashable {
        var peer: Int
        var drag: Int
    }

    struct OwnDrag {
        var number: Int
        var icons: [IconID]
        var copies: Bool
    }

    let number: Int
    let client: ClientID
    let board: BoardID
    private unowned let world: World

    var replica: BoardReplica?
    var stage = Stage.away
    var link: Link?
    /// All connections to the server as it runs now.
    private var earlier: [Link] = []
    private var attempts = 0
    /// When a frame came last.
    private var heardAt = 0
    private var peer = 0
    private(set) var peers: [Int: ClientID] = [:]
    private(set) var drags: [Key: [IconID]] = [:]
    var drag: OwnDrag?
    var dragNumber = 0
    /// Numbers sent as the drop of a drag.
    private var drops: [Int: Int] = [:]
    /// Numbers heard as decided on this connection.
    private var answered: Set<Int> = []
    /// Of edits that were answered as applied.
    private(set) var acknowledged: [String] = []
    var rubbishCount = 0
    private var wasRewelcomed = false

    init(number: Int, board: BoardID, _ world: World) {
        self.number = number
        self.board = board
        self.world = world
        client = world.dice.id()
    }

    // MARK: - Coming and going

    func connect() {
        guard stage == .away else { return }
        guard let link = world.open(self) else {
            retry()
            return
        }
        self.link = link
        earlier.removeAll { $0.life != link.life }
        earlier.append(link)
        stage = .greeting
        heardAt = world.now
        let resume = replica.map {
            Hello.Resume(epoch: $0.confirmed.epoch, revision: $0.confirmed.revision)
        }
        say(.hello(Hello(client: client, name: "P\(number)", resume: resume)))
        world.add(.silence(self, link), at: world.now + Self.patience)
    }

    /// A connection without a frame for so long is taken for lost.
    private static let patience = 30_000_000

    func checkSilence(_ link: Link) {
        guard self.link === link else { return }
        let until = heardAt + Self.patience
        guard until <= world.now else {
            world.add(.silence(self, link), at: until)
            return
        }
        world.totals.silences += 1
        world.abandon(link)
        lost(link)
    }

    /// The connection is gone, without a word.
    func lost(_ link: Link) {
        guard self.link === link else { return }
        link.isOpenAtClient = false
        self.link = nil
        stage = .away
        retry()
    }

    /// Full jitter.
    private func retry() {
        attempts += 1
        let most = min(8_000_000, 250_000 << min(attempts, 5))
        world.add(.connect(self), at: world.now + world.dice.int(1_000...most))
    }

    func closed(_ link: Link, _ code: CloseCode) {
        guard self.link === link else { return }
        world.totals.closes[code, default: 0] += 1
        switch code {
        case .restarting: break
        case .noProgress where link.stuckSince != nil: break
        // The hello of a connection that was given up was overtaken by this one's.
        case .replaced where earlier.contains { $0.wasHeardAfter(link) }: break
        default: world.judge.complain("P\(number) was closed with \(code.rawValue)")
        }
        lost(link)
    }

    // MARK: - Saying

    func say(_ message: ClientMessage) {
        guard let link else { return }
        world.send(message.encoded, on: link)
    }

    /// Shows an edit and sends it, now or when there is a connection.
    func perform(_ edit: Edit, droppedAs drag: Int? = nil) {
        guard let seq = replica?.perform(edit) else { return }
        world.totals.performed += 1
        if let drag { drops[seq] = drag }
        flush()
    }

    private func flush() {
        guard stage == .live, let pending = replica?.outgoing() else { return }
        for item in pending {
            guard let drag = drops.removeValue(forKey: item.seq),
                let drop = drop(item, of: drag)
            else {
                say(.edit(EditMessage(seq: item.seq, base: item.base, edit: item.edit)))
                continue
            }
            say(.dragDrop(drop))
        }
    }

    private func drop(_ item: BoardReplica.Pending, of drag: Int) -> DragDrop? {
        switch item.edit {
        case .iconMove(_, let target):
            DragDrop(drag: drag, seq: item.seq, base: item.base, target: .place(target))
        case .iconCopy(_, let copies, let target):
            DragDrop(
                drag: drag, seq: item.seq, base: item.base, target: .place(target), copy: true,
                newIDs: copies)
        default: nil
        }
    }

    // MARK: - Hearing

    func hear(_ text: [UInt8], on link: Link, durable: Int, durableSeq: Int) {
        guard self.link === link else { return }
        heardAt = world.now
        do throws(MessageError) {
            for event in try decodeFrame(text) {
                switch event {
                case .welcome(let welcome): welcomed(welcome, durable: durable)
                case .told(let event): heard(event, durable: durable, durableSeq: durableSeq)
                case .unknown(let type): complain("heard \(type)")
                }
            }
        } catch {
            complain("cannot read a frame: \(error.message) at \(error.field ?? "its top")")
        }
        flush()
    }

    private func complain(_ text: String) { world.judge.complain("P\(number): \(text)") }

    private func welcomed(_ welcome: HeardWelcome, durable: Int) {
        if stage == .live {
            world.totals.rewelcomes += 1
        } else {
            // Drags are numbered for each connection, not for each welcome.
            dragNumber = 0
            if welcome.board == nil { world.totals.recoveries += 1 }
        }
        if welcome.revision > durable { complain("welcomed at what is not stored") }
        for commit in welcome.commits { check(commit, epoch: welcome.epoch) }
        do throws(ReplicaError) {
            if replica == nil, let board = welcome.board {
                replica = BoardReplica(client: client, board: board, lastSeq: welcome.lastSeq)
            }
            try replica?.welcomed(
                epoch: welcome.epoch, revision: welcome.revision, lastSeq: welcome.lastSeq,
                board: welcome.board, commits: welcome.commits)
        } catch {
            complain("cannot take the welcome: \(error)")
        }
        (stage, attempts, peer) = (.live, 0, welcome.peer)
        (drops, answered) = ([:], [])
        peers = [:]
        for peer in welcome.peers { peers[peer.number] = peer.client }
        drags = [:]
        for drag in welcome.drags { began(Key(peer: drag.peer, drag: drag.drag), drag.icons) }
        resumeDrags(welcome.drags.filter { $0.peer == peer })
    }

    /// Of the own drags that live on, only the one that is still in the hand is wanted.
    private func resumeDrags(_ own: [DragState]) {
        dragNumber = max(dragNumber, own.map(\.drag).max() ?? 0)
        for state in own where state.drag != drag?.number {
            say(.dragCancel(drag: state.drag))
        }
        if !own.contains(where: { $0.drag == drag?.number }) { drag = nil }
    }

    private func heard(_ event: ServerEvent, durable: Int, durableSeq: Int) {
        switch event {
        case .welcome: return
        case .commit(let commit, _):
            if commit.revision > durable { complain("\(commit.revision) told before it is stored") }
            heard(commit)
        case .result(let result): heard(result, durableSeq: durableSeq)
        case .dragBegan(let peer, let drag, let icons):
            began(Key(peer: peer, drag: drag), icons)
        case .dragDenied(let number, _, _):
            if drag?.number == number { drag = nil }
        case .dragTarget(let state):
            guard drags[Key(peer: state.peer, drag: state.drag)] != nil else {
                complain("DR13: a target of a drag that isn't live")
                return
            }
            check(state.target)
        case .dragEnded(let peer, let number, let outcome, _):
            ended(Key(peer: peer, drag: number), outcome)
        case .peerJoined(let peer, let old): joined(peer, replaces: old)
        case .peerLeft(let number):
            if peers.removeValue(forKey: number) == nil { complain("PR2: nobody left") }
            if drags.keys.contains(where: { $0.peer == number }) {
                complain("a drag of peer \(number), who left, lives on")
            }
        case .peerChanged: return
        case .error:
            world.totals.errors += 1
            if rubbishCount == 0 { complain("an error for nothing") }
        }
    }

    private func heard(_ commit: Commit) {
        guard let epoch = replica?.confirmed.epoch else { return }
        check(commit, epoch: epoch)
        do throws(ReplicaError) {
            try replica?.heard(commit)
        } catch {
            complain("cannot take commit \(commit.revision): \(error)")
        }
        if commit.client == client {
            acknowledged += Judge.tags(of: commit)
            answer(commit.seq)
        }
    }

    /// Once on each connection, and in order.
    private func answer(_ seq: Int) {
        if !answered.insert(seq).inserted { complain("number \(seq) answered twice") }
    }

    private func check(_ commit: Commit, epoch: String) {
        world.judge.heard(commit, epoch: epoch, on: board)
    }

    private func heard(_ result: ResultEvent, durableSeq: Int) {
        if result.revision > (replica?.confirmed.revision ?? 0) {
            complain("CM8: a result ahead of its commits")
        }
        let outcome = result.outcome
        if case .rejected(.storage, _, _) = outcome {
            world.totals.storageRefusals += 1
        } else if outcome.isDecision {
            answer(result.seq)
            if result.seq > durableSeq { complain("number \(result.seq) told before it is stored") }
        }
        replica?.answered(seq: result.seq, outcome)
    }

    // MARK: - Drags and peers

    private func began(_ key: Key, _ icons: [IconID]) {
        if peers[key.peer] == nil { complain("DR1: a drag of nobody began") }
        let leased = icons.filter(isLeased)
        for (other, held) in drags where other.peer != key.peer {
            if let icon = leased.first(where: { held.contains($0) }) {
                complain("\(icon) is held by peers \(other.peer) and \(key.peer)")
            }
        }
        if drags.updateValue(icons, forKey: key) != nil { complain("DR1: a drag began twice") }
    }

    /// On the board, and not in a section that is copied from.
    private func isLeased(_ icon: IconID) -> Bool {
        let section = replica?.confirmed.sections.first { $0.icons.contains { $0.id == icon } }
        return section.map { $0.lift != .copy } ?? false
    }

    private func ended(_ key: Key, _ outcome: DragOutcome) {
        world.totals.ended[outcome, default: 0] += 1
        if drags.removeValue(forKey: key) == nil { complain("DR11: a drag ended that wasn't live") }
        if key.peer == peer, drag?.number == key.drag { drag = nil }
    }

    private func joined(_ newcomer: Peer, replaces old: Int?) {
        if let old {
            if peers.removeValue(forKey: old) == nil { complain("PR4: \(old) replaces nobody") }
            for (key, icons) in drags where key.peer == old {
                drags[key] = nil
                drags[Key(peer: newcomer.number, drag: key.drag)] = icons
            }
        }
        peers[newcomer.number] = newcomer.client
    }

    private func check(_ target: Position?) {
        guard let target else { return }
        let section = replica?.confirmed.sections.first { $0.id == target.section }
        guard let section, (0...section.icons.count).contains(target.index) else {
            complain("DR5: a target outside of the list")
            return
        }
    }
}

@available(*, unavailable)
extension Person: Sendable {}
