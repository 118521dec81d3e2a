import BoardModel
import Collaboration
import Testing

@Suite("Blocks, numbers and drags that come back")
struct BlockTests {
    private let world = Harness()
    private let board = BoardID("b")!

    private func begin(_ socket: UInt64, drag: Int, icons: [Int]) {
        let list = icons.map { "\"\(id($0))\"" }.joined(separator: ",")
        world.send(socket, #"{"type":"drag.begin","drag":\#(drag),"icons":[\#(list)]}"#)
    }

    private func denials(_ socket: UInt64) -> [String?] {
        world.advance(.milliseconds(50))
        return world.events(socket, "drag.denied").map { $0["reason"] as? String }
    }

    @Test(
        "DR3: a block is refused whole when one member is held, locked, pinned or not to be lifted")
    func refusedWhole() throws {
        var small = smallBoard(icons: 4)
        small.sections[0].icons[2].locked = true
        small.sections[0].icons[3].pinnedAt = 3
        small.sections[1].lift = .none
        small.sections[1].icons = [Icon(id: id(9), red: 0, green: 0, blue: 0)]
        try world.put(small)
        world.join(1, board: board, client: mia)
        world.join(2, board: board, client: ben)
        begin(1, drag: 1, icons: [1])
        world.advance(.milliseconds(50))
        world.forget()
        for (drag, icons) in [[2, 1], [2, 3], [2, 4], [2, 9]].enumerated() {
            begin(2, drag: drag + 1, icons: icons)
        }
        #expect(denials(2) == ["held", "icon_locked", "icon_pinned", "section_locked"])
        #expect(world.events(1, "drag.began").isEmpty)
        begin(2, drag: 9, icons: [2])
        world.advance(.milliseconds(50))
        #expect(world.events(1, "drag.began").count == 1, "no member of a refused block is leased")
    }

    @Test("DR3: a block of members to be copied and members to be moved is invalid")
    func mixed() throws {
        var small = smallBoard(icons: 2)
        small.sections[1].lift = .copy
        small.sections[1].icons = [Icon(id: id(9), red: 0, green: 0, blue: 0)]
        try world.put(small)
        world.join(1, board: board, client: mia)
        begin(1, drag: 1, icons: [1, 9])
        #expect(denials(1) == ["invalid"])
        #expect(world.events(1, "drag.began").isEmpty)
    }

    @Test("CM1: edits and drops are counted together, across connections")
    func oneSequence() throws {
        try world.put(smallBoard())
        world.join(1, board: board, client: mia)
        let toEnd = #""edit":{"kind":"icon.move","icons":["\#(id(1))"],"to":{"at":"end"}}"#
        world.send(1, #"{"type":"edit","seq":1,\#(toEnd)}"#)
        begin(1, drag: 1, icons: [2])
        world.send(1, #"{"type":"drag.drop","drag":1,"seq":2,"target":{"at":"end"}}"#)
        world.advance(.milliseconds(50))
        #expect(world.events(1, "commit").map { $0["seq"] as? Int } == [1, 2])
        world.close(1, isClean: true)
        let welcome = world.join(2, board: board, client: mia)
        #expect(welcome?["lastSeq"] as? Int == 2)
        world.send(2, #"{"type":"edit","seq":3,\#(toEnd)}"#)
        world.send(2, #"{"type":"edit","seq":5,\#(toEnd)}"#)
        world.advance(.milliseconds(50))
        #expect(world.events(2, "commit").map { $0["seq"] as? Int } == [3])
        #expect(world.events(2, "result").map { $0["reason"] as? String } == ["seq_gap"])
    }

    @Test("HS12: a drag that outlived its connection has the new peer and its old number")
    func numbersGoOn() throws {
        try world.put(smallBoard())
        world.join(1, board: board, client: mia)
        begin(1, drag: 7, icons: [1])
        world.advance(.milliseconds(50))
        world.close(1, isClean: false)
        let welcome = world.join(2, board: board, client: mia)
        let drags = welcome?["drags"] as? [Harness.Event] ?? []
        #expect(drags.map { $0["drag"] as? Int } == [7])
        #expect(drags.map { $0["peer"] as? Int } == [welcome?["peer"] as? Int])
        world.forget()
        begin(2, drag: 8, icons: [2])
        world.advance(.milliseconds(50))
        #expect(world.types(2) == ["drag.ended", "drag.began"])
        #expect(world.events(2, "drag.ended").last?["drag"] as? Int == 7)
        world.close(2, isClean: true)
        let later = world.join(3, board: board, client: mia)
        #expect((later?["drags"] as? [Harness.Event])?.isEmpty == true, "what ended is not listed")
    }
}
