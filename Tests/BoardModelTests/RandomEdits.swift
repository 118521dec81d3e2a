import BoardModel

/// Makes edits as clients of different age and honesty would send them.
struct RandomEdits {
    var random: SeededGenerator
    /// The board at each revision.
    var history: [Board]
    let clients = ["u1", "u2", "u3"].map { ClientID.named($0) }
    private var bases: [ClientID: Int] = [:]
    private var seqs: [ClientID: Int] = [:]
    private var made = 0
    private var past: [Submission] = []

    init(seed: Int) {
        random = SeededGenerator(seed: seed)
        history = []
        history = [startBoard()]
    }

    private mutating func startBoard() -> Board {
        var names = (0..<random.int(4...14)).map { "i\($0)" }.shuffled(using: &random)
        let sections = ["p", "q", "r"].enumerated().map { index, name in
            let count = index == 2 ? names.count : min(names.count, random.int(0...6))
            let icons = names.prefix(count).map { icon(.named($0)) }
            names.removeFirst(count)
            return rules(of: Section(id: .named(name), icons: icons))
        }
        var board = Board(id: .named("fuzz"), title: "t", epoch: "e", sections: sections)
        // A state puts pins where they belong.
        if let state = try? BoardState(board: board) { board = state.board }
        return board
    }

    private mutating func rules(of section: Section) -> Section {
        var section = section
        if random.chance(0.25) { section.capacity = random.int(0...8) }
        if random.chance(0.2) { section.drop = random.pick([.own, .none]) ?? .any }
        if random.chance(0.2) { section.lift = random.pick([.copy, .none]) ?? .move }
        return section
    }

    private mutating func icon(_ id: IconID) -> Icon {
        var icon = Icon(
            id: id, red: Double(random.int(0...4)) / 4, green: 0,
            blue: Double(random.int(0...4)) / 4)
        if random.chance(0.2) { icon.label = random.pick(["a", "b", "c"]) }
        if random.chance(0.1) { icon.locked = random.chance(0.7) }
        if random.chance(0.2) { icon.pinnedAt = random.int(0...7) }
        return icon
    }

    mutating func next() -> Submission {
        if random.chance(0.06), let repeated = random.pick(past) { return repeated }
        let client = random.pick(clients) ?? clients[0]
        let head = history.count - 1
        var base = random.int(min(bases[client] ?? 0, head)...head)
        bases[client] = base
        if random.chance(0.05) { base = random.int(-1...head + 1) }
        let isStrange = random.chance(0.03)
        let seq = (seqs[client] ?? 0) + (isStrange ? random.int(-1...3) : 1)
        if !isStrange { seqs[client] = seq }
        let seen = history[min(max(base, 0), head)]
        let role: Role = random.chance(0.12) ? (random.chance(0.3) ? .viewer : .editor) : .owner
        let message = Submission(
            client: client, seq: seq, base: random.chance(0.05) ? nil : base, role: role,
            intent: intent(seen), at: past.count)
        past.append(message)
        return message
    }

    /// The next edit of a client counts on from what was decided.
    mutating func follow(_ client: ClientID, lastSeq: Int) {
        seqs[client] = lastSeq
    }

    private mutating func intent(_ seen: Board) -> Intent {
        if random.chance(0.01) { return .nothing }
        if random.chance(0.01) { return .refused(.noDrag, field: nil) }
        return .edit(edit(seen))
    }

    private mutating func edit(_ seen: Board) -> Edit {
        switch random.int(0...99) {
        case 0..<46:
            let block = block(seen)
            return .iconMove(icons: block, to: target(seen, moving: block))
        case 46..<54: return .iconAdd(icon: icon(newID()), to: target(seen, moving: []))
        case 54..<60:
            let block = block(seen)
            var copies = block.map { _ in newID() }
            if random.chance(0.05) { copies.append(newID()) }
            return .iconCopy(icons: block, newIDs: copies, to: target(seen, moving: []))
        case 60..<66: return .iconRemove(icons: block(seen))
        case 66..<78: return .iconUpdate(icon: block(seen).first ?? newID(), set: patch())
        case 78..<88: return .undo
        case 88..<92: return .redo
        default: return sectionEdit(seen)
        }
    }

