import BoardModel
import BoardWire
import Collaboration
import Testing

@Suite("Restore points")
struct PointTests {
    let world: Harness
    let board = BoardID("b")!

    init() throws { world = try Harness.withMiaAndBen() }

    private func make(_ token: UInt64, _ name: String) {
        world.request(token, board: board, .makePoint(name: name))
    }

    private func restore(_ token: UInt64, _ number: Int) throws {
        let points = try #require(world.points[board])
        world.request(
            token, board: board,
            .restore(points[number].point.id, client: nil, seq: nil, base: nil))
        world.advance(.milliseconds(50))
    }

    private func move(_ icon: Int, seq: Int) {
        world.send(
            1,
            #"{"type":"edit","seq":\#(seq),"edit":{"kind":"icon.move","icons":["\#(id(icon))"],"#
                + #""to":{"section":"t","at":"end"}}}"#)
        world.advance(.milliseconds(50))
    }

    private var sections: [Section]? { world.stored[board]?.board.sections }

    @Test("HT10: a restore is one commit, and what it took away can be brought back")
    func thereAndBack() throws {
        let first = sections
        make(1, "First")
        move(1, seq: 1)
        move(2, seq: 2)
        let second = sections
        #expect(second != first)
        world.forget()
        try restore(2, 0)
        #expect(sections == first)
        for socket: UInt64 in [1, 2] {
            let commits = world.events(socket, "commit")
            #expect(commits.count == 1)
            let edit = commits.first?["edit"] as? Harness.Event
            #expect(edit?["kind"] as? String == "board.restore")
            #expect(commits.first?["revision"] as? Int == 3)
        }
        let points = try #require(world.points[board])
        #expect(points.map(\.point.isAutomatic) == [false, true])
        #expect(points.map(\.point.revision) == [0, 2])
        try restore(3, 1)
        #expect(sections == second)
        #expect(world.stored[board]?.epoch == "e1")
    }

    @Test("HT10: a point of the board as it is makes no commit and no point")
    func noDifference() throws {
        make(1, "Same")
        try restore(2, 0)
        guard case .json(let text)? = world.answers[2] else {
            Issue.record("no answer")
            return
        }
        #expect(String(decoding: text, as: UTF8.self).contains(#""status":"noop""#))
        #expect(world.points[board]?.count == 1)
    }

    @Test("HT10: drags of icons that a restore takes away end before it; others go on")
    func drags() throws {
        make(1, "Before")
        world.send(
            2,
            #"{"type":"edit","seq":1,"edit":{"kind":"icon.add","icon":{"id":"\#(id(9))","red":1,"#
                + #""green":0,"blue":0},"to":{"section":"s","at":"end"}}}"#)
        world.advance(.milliseconds(50))
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(9))"]}"#)
        world.send(2, #"{"type":"drag.begin","drag":1,"icons":["\#(id(2))"]}"#)
        world.advance(.milliseconds(50))
        world.forget()
        try restore(2, 0)
        #expect(world.types(1).prefix(2) == ["drag.ended", "commit"])
        #expect(world.events(1, "drag.ended").map { $0["outcome"] as? String } == ["removed"])
        #expect(world.events(1, "drag.ended").first?["peer"] as? Int == 1)
    }

    @Test("HT10: when the store refuses the commit, no point of it is kept either")
    func refused() throws {
        make(1, "First")
        move(1, seq: 1)
        let before = sections
        world.failsAppends = true
        try restore(2, 0)
        #expect(sections == before)
        #expect(world.points[board]?.count == 1)
        world.failsAppends = false
        try restore(3, 0)
        #expect(world.points[board]?.count == 2)
    }

    @Test("HT10: an edit from before a restore lands beside its neighbour, where that stands now")
    func oldBase() throws {
        make(1, "First")
        move(1, seq: 1)
        try restore(2, 0)
        world.send(
            2,
            #"{"type":"edit","seq":1,"base":1,"edit":{"kind":"icon.move","icons":["\#(id(4))"],"#
                + #""to":{"section":"s","after":"\#(id(1))"}}}"#)
        world.advance(.milliseconds(50))
        let icons = sections?.first { $0.id.text == "s" }?.icons.map(\.id)
        #expect(icons == [id(1), id(4), id(2), id(3)])
    }

    @Test("HT10: undo does not reach behind a restore")
    func undo() throws {
        make(1, "First")
        move(1, seq: 1)
        try restore(2, 0)
        world.send(1, #"{"type":"edit","seq":2,"edit":{"kind":"undo"}}"#)
        world.advance(.milliseconds(50))
        #expect(world.events(1, "result").last?["reason"] as? String == "nothing_to_undo")
    }

    @Test("HT10: people may make a hundred points")
    func limit() {
        for number in 1...101 { make(UInt64(number), "P\(number)") }
        guard case .problem(409, _, _, _)? = world.answers[101] else {
            Issue.record("the hundred and first was kept")
            return
        }
        guard case .created? = world.answers[100] else {
            Issue.record("the hundredth was not")
            return
        }
    }
}
