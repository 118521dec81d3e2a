import BoardModel

extension Board {
    /// A board of sections with one-letter icons: `.sample("ABC", "XY")` has sections `s`, `t`.
    static func sample(_ lists: String...) -> Board {
        let names = ["s", "t", "r", "q"]
        return Board(
            id: .named("sample"), title: "Sample", epoch: "e1",
            sections: zip(names, lists).map { name, letters in
                Section(id: .named(name), icons: letters.map { .letter($0) })
            })
    }
}

extension Icon {
    static func letter(_ letter: Character) -> Icon {
        Icon(id: .named(String(letter)), red: 0.25, green: 0.5, blue: 1)
    }
}

/// A board with clients that count their sequence numbers, and a strict watcher that knows it from
/// changes alone.
struct Table {
    var state: BoardState
    private(set) var watcher: Board

    init(_ board: Board, limits: BoardLimits = BoardLimits()) throws {
        state = try BoardState(board: board, limits: limits)
        watcher = state.board
    }

    /// Edits a board by a client, with the newest base when none is given.
    @discardableResult
    mutating func edit(
        _ client: String, _ edit: Edit, base: Int? = nil, role: Role = .owner
    ) throws -> Outcome {
        let seq = state.lastSeq(of: .named(client)) + 1
        let outcome = state.decide(
            Submission(
                client: .named(client), seq: seq, base: base, role: role, intent: .edit(edit)))
        if case .applied(let commit) = outcome { try watcher.apply(commit) }
        return outcome
    }

    @discardableResult
    mutating func edit(_ edit: Edit, base: Int? = nil) throws -> Outcome {
        try self.edit("u1", edit, base: base)
    }

    /// The icons of a section as letters, as the watcher has them.
    func letters(_ section: String) -> String {
        let icons = watcher.sections.first { $0.id == .named(section) }?.icons ?? []
        return icons.map(\.id.name).joined()
    }

    /// Whether the watcher has what the board has, and each icon once.
    var isSound: Bool {
        let ids = watcher.sections.flatMap { $0.icons.map(\.id) }
        return watcher == state.board && Set(ids).count == ids.count
    }

    mutating func change(_ section: String, _ change: (inout SectionPatch) -> Void) throws {
        var set = SectionPatch()
        change(&set)
        try edit("owner", .sectionUpdate(section: .named(section), set: set))
    }

    mutating func set(
        _ icon: String, by client: String = "owner", _ change: (inout IconPatch) -> Void
    ) throws -> Outcome {
        var set = IconPatch()
        change(&set)
        return try edit(client, .iconUpdate(icon: .named(icon), set: set))
    }
}

extension Edit {
    static func move(_ icons: String, _ target: Target) -> Edit {
        .iconMove(icons: icons.map { .named(String($0)) }, to: target)
    }

    static func remove(_ icons: String) -> Edit {
        .iconRemove(icons: icons.map { .named(String($0)) })
    }
}

extension Target {
    static func at(_ edge: Edge, of section: String) -> Target {
        Target(section: .named(section), at: edge)
    }

    static func index(_ index: Int, of section: String = "s") -> Target {
        Target(section: .named(section), index: index)
    }

    static func after(_ icon: String, of section: String = "s") -> Target {
        Target(section: .named(section), after: .named(icon))
    }

    static func before(_ icon: String, of section: String = "s") -> Target {
        Target(section: .named(section), before: .named(icon))
    }
}

extension Outcome {
    /// The reason of a rejection.
    var reason: Reason? {
        if case .rejected(let reason, _, _) = self { return reason }
        return nil
    }

    var field: String? {
        if case .rejected(_, let field, _) = self { return field }
        return nil
    }

    var isNoop: Bool {
        if case .noop = self { return true }
        return false
    }

    var commit: Commit? {
        if case .applied(let commit) = self { return commit }
        return nil
    }
}