    private mutating func sectionEdit(_ seen: Board) -> Edit {
        let names = ["p", "q", "r", "s"].map { SectionID.named($0) }
        let id = random.pick(names) ?? names[0]
        let before = random.chance(0.5) ? random.pick(names) : nil
        switch random.int(0...4) {
        case 0:
            let icons = (0..<random.int(0...2)).map { _ in icon(newID()) }
            return .sectionAdd(section: rules(of: Section(id: id, icons: icons)), before: before)
        case 1:
            var set = SectionPatch()
            if random.chance(0.6) {
                set.capacity = random.chance(0.5) ? .set(random.int(0...9)) : .clear
            }
            if random.chance(0.3) { set.drop = random.pick([.any, .any, .own, .none]) }
            if random.chance(0.3) { set.lift = random.pick([.move, .move, .copy, .none]) }
            return .sectionUpdate(section: id, set: set)
        case 2: return .sectionMove(section: id, before: before)
        case 3: return .sectionRemove(section: id)
        default:
            var set = BoardPatch()
            set.title = random.pick(["t", "u"])
            return .boardUpdate(set: set)
        }
    }

    private mutating func patch() -> IconPatch {
        var set = IconPatch()
        if random.chance(0.3) { set.red = Double(random.int(0...2)) / 2 }
        if random.chance(0.3) { set.label = random.chance(0.3) ? .clear : .set("xyz") }
        if random.chance(0.2) {
            set.locked = random.chance(0.7) ? .set(random.chance(0.3)) : .clear
        }
        if random.chance(0.5) {
            set.pinnedAt = random.chance(0.5) ? .clear : .set(random.int(0...6))
        }
        return set
    }

    /// A new identifier, now and then one that was used before.
    private mutating func newID() -> IconID {
        if made > 0 && random.chance(0.1) { return .named("n\(random.int(1...made))") }
        made += 1
        return .named("n\(made)")
    }

    private mutating func block(_ seen: Board) -> [IconID] {
        let all = seen.sections.flatMap { $0.icons.map(\.id) }
        var count = random.chance(0.75) ? 1 : random.int(0...4)
        if random.chance(0.02) { count = 12 }
        var block = Array(all.shuffled(using: &random).prefix(count))
        if random.chance(0.02), let first = block.first { block.append(first) }
        if random.chance(0.03) { block.append(.named("n\(random.int(1...9))")) }
        return block
    }

    private mutating func target(_ seen: Board, moving: [IconID]) -> Target {
        let section = random.pick(seen.sections)
        var id = section?.id
        if random.chance(0.02) { id = .named("nowhere") }
        if random.chance(0.1) { id = nil }
        let list = (section?.icons ?? []).map(\.id).filter { !moving.contains($0) }
        let index = random.int(0...list.count)
        let left = index > 0 ? list[index - 1] : nil
        let right = index < list.count ? list[index] : nil
        switch random.int(0...99) {
        case 0..<45:
            if index == 0 { return Target(section: id, at: .start) }
            if index == list.count { return Target(section: id, at: .end) }
            return Target(section: id, after: left, before: right, index: index)
        case 45..<65: return Target(section: id, index: random.int(-1...list.count + 1))
        case 65..<75: return Target(section: id, after: left)
        case 75..<85: return Target(section: id, before: right)
        case 85..<90: return Target(section: id, at: random.pick([.start, .end]))
        default:
            let all = seen.sections.flatMap { $0.icons.map(\.id) }
            return Target(
                section: id, after: random.pick(all), before: random.pick(all),
                index: random.chance(0.5) ? index : nil)
        }
    }
}
