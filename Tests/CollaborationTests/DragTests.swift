import BoardModel
import BoardWire
import Collaboration
import Testing

@Suite("Live drags")
struct DragTests {
    let world: Harness
    let board = BoardID("b")!

    init() throws { world = try Harness.withMiaAndBen() }

    @Test("DR1: a begun drag is told to everyone, its sender included")
    func began() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        #expect(world.types(1) == ["drag.began"])
        #expect(world.types(2) == ["drag.began"])
    }

    @Test("DR4: the newest target of a tick is told once, and the last one always (O-20)")
    func lastTarget() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        for index in 0...3 {
            world.send(
                1, #"{"type":"drag.target","drag":1,"target":{"section":"s","index":\#(index)}}"#)
        }
        world.advance(.milliseconds(100))
        let targets = world.events(2, "drag.target")
        #expect(targets.count <= 2)
        let last = targets.last?["target"] as? Harness.Event
        #expect(last?["index"] as? Int == 3)
        #expect(last?["section"] as? String == "s")
    }

    @Test("DR12, DR13: the commit of a drop comes before the end of its drag, in one frame")
    func dropOrder() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(
            1,
            #"{"type":"drag.drop","drag":1,"seq":1,"base":0,"target":{"section":"s","at":"end"}}"#)
        world.advance(.milliseconds(50))
        for socket: UInt64 in [1, 2] {
            #expect(world.types(socket) == ["drag.began", "commit", "drag.ended"])
            let ended = world.events(socket, "drag.ended").last
            #expect(ended?["outcome"] as? String == "dropped")
            #expect(ended?["revision"] as? Int == 1)
        }
    }

    @Test(
        "DR12: a noop drop answers its author before the end of the drag; others hear the end only")
    func noopDrop() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(
            1, #"{"type":"drag.drop","drag":1,"seq":1,"target":{"section":"s","at":"start"}}"#)
        world.advance(.milliseconds(50))
        #expect(world.types(1) == ["drag.began", "result", "drag.ended"])
        #expect(world.types(2) == ["drag.began", "drag.ended"])
        #expect(world.events(2, "drag.ended").last?["outcome"] as? String == "cancelled")
    }

    @Test("DR2: a held icon is denied to another drag with its holder, and free for edits")
    func held() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(2, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(
            2,
            #"{"type":"edit","seq":1,"edit":{"kind":"icon.move","icons":["\#(id(1))"],"to":{"at":"end"}}}"#
        )
        world.advance(.milliseconds(50))
        let denied = world.events(2, "drag.denied").last
        #expect(denied?["reason"] as? String == "held")
        #expect((denied?["holder"] as? Harness.Event)?["name"] as? String == "Mia")
        #expect(world.events(1, "commit").count == 1)
    }

    @Test("DR9: a drop of a denied begin is rejected with that reason, an unknown one with no_drag")
    func dropWithoutDrag() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(2, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(2, #"{"type":"drag.drop","drag":1,"seq":1,"target":{"at":"end"}}"#)
        world.send(2, #"{"type":"drag.drop","drag":7,"seq":2,"target":{"at":"end"}}"#)
        world.advance(.milliseconds(50))
        let reasons = world.events(2, "result").map { $0["reason"] as? String }
        #expect(reasons == ["held", "no_drag"])
    }

    @Test("DR11: a drag without a message for its lease expires; its late drop is a plain edit")
    func expires() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.advance(.seconds(31))
        #expect(world.events(2, "drag.ended").last?["outcome"] as? String == "expired")
        world.send(
            1, #"{"type":"drag.drop","drag":1,"seq":1,"target":{"section":"s","at":"end"}}"#)
        world.advance(.milliseconds(50))
        #expect(world.events(2, "commit").count == 1)
        #expect(world.events(2, "drag.ended").count == 1)
    }

    @Test("DR11: icons that are removed end their drag before that commit (O-21)")
    func removed() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(
            2, #"{"type":"edit","seq":1,"edit":{"kind":"icon.remove","icons":["\#(id(1))"]}}"#)
        world.advance(.milliseconds(50))
        #expect(world.types(1) == ["drag.began", "drag.ended", "commit"])
        world.send(1, #"{"type":"drag.target","drag":1,"target":{"section":"s","index":2}}"#)
        world.send(1, #"{"type":"drag.drop","drag":1,"seq":1}"#)
        world.send(1, #"{"type":"drag.begin","drag":2,"icons":["\#(id(2))"]}"#)
        world.advance(.milliseconds(50))
        #expect(world.events(1, "drag.denied").last?["reason"] as? String == "no_drag")
        #expect(world.events(1, "result").last?["status"] as? String == "noop")
        #expect(world.events(1, "drag.began").count == 2)
    }

    @Test("DR11: a rule that forbids a live drag ends it after the commit that made the rule")
    func forbidden() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(
            2,
            #"{"type":"edit","seq":1,"edit":{"kind":"icon.update","icon":"\#(id(1))","set":{"locked":true}}}"#
        )
        world.advance(.milliseconds(50))
        #expect(world.types(1) == ["drag.began", "commit", "drag.ended"])
        #expect(world.events(1, "drag.ended").last?["outcome"] as? String == "forbidden")
    }

    @Test("DR2, DR11: of two who hold what was copied from, the first keeps it after that")
    func heldByTwo() {
        func lift(_ rule: String, seq: Int) {
            let set = #""section":"s","set":{"lift":"\#(rule)"}"#
            world.send(
                2, #"{"type":"edit","seq":\#(seq),"edit":{"kind":"section.update",\#(set)}}"#)
            world.advance(.milliseconds(50))
        }
        lift("copy", seq: 1)
        // Ben first, who joined last.
        for socket: UInt64 in [2, 1] {
            world.send(socket, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
            world.advance(.milliseconds(50))
        }
        #expect(world.events(1, "drag.began").count == 2)
        lift("move", seq: 2)
        let ended = world.events(1, "drag.ended")
        #expect(ended.map { $0["outcome"] as? String } == ["forbidden"])
        #expect(ended.first?["peer"] as? Int == 1)
    }

    @Test("DR6: a commit moves a live target with its neighbours, and tells those that changed")
    func reresolved() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(
            1,
            #"{"type":"drag.target","drag":1,"base":0,"target":{"section":"s","after":"\#(id(3))","before":"\#(id(4))"}}"#
        )
        world.advance(.milliseconds(50))
        #expect(
            (world.events(2, "drag.target").last?["target"] as? Harness.Event)?["index"] as? Int
                == 2)
        world.send(
            2, #"{"type":"edit","seq":1,"edit":{"kind":"icon.remove","icons":["\#(id(2))"]}}"#)
        world.advance(.milliseconds(50))
        #expect(
            (world.events(2, "drag.target").last?["target"] as? Harness.Event)?["index"] as? Int
                == 1)
    }

    @Test("DR10: while its drop is decided a drag hears no target, no begin and no expiry")
    func deciding() {
        world.holdsAppends = true
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(1, #"{"type":"drag.drop","drag":1,"seq":1,"target":{"section":"s","at":"end"}}"#)
        world.send(1, #"{"type":"drag.target","drag":1,"target":null}"#)
        world.send(1, #"{"type":"drag.begin","drag":2,"icons":["\#(id(1))"]}"#)
        world.send(2, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.advance(.seconds(1))
        #expect(world.events(1, "drag.began").count == 2)
        #expect(world.events(1, "drag.denied").isEmpty)
        #expect(world.events(2, "drag.denied").last?["reason"] as? String == "held")
        #expect(world.events(2, "drag.ended").isEmpty)
        world.releaseAppends()
        world.advance(.milliseconds(50))
        #expect(world.events(2, "drag.ended").map { $0["drag"] as? Int } == [1])
    }

    @Test("DR7: points are held to the section and to the board's axis")
    func clamped() throws {
        var row = smallBoard("row")
        row.presentation = Presentation(axis: .horizontal)
        try world.put(row)
        world.join(3, board: BoardID("row")!, client: cleo)
        world.send(3, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(
            3, #"{"type":"drag.target","drag":1,"target":null,"point":{"x":1.7,"y":-3},"t":"x1"}"#)
        world.advance(.milliseconds(50))
        let target = world.events(3, "drag.target").last
        let point = target?["point"] as? Harness.Event
        #expect(point?["x"] as? Double == 1)
        #expect(point?["y"] as? Double == 0.5)
        #expect(target?["t"] as? String == "x1")
        #expect(target?["proposal"] as? String == "cancel")
    }
}

@Suite("Live drags while commits wait for the disk")
struct DragBatchTests {
    let world: Harness
    let board = BoardID("b")!

    init() throws { world = try Harness.withMiaAndBen() }

    @Test("DR11: a removal ends the drag though its undo is stored in the same batch")
    func removedAndBack() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.holdsAppends = true
        // The first edit opens a batch; the removal and its undo share the next one.
        world.send(
            2,
            #"{"type":"edit","seq":1,"edit":{"kind":"icon.move","icons":["\#(id(4))"],"to":{"at":"start"}}}"#
        )
        world.send(
            2, #"{"type":"edit","seq":2,"edit":{"kind":"icon.remove","icons":["\#(id(1))"]}}"#)
        world.send(2, #"{"type":"edit","seq":3,"edit":{"kind":"undo"}}"#)
        world.releaseAppends()
        world.releaseAppends()
        world.advance(.milliseconds(50))
        #expect(world.types(1) == ["drag.began", "commit", "drag.ended", "commit", "commit"])
        #expect(world.events(1, "drag.ended").last?["outcome"] as? String == "removed")
    }

    @Test("DR9: a late copying drop of a block gets an identifier for each of its own icons")
    func lateBlock() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))","\#(id(2))"]}"#)
        world.advance(.seconds(31))
        world.send(1, #"{"type":"drag.begin","drag":2,"icons":["\#(id(3))"]}"#)
        world.send(
            1,
            #"{"type":"drag.drop","drag":1,"seq":1,"copy":true,"target":{"section":"t","at":"end"}}"#
        )
        world.advance(.milliseconds(50))
        let change = world.events(2, "commit").last?["edit"] as? Harness.Event
        #expect((change?["adds"] as? [Harness.Event])?.count == 2)
    }

    @Test("DR5, HS12: a welcome resolves the target of a drag that is being decided anew")
    func decidingInWelcome() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.send(1, #"{"type":"drag.target","drag":1,"target":{"section":"s","at":"end"}}"#)
        world.advance(.milliseconds(50))
        world.holdsAppends = true
        world.send(
            2, #"{"type":"edit","seq":1,"edit":{"kind":"icon.remove","icons":["\#(id(2))"]}}"#)
        world.send(1, #"{"type":"drag.drop","drag":1,"seq":1}"#)
        world.releaseAppends()
        let welcome = world.join(3, board: board, client: cleo)
        #expect(welcome?["revision"] as? Int == 1)
        let drag = (welcome?["drags"] as? [Harness.Event])?.first
        #expect((drag?["target"] as? Harness.Event)?["index"] as? Int == 2)
    }

    @Test("CM3: a batch larger than the log keeps still reaches everyone event by event")
    func hugeBatch() throws {
        var limits = EventLogLimits()
        limits.events = 100
        limits.bytes = 20_000
        let world = Harness(log: limits)
        try world.put(smallBoard())
        world.join(1, board: board, client: mia, name: "Mia")
        world.join(2, board: board, client: ben, name: "Ben")
        world.holdsAppends = true
        let label = String(repeating: "x", count: 60)
        let icons = (0..<200).map { number in
            #"{"kind":"icon.add","icon":{"id":"\#(id(1_000 + number))","red":0,"green":0,"blue":0,"label":"\#(label)"},"to":{"section":"s","at":"end"}}"#
        }
        for (index, edit) in icons.enumerated() {
            world.send(1, #"{"type":"edit","seq":\#(index + 1),"edit":\#(edit)}"#)
        }
        world.releaseAppends()
        world.releaseAppends()
        world.advance(.seconds(1))
        for socket: UInt64 in [1, 2] {
            #expect(world.events(socket, "commit").count == 200)
            #expect(world.events(socket, "welcome").count == 1)
        }
    }
}
