import BoardModel
import Testing

@Suite("Undo, copies and locks")
struct MeaningCaseTests {
    @Test("O-77: an undo puts my icon back and leaves others' work alone")
    func undoAfterOthers() throws {
        var table = try Table(.sample("ABCD", ""))
        try table.edit("u1", .move("A", .at(.end, of: "s")))
        try table.edit("u2", .move("C", .at(.start, of: "s")))
        let undo = try table.edit("u1", .undo)
        #expect(undo.commit?.isUndo == true)
        #expect(table.letters("s") == "CABD")
        try table.edit("u1", .move("D", .at(.end, of: "t")))
        try table.edit("u2", .move("B", .at(.start, of: "t")))
        try table.edit("u2", .move("D", .at(.start, of: "t")))
        #expect(table.letters("t") == "DB")
        #expect(try table.edit("u1", .undo).reason == .superseded)
        #expect(try table.edit("u1", .undo).reason == .nothingToUndo)
        #expect(table.isSound)
    }

    @Test("O-77: an undone update restores the fields that still have my value")
    func undoUpdate() throws {
        var table = try Table(.sample("AB"))
        _ = try table.set("B", by: "u1") { $0.label = .set("B1") }
        _ = try table.set("B", by: "u2") { $0.label = .set("B2") }
        #expect(try table.edit("u1", .undo).reason == .superseded)
        _ = try table.set("B", by: "u1") {
            $0.red = 1
            $0.label = .set("B3")
        }
        _ = try table.set("B", by: "u2") { $0.label = .set("B4") }
        let outcome = try table.edit("u1", .undo)
        var set = IconPatch()
        set.red = 0.25
        #expect(outcome.commit?.change == .iconUpdate(icon: .named("B"), set: set, moves: []))
        #expect(table.state.icon(.named("B"))?.label == "B4")
        try table.edit("u1", .redo)
        #expect(table.state.icon(.named("B"))?.red == 1)
        #expect(table.isSound)
    }

    @Test("O-77: an undo is the same after a restart, data of removed icons included")
    func undoAfterRestart() throws {
        var table = try Table(.sample("ABC"))
        _ = try table.set("B") { $0.label = .set("kept") }
        try table.edit("u1", .remove("B"))
        table.state = try table.state.restarted()
        try table.edit("u1", .undo)
        #expect(table.letters("s") == "ABC")
        #expect(table.state.icon(.named("B"))?.label == "kept")
        try table.edit("u1", .redo)
        #expect(table.letters("s") == "AC")
        #expect(table.isSound)
    }

    @Test("O-78: copies are separate, unlocked and unpinned")
    func copies() throws {
        var table = try Table(.sample("AB"))
        _ = try table.set("A") {
            $0.label = .set("👩‍🚀")
            $0.locked = .set(true)
        }
        _ = try table.set("B") { $0.pinnedAt = .set(1) }
        let copy = Edit.iconCopy(
            icons: [.named("A"), .named("B"), .named("Z")],
            newIDs: [.named("X"), .named("Y"), .named("W")], to: .after("A"))
        guard case .iconAdd(let adds, _) = try table.edit("u1", copy).commit?.change else {
            Issue.record("a copy is told as an addition")
            return
        }
        #expect(adds.map(\.icon.id.name) == ["X", "Y"])
        #expect(adds.allSatisfy { $0.icon.locked == nil && $0.icon.pinnedAt == nil })
        #expect(adds.first?.icon.label == "👩‍🚀")
        #expect(table.letters("s") == "ABXY")
        _ = try table.set("X") { $0.label = .set("copy") }
        #expect(table.state.icon(.named("A"))?.label == "👩‍🚀")
        #expect(try table.edit("u1", copy).reason == .duplicateID)
        try table.edit("u1", .undo)
        #expect(table.letters("s") == "AB")
        #expect(table.isSound)
    }

    @Test("O-79: a locked icon cannot be lifted, and is pushed along by others")
    func locked() throws {
        var table = try Table(.sample("ALCD"))
        _ = try table.set("L") { $0.locked = .set(true) }
        try table.edit(.move("D", .before("A")))
        #expect(table.letters("s") == "DALC")
        #expect(try table.edit(.move("L", .index(0))).reason == .iconLocked)
        #expect(table.state.liftRefusal(icons: [.named("L")], role: .owner) == .iconLocked)
        _ = try table.set("C") { $0.locked = .set(true) }
        #expect(try table.edit(.move("C", .index(0))).reason == .iconLocked)
        #expect(try table.edit("u2", .remove("L"), role: .editor).reason == .readOnly)
        table.state = try table.state.restarted()
        #expect(table.state.icon(.named("L"))?.locked == true)
        _ = try table.set("L", by: "u2") { $0.locked = .clear }
        #expect(try table.edit(.move("L", .index(0))).commit != nil)
        #expect(table.letters("s") == "LDAC")
    }

    @Test("An undo of a move waits while its icon is locked")
    func undoOfLocked() throws {
        var table = try Table(.sample("ABC"))
        try table.edit("u1", .move("A", .at(.end, of: "s")))
        _ = try table.set("A") { $0.locked = .set(true) }
        #expect(try table.edit("u1", .undo).reason == .iconLocked)
        _ = try table.set("A") { $0.locked = .clear }
        #expect(try table.edit("u1", .undo).commit != nil)
        #expect(table.letters("s") == "ABC")
    }

    @Test("A pinned icon holds its index; undo of the pin takes it back where it was")
    func pins() throws {
        var table = try Table(.sample("ABCD"))
        let outcome = try table.set("D", by: "u1") { $0.pinnedAt = .set(0) }
        #expect(table.letters("s") == "DABC")
        guard case .iconUpdate(_, _, let moves) = outcome.commit?.change else {
            Issue.record("pinning is an update")
            return
        }
        #expect(moves.count == 1)
        try table.edit("u2", .move("C", .at(.start, of: "s")))
        #expect(table.letters("s") == "DCAB")
        #expect(try table.edit("u2", .move("D", .at(.end, of: "s"))).reason == .iconPinned)
        try table.edit("u1", .undo)
        #expect(table.letters("s") == "CABD")
        try table.edit("u1", .redo)
        #expect(table.letters("s") == "DCAB")
        _ = try table.set("D") { $0.pinnedAt = .clear }
        #expect(table.letters("s") == "DCAB")
        try table.edit("u2", .remove("D"))
        try table.edit("u2", .undo)
        #expect(table.letters("s") == "DCAB")
        #expect(table.isSound)
    }

    @Test("An owner removes a pinned icon, and its undo pins it again")
    func removedPin() throws {
        var table = try Table(.sample("ABC"))
        _ = try table.set("C") { $0.pinnedAt = .set(1) }
        #expect(try table.edit("u1", .remove("C"), role: .editor).reason == .readOnly)
        try table.edit("u2", .remove("C"))
        try table.edit("u3", .move("A", .at(.end, of: "s")))
        try table.edit("u2", .undo)
        #expect(table.letters("s") == "BCA")
        #expect(table.state.icon(.named("C"))?.pinnedAt == 1)
        #expect(table.isSound)
    }

    @Test("Of pins with one index the eldest has it, and the others stand behind it")
    func equalPins() throws {
        var table = try Table(.sample("ABCD"))
        _ = try table.set("C") { $0.pinnedAt = .set(1) }
        _ = try table.set("D") { $0.pinnedAt = .set(1) }
        #expect(table.letters("s") == "ACDB")
        #expect(try BoardState(board: table.watcher).board == table.watcher)
        #expect(table.isSound)
    }
}
