import BoardModel
import Testing

@Suite("Rules")
struct RuleTests {
    private let a = IconID.named("A")

    private func propose(
        _ table: Table, _ icons: String, _ target: Target?, copy: Bool = false,
        role: Role = .owner
    ) -> Proposal {
        table.state.propose(
            icons: icons.map { .named(String($0)) }, to: target, copy: copy, base: nil,
            client: .named("u1"), role: role)
    }

    @Test("A proposal is the first rule that fits")
    func proposals() throws {
        var table = try Table(.sample("ABC", "XY", "P"))
        let end = Target.at(.end, of: "t")
        let there = Position(section: .named("t"), index: 2)
        #expect(propose(table, "A", nil) == Proposal(kind: .cancel))
        #expect(propose(table, "Z", end) == Proposal(kind: .cancel, reason: .external))
        #expect(
            propose(table, "A", end, role: .viewer)
                == Proposal(kind: .forbidden, reason: .readOnly, position: there))
        #expect(propose(table, "AZ", end) == Proposal(kind: .move, position: there))
        #expect(propose(table, "A", end, copy: true) == Proposal(kind: .copy, position: there))
        #expect(
            propose(table, "A", .index(1))
                == Proposal(kind: .move, position: Position(section: .named("s"), index: 1)))
        try table.change("t") { $0.capacity = .set(2) }
        #expect(
            propose(table, "A", end)
                == Proposal(kind: .forbidden, reason: .sectionFull, position: there))
        try table.change("t") { $0.drop = .own }
        #expect(propose(table, "A", end).reason == .dropForbidden)
        #expect(propose(table, "X", end).kind == .move)
        try table.change("t") { $0.drop = Section.Drop.none }
        #expect(propose(table, "X", end).reason == .dropForbidden)
        try table.change("r") { $0.lift = .copy }
        #expect(propose(table, "P", .at(.end, of: "s")).kind == .copy)
        #expect(propose(table, "P", .at(.end, of: "r")).reason == .sectionLocked)
        try table.change("s") { $0.lift = Section.Lift.none }
        #expect(propose(table, "A", .at(.end, of: "r")).reason == .sectionLocked)
        let before = table.state
        _ = propose(table, "A", .index(2))
        #expect(table.state == before)
    }

    @Test("A move out of a palette is refused, a copy is not")
    func palette() throws {
        var table = try Table(.sample("A", "X"))
        try table.change("s") { $0.lift = .copy }
        #expect(try table.edit(.move("A", .at(.end, of: "t"))).reason == .sectionLocked)
        let copy = Edit.iconCopy(icons: [a], newIDs: [.named("N")], to: .at(.end, of: "t"))
        #expect(try table.edit(copy).commit != nil)
        #expect(table.letters("t") == "XN")
        #expect(table.letters("s") == "A")
        #expect(table.state.copiesOnLift(a))
        #expect(!table.state.copiesOnLift(.named("X")))
    }

    @Test("What cannot be lifted is told before a drag begins")
    func liftRefusals() throws {
        var table = try Table(.sample("ABC", "P", "L"))
        try table.change("t") { $0.lift = .copy }
        try table.change("r") { $0.lift = Section.Lift.none }
        _ = try table.set("B") { $0.locked = .set(true) }
        _ = try table.set("C") { $0.pinnedAt = .set(2) }
        func refusal(_ icons: String, role: Role = .editor) -> Reason? {
            table.state.liftRefusal(icons: icons.map { .named(String($0)) }, role: role)
        }
        #expect(refusal("A") == nil)
        #expect(refusal("A", role: .viewer) == .readOnly)
        #expect(refusal("P") == nil)
        #expect(refusal("L") == .sectionLocked)
        #expect(refusal("AB") == .iconLocked)
        #expect(refusal("C") == .iconPinned)
        #expect(refusal("AP") == .invalid)
        #expect(refusal("") == .invalid)
        #expect(refusal("AA") == .invalid)
        #expect(refusal("Z") == .external)
        #expect(refusal("AZ") == nil)
        try table.edit(.remove("A"))
        #expect(refusal("A") == .iconGone)
    }

    @Test("Viewers change nothing, and only owners lock, pin and change sections")
    func roles() throws {
        var table = try Table(.sample("AB", ""))
        var lock = IconPatch()
        lock.locked = .set(true)
        var label = IconPatch()
        label.label = .set("x")
        let ownerOnly: [Edit] = [
            .iconUpdate(icon: a, set: lock),
            .sectionUpdate(section: .named("s"), set: SectionPatch()),
            .sectionAdd(section: Section(id: .named("n")), before: nil),
            .sectionMove(section: .named("s"), before: nil), .sectionRemove(section: .named("t")),
            .boardUpdate(set: BoardPatch()),
        ]
        for edit in ownerOnly {
            #expect(try table.edit("u2", edit, role: .editor).reason == .readOnly)
        }
        let all =
            ownerOnly + [
                .iconUpdate(icon: a, set: label), .move("A", .index(1)), .remove("A"), .undo, .redo,
                .iconAdd(icon: .letter("N"), to: .index(0)),
                .iconCopy(icons: [a], newIDs: [.named("N")], to: .index(0)),
            ]
        for edit in all {
            #expect(try table.edit("u3", edit, role: .viewer).reason == .readOnly)
        }
        var pinned = Icon.letter("N")
        pinned.pinnedAt = 0
        let add = Edit.iconAdd(icon: pinned, to: Target(section: .named("s")))
        #expect(try table.edit("u2", add, role: .editor).reason == .readOnly)
        #expect(table.state.revision == 0)
        #expect(try table.edit("u2", .iconUpdate(icon: a, set: label), role: .editor).commit != nil)
        #expect(try table.edit("u1", add).commit != nil)
        #expect(table.letters("s") == "NAB")
        #expect(table.isSound)
    }

    @Test("Limits of icons, sections and bytes hold on every edit, and never against getting less")
    func limits() throws {
        var limits = BoardLimits()
        (limits.icons, limits.sections) = (3, 2)
        var table = try Table(.sample("AB", "C"), limits: limits)
        let add = Edit.iconAdd(icon: .letter("N"), to: .index(0))
        #expect(try table.edit(add).reason == .limit)
        #expect(
            try table.edit(.iconCopy(icons: [a], newIDs: [.named("N")], to: .index(0))).reason
                == .limit)
        #expect(
            try table.edit(.sectionAdd(section: Section(id: .named("n")), before: nil)).reason
                == .limit)
        try table.edit("u2", .remove("A"))
        #expect(try table.edit(add).commit != nil)
        #expect(try table.edit("u2", .undo).reason == .limit)
        try table.edit("u1", .remove("N"))
        #expect(try table.edit("u2", .undo).commit != nil)

        limits = BoardLimits()
        limits.snapshotBytes = table.state.jsonBytes + 20
        table.state.limits = limits
        let long = String(repeating: "x", count: 60)
        let grown = try table.set("A") { $0.label = .set(long) }
        #expect(grown == .rejected(.limit, field: "edit.set", revision: table.state.revision))
        #expect(try table.edit(.iconAdd(icon: .letter("M"), to: .index(0))).reason == .limit)
        var set = BoardPatch()
        set.title = long
        #expect(try table.edit(.boardUpdate(set: set)).reason == .limit)
        table.state.limits.snapshotBytes = 10
        #expect(try table.edit(.move("A", .at(.end, of: "s"))).commit != nil)
        #expect(try table.edit(.remove("A")).commit != nil)
        #expect(table.state.jsonBytes == table.state.board.jsonBytes)
    }

    @Test("Edits of sections are one change each, and what changes nothing is none")
    func sections() throws {
        var table = try Table(.sample("A", "B", ""))
        let ids = { (table: Table) in table.watcher.sections.map(\.id.text).joined() }
        #expect(try table.edit(.sectionMove(section: .named("s"), before: .named("s"))).isNoop)
        #expect(try table.edit(.sectionMove(section: .named("s"), before: .named("t"))).isNoop)
        try table.edit(.sectionMove(section: .named("s"), before: .named("r")))
        #expect(ids(table) == "tsr")
        try table.edit(.sectionMove(section: .named("s"), before: nil))
        #expect(ids(table) == "trs")
        try table.edit(.sectionMove(section: .named("s"), before: .named("t")))
        #expect(ids(table) == "str")
        #expect(
            try table.edit(.sectionMove(section: .named("z"), before: nil)).reason == .sectionGone)
        try table.edit(.sectionRemove(section: .named("r")))
        var new = Section(id: .named("n"), icons: [.letter("N"), .letter("M")])
        new.icons[1].pinnedAt = 0
        let added = try table.edit(.sectionAdd(section: new, before: .named("t")))
        #expect(added.commit != nil)
        #expect(ids(table) == "snt")
        #expect(table.letters("n") == "MN")
        #expect(
            try table.edit(.sectionAdd(section: new, before: nil)).reason == .duplicateID)
        var set = SectionPatch()
        set.title = ""
        #expect(try table.edit(.sectionUpdate(section: .named("s"), set: set)).isNoop)
        #expect(try table.edit(.undo).reason == .nothingToUndo)
        #expect(table.isSound)
    }
}
