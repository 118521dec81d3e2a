import BoardModel
import Testing

@Suite("What only an owner may do")
struct OwnerTests {
    private static let section = Slug.named("s")
    private static let plain = UniqueID.named("plain")
    private static let locked = UniqueID.named("locked")
    private static let pinned = UniqueID.named("pinned")
    private static let fixed = UniqueID.named("fixed")

    private static func icon(
        _ id: UniqueID, locked: Bool? = nil, pinnedAt: Int? = nil
    ) -> Icon {
        var icon = Icon(id: id, red: 0, green: 0, blue: 0)
        icon.locked = locked
        icon.pinnedAt = pinnedAt
        return icon
    }

    private static func state() throws -> BoardState {
        let open = Section(
            id: section, title: "S", icons: [icon(plain), icon(locked, locked: true)])
        var pins = Section(id: .named("p"), title: "P", icons: [icon(pinned, pinnedAt: 0)])
        pins.capacity = 9
        let shut = Section(id: .named("n"), title: "N", lift: .none, icons: [icon(fixed)])
        return try BoardState(
            board: Board(id: .named("b"), title: "B", epoch: "e", sections: [open, pins, shut]))
    }

    private static func outcome(of edit: Edit, by role: Role) throws -> Outcome {
        var state = try state()
        let before = state.board
        let outcome = state.decide(
            Submission(
                client: .named("client"), seq: 1, base: 0, role: role, intent: .edit(edit)))
        if case .rejected = outcome { #expect(state.board == before) }
        return outcome
    }

    private static let ownersEdits: [Edit] = {
        var lock = IconPatch()
        lock.locked = .set(true)
        var pin = IconPatch()
        pin.pinnedAt = .set(0)
        var unlock = IconPatch()
        unlock.locked = .clear
        var rename = SectionPatch()
        rename.title = "Other"
        var board = BoardPatch()
        board.title = "Other"
        return [
            .sectionAdd(section: Section(id: .named("new"), title: "N"), before: nil),
            .sectionUpdate(section: section, set: rename),
            .sectionMove(section: .named("p"), before: section), .boardUpdate(set: board),
            .iconUpdate(icon: plain, set: lock), .iconUpdate(icon: plain, set: pin),
            .iconUpdate(icon: locked, set: unlock),
        ]
    }()

    @Test("CM14: sections, the board, locks and pins need an owner", arguments: ownersEdits)
    func ownersOnly(edit: Edit) throws {
        for role in [Role.editor, .viewer] {
            #expect(
                try Self.outcome(of: edit, by: role)
                    == .rejected(.readOnly, field: nil, revision: 0))
        }
        guard case .applied = try Self.outcome(of: edit, by: .owner) else {
            Issue.record("an owner was refused")
            return
        }
    }

    @Test(
        "BD10: what is locked, pinned or not to be lifted is removed by an owner alone",
        arguments: [locked, pinned, fixed])
    func removal(icon: UniqueID) throws {
        let edit = Edit.iconRemove(icons: [icon])
        guard case .rejected = try Self.outcome(of: edit, by: .editor) else {
            Issue.record("an editor removed \(icon.name)")
            return
        }
        guard case .applied = try Self.outcome(of: edit, by: .owner) else {
            Issue.record("an owner was refused")
            return
        }
        let mixed = Edit.iconRemove(icons: [Self.plain, icon])
        guard case .rejected = try Self.outcome(of: mixed, by: .editor) else {
            Issue.record("an editor removed \(icon.name) among others")
            return
        }
    }

    @Test("BD10: an editor removes whatever may be lifted, a viewer nothing")
    func plainRemoval() throws {
        let edit = Edit.iconRemove(icons: [Self.plain])
        guard case .applied = try Self.outcome(of: edit, by: .editor) else {
            Issue.record("an editor was refused")
            return
        }
        #expect(
            try Self.outcome(of: edit, by: .viewer)
                == .rejected(.readOnly, field: nil, revision: 0))
    }

    @Test(
        "BD3: an index is where the icon stands afterwards: taken out, then put in",
        arguments: [
            (0, 0, "abcd"), (0, 1, "bacd"), (0, 2, "bcad"), (0, 3, "bcda"), (3, 0, "dabc"),
            (3, 1, "adbc"), (3, 2, "abdc"), (1, 2, "acbd"), (2, 1, "acbd"), (1, 99, "acdb"),
        ])
    func finalIndex(from: Int, index: Int, order: String) throws {
        let names = ["a", "b", "c", "d"]
        let icons = names.map { Self.icon(.named($0)) }
        var state = try BoardState(
            board: Board(
                id: .named("b"), title: "B", epoch: "e",
                sections: [Section(id: Self.section, title: "S", icons: icons)]))
        let target = Target(section: Self.section, index: index)
        _ = state.decide(
            Submission(
                client: .named("client"), seq: 1, base: 0,
                intent: .edit(.iconMove(icons: [icons[from].id], to: target))))
        #expect(state.board.sections[0].icons.map(\.id.name).joined() == order)
    }

    @Test("BD3: what comes from elsewhere may stand behind all that are there")
    func fromElsewhere() throws {
        var state = try Self.state()
        let target = Target(section: .named("n"), index: 1)
        let outcome = state.decide(
            Submission(
                client: .named("client"), seq: 1, base: 0,
                intent: .edit(.iconMove(icons: [Self.plain], to: target))))
        guard case .applied = outcome else {
            Issue.record("refused: \(outcome)")
            return
        }
        #expect(state.board.sections[2].icons.map(\.id.name) == ["fixed", "plain"])
    }
}
