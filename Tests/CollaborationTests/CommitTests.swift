import BoardModel
import BoardWire
import Collaboration
import Testing

@Suite("Deciding, storing, telling")
struct CommitTests {
    let world: Harness
    let board = BoardID("b")!

    init() throws { world = try Harness.withMiaAndBen() }

    private func move(
        _ socket: UInt64, seq: Int, icon: Int, to: String, in other: Harness? = nil
    ) {
        (other ?? world).send(
            socket,
            #"{"type":"edit","seq":\#(seq),"edit":{"kind":"icon.move","icons":["\#(id(icon))"],"to":\#(to)}}"#
        )
    }

    @Test("CM6: nothing is announced, to its author neither, before it is stored")
    func durableFirst() {
        world.holdsAppends = true
        move(1, seq: 1, icon: 1, to: #"{"at":"end"}"#)
        move(1, seq: 2, icon: 4, to: #"{"at":"end"}"#)
        world.advance(.seconds(1))
        #expect(world.types(1).isEmpty)
        #expect(world.types(2).isEmpty)
        world.releaseAppends()
        world.releaseAppends()
        world.advance(.milliseconds(50))
        #expect(world.events(2, "commit").map { $0["revision"] as? Int } == [1, 2])
    }

    @Test(
        "CM6: a failed batch is as if nothing had come: storage for all, and the seq is free again")
    func failedBatch() {
        world.holdsAppends = true
        move(1, seq: 1, icon: 1, to: #"{"at":"end"}"#)
        world.send(2, #"{"type":"drag.begin","drag":1,"icons":["\#(id(2))"]}"#)
        world.send(2, #"{"type":"drag.drop","drag":1,"seq":1,"target":{"at":"end"}}"#)
        move(1, seq: 1, icon: 1, to: #"{"at":"end"}"#)
        world.releaseAppends(fail: true)
        world.advance(.milliseconds(50))
        #expect(
            world.events(1, "result").map { $0["reason"] as? String } == ["storage", "storage"])
        #expect(world.events(2, "result").map { $0["reason"] as? String } == ["storage"])
        #expect(world.events(1, "drag.ended").last?["outcome"] as? String == "rejected")
        #expect(world.events(1, "commit").isEmpty)
        world.holdsAppends = false
        move(1, seq: 1, icon: 1, to: #"{"at":"end"}"#)
        world.advance(.milliseconds(50))
        #expect(world.events(2, "commit").map { $0["revision"] as? Int } == [1])
    }

    @Test("CM9: a repeat of a pending number is answered after its batch, as a duplicate")
    func repeatOfPending() {
        world.holdsAppends = true
        move(1, seq: 1, icon: 1, to: #"{"at":"end"}"#)
        move(1, seq: 1, icon: 2, to: #"{"at":"end"}"#)
        world.advance(.seconds(1))
        #expect(world.types(1).isEmpty)
        world.releaseAppends()
        world.releaseAppends()
        world.advance(.milliseconds(50))
        #expect(world.types(1) == ["commit", "result"])
        #expect(world.events(1, "result").last?["status"] as? String == "duplicate")
        #expect(world.events(1, "result").last?["decided"] as? String == "applied")
    }

    @Test("CM10: a gap and a number below one decide nothing")
    func gap() {
        move(1, seq: 3, icon: 1, to: #"{"at":"end"}"#)
        move(1, seq: 0, icon: 1, to: #"{"at":"end"}"#)
        move(1, seq: 1, icon: 1, to: #"{"at":"end"}"#)
        world.advance(.milliseconds(50))
        let results = world.events(1, "result")
        #expect(results.map { $0["reason"] as? String } == ["seq_gap", "invalid"])
        #expect(results.first?["lastSeq"] as? Int == 0)
        #expect(results.last?["field"] as? String == "seq")
        #expect(world.events(1, "commit").count == 1)
    }

    @Test("CM3, ER4: an edit that is not well formed is rejected under its number, which is spent")
    func unreadable() {
        world.send(
            1,
            #"{"type":"edit","seq":1,"edit":{"kind":"icon.move","icons":["x"],"to":{"at":"end"}}}"#)
        move(1, seq: 2, icon: 1, to: #"{"at":"end"}"#)
        world.advance(.milliseconds(50))
        #expect(world.events(1, "result").last?["field"] as? String == "edit.icons[0]")
        #expect(world.events(1, "commit").count == 1)
        #expect(world.events(1, "error").isEmpty)
    }

    @Test("CM8: an author's frame has every commit up to the result's revision before it")
    func resultAfterCommits() {
        move(2, seq: 1, icon: 1, to: #"{"at":"end"}"#)
        move(1, seq: 1, icon: 2, to: #"{"at":"start"}"#)
        world.advance(.milliseconds(50))
        #expect(world.types(1) == ["commit", "result"])
        #expect(world.types(2) == ["commit"])
        #expect(world.events(1, "result").last?["revision"] as? Int == 1)
    }

    @Test("CM11: edits that come fast are read more slowly, and all of them decided")
    func backPressure() {
        world.holdsAppends = true
        for seq in 1...300 {
            move(1, seq: seq, icon: seq % 4 + 1, to: #"{"at":"end"}"#)
        }
        #expect(world.paused == [1])
        world.holdsAppends = false
        world.releaseAppends()
        world.advance(.milliseconds(50))
        #expect(world.paused.isEmpty)
        let answers = world.events(1, "commit").count + world.events(1, "result").count
        #expect(answers == 300)
    }

    @Test("One frame a tick, the same for all who missed nothing")
    func sharedFrames() {
        for icon in 1...4 { move(1, seq: icon, icon: icon, to: #"{"at":"start"}"#) }
        world.advance(.milliseconds(100))
        #expect(world.frames[2]?.count ?? 0 <= 2)
        #expect(world.events(2, "commit").count == 3)
    }

    @Test("A session that was behind gets every commit and the newest target when it drains")
    func behind() {
        world.stalled = [2]
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(4))"]}"#)
        for seq in 1...20 {
            move(1, seq: seq, icon: seq % 3 + 1, to: #"{"section":"s","at":"end"}"#)
            world.send(
                1, #"{"type":"drag.target","drag":1,"target":{"section":"s","index":\#(seq % 4)}}"#)
            world.advance(.milliseconds(20))
        }
        #expect(world.events(2).isEmpty)
        world.drained(2)
        world.advance(.milliseconds(50))
        let revisions = world.events(2, "commit").compactMap { $0["revision"] as? Int }
        #expect(revisions == Array(1...revisions.count))
        #expect(revisions.count == world.events(1, "commit").count)
        #expect(world.events(2, "drag.target").count == 1)
    }

    @Test("A session that fell off the log is welcomed anew with the whole board")
    func resync() throws {
        var limits = EventLogLimits()
        limits.events = 50
        let world = try Harness.withMiaAndBen(log: limits)
        world.stalled = [2]
        for seq in 1...400 {
            let place = seq % 2 == 0 ? #"{"at":"start"}"# : #"{"at":"end"}"#
            move(1, seq: seq, icon: 1, to: place, in: world)
            if seq % 10 == 0 { world.advance(.milliseconds(20)) }
        }
        world.drained(2)
        world.advance(.milliseconds(50))
        #expect(world.types(2).first == "welcome")
        let welcome = world.events(2, "welcome").first
        #expect(welcome?["recovered"] as? Bool == false)
        #expect(welcome?["revision"] as? Int == 400)
    }
}

@Suite("What a second reader broke")
struct SecondReaderTests {
    let world: Harness
    let board = BoardID("b")!

    init() throws { world = try Harness.withMiaAndBen() }

    private func move(_ socket: UInt64, seq: Int, icon: Int) {
        world.send(
            socket,
            #"{"type":"edit","seq":\#(seq),"edit":{"kind":"icon.move","icons":["\#(id(icon))"],"#
                + #""to":{"section":"s","at":"end"}}}"#)
    }

    @Test("CM18: an unload that the store refuses forgets nobody, so the log goes on from the disk")
    func refusedUnload() throws {
        move(1, seq: 1, icon: 1)
        world.advance(.milliseconds(50))
        world.close(1, isClean: true)
        world.close(2, isClean: true)
        world.failsAppends = true
        world.wallMs += 31 * 24 * 3_600 * 1_000
        world.advance(.seconds(70))
        world.failsAppends = false
        let welcome = world.join(3, board: board, client: mia)
        #expect(welcome?["lastSeq"] as? Int == 1)
    }

    @Test("HS16: a second welcome has the whole board, also for one who resumed")
    func secondWelcome() throws {
        var limits = EventLogLimits()
        limits.events = 20
        let world = Harness(log: limits)
        try world.put(smallBoard())
        world.join(1, board: board, client: mia)
        world.join(2, board: board, client: ben, resume: #"{"epoch":"e1","revision":0}"#)
        #expect(world.events(2, "welcome").last?["recovered"] as? Bool == true)
        world.stalled = [2]
        for drag in 1...60 {
            world.send(1, #"{"type":"drag.begin","drag":\#(drag),"icons":["\#(id(1))"]}"#)
            world.advance(.milliseconds(20))
        }
        world.drained(2)
        world.advance(.milliseconds(50))
        #expect(world.events(2, "welcome").count == 2)
        #expect(world.events(2, "welcome").last?["recovered"] as? Bool == false)
        #expect(world.events(2, "welcome").last?["board"] is Harness.Event)
    }

    @Test("A stop on a full disk ends: the log has everything")
    func stopWithoutSpace() {
        move(1, seq: 1, icon: 1)
        world.advance(.milliseconds(50))
        world.failsAppends = true
        world.turn { hub, time, effects in hub.drain(time: time, into: &effects) }
        world.advance(.seconds(1))
        #expect(world.isDrained)
    }

    @Test("DR9, CM10: a drop answered storage means the same when it is sent again, and only once")
    func dropAgain() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.failsAppends = true
        let drop = #"{"type":"drag.drop","drag":1,"seq":1,"target":{"section":"s","at":"end"}}"#
        world.send(1, drop)
        world.advance(.milliseconds(50))
        #expect(world.events(1, "result").last?["reason"] as? String == "storage")
        world.failsAppends = false
        world.send(1, drop)
        world.send(1, #"{"type":"drag.drop","drag":1,"seq":2,"target":{"section":"s","index":0}}"#)
        world.advance(.milliseconds(50))
        #expect(world.events(2, "commit").map { $0["seq"] as? Int } == [1])
        #expect(world.events(1, "result").last?["reason"] as? String == "no_drag")
    }

    @Test("CM11: who writes fast and reads late is read from more slowly, and keeps every answer")
    func lateReader() {
        world.stalled = [1]
        for seq in 1...2_000 {
            world.send(1, #"{"type":"edit","seq":\#(seq),"edit":{"kind":"undo"}}"#)
        }
        #expect(world.paused == [1])
        #expect(world.closes.isEmpty)
        world.drained(1)
        world.advance(.seconds(2))
        #expect(world.paused.isEmpty)
        #expect(world.events(1, "result").count == 2_000)
    }

    @Test("ER5: whoever makes too many errors is told of its edits before it is closed")
    func answersBeforeClose() {
        world.holdsAppends = true
        move(1, seq: 1, icon: 1)
        for _ in 0..<25 { world.send(1, "{}") }
        world.advance(.seconds(1))
        #expect(world.closes.isEmpty)
        world.releaseAppends()
        world.advance(.milliseconds(50))
        #expect(world.closes[1] == .tooMany)
        #expect(world.events(1, "commit").count == 1)
        #expect(world.events(1, "error").count == 21)
    }

    @Test("ER5, FR2: a binary message closes after the answers that wait for their tick")
    func answersBeforeBinaryClose() {
        move(1, seq: 1, icon: 1)
        // Within the tick of that commit: the next answer has to wait for another.
        world.send(1, #"{"type":"edit","seq":2,"edit":{"kind":"redo"}}"#)
        world.turn { hub, time, effects in
            hub.receivedBinary(SessionID(1), time: time, into: &effects)
        }
        #expect(world.closes[1] == .unsupportedData)
        #expect(world.types(1) == ["commit", "result"])
    }

    @Test("BD8: a copying drag without a section means the one that was seen, proposed and dropped")
    func copyWithoutSection() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        let target = #""target":{"after":"\#(id(2))"},"copy":true"#
        world.send(1, #"{"type":"drag.target","drag":1,\#(target)}"#)
        world.advance(.milliseconds(50))
        let proposed = world.events(2, "drag.target").last
        #expect(proposed?["proposal"] as? String == "copy")
        let index = (proposed?["target"] as? Harness.Event)?["index"] as? Int
        world.send(1, #"{"type":"drag.drop","drag":1,"seq":1,\#(target)}"#)
        world.advance(.milliseconds(50))
        let change = world.events(2, "commit").last?["edit"] as? Harness.Event
        let added = (change?["adds"] as? [Harness.Event])?.first
        #expect(added?["index"] as? Int == index)
        #expect(added?["section"] as? String == "s")
    }

    @Test("CM11: edits that wait behind a PUT are bounded too, and decided when it fails")
    func editsBehindPut() {
        world.holdsAppends = true
        world.request(
            9, board: board,
            .put(
                ifMatch: "\"e1:0\"", title: "New", presentation: Presentation(),
                sections: smallBoard().sections))
        for seq in 1...300 { move(1, seq: seq, icon: seq % 4 + 1) }
        #expect(world.paused == [1])
        world.holdsAppends = false
        world.releaseAppends(fail: true)
        world.advance(.milliseconds(100))
        #expect(world.paused.isEmpty)
        #expect(world.events(1, "commit").count + world.events(1, "result").count == 300)
    }

    @Test("HT4: drags of before a PUT mean nothing after it")
    func lapsedBeforePut() {
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.request(
            9, board: board,
            .put(
                ifMatch: "\"e1:0\"", title: "New", presentation: Presentation(),
                sections: smallBoard().sections))
        world.join(3, board: board, client: mia)
        world.send(3, #"{"type":"drag.drop","drag":1,"seq":1,"target":{"section":"s","at":"end"}}"#)
        world.advance(.milliseconds(50))
        #expect(world.closes[1] == .restarting)
        #expect(world.events(3, "result").last?["reason"] as? String == "no_drag")
    }

    @Test("FR4: a welcome stays under 1 MiB; drags that don't fit follow it")
    func hugeWelcome() throws {
        var palette = smallBoard("palette", icons: 1_500)
        palette.sections[0].lift = .copy
        try world.put(palette)
        let icons = (1...1_500).map { "\"\(id($0))\"" }.joined(separator: ",")
        for socket: UInt64 in 10..<30 {
            let client = UniqueID(high: 4, low: socket)
            world.join(socket, board: palette.id, client: client)
            world.send(socket, #"{"type":"drag.begin","drag":1,"icons":[\#(icons)]}"#)
        }
        world.advance(.milliseconds(50))
        world.join(40, board: palette.id, client: mia)
        world.advance(.seconds(2))
        // A welcome that isn't taken at first is made anew, and tells of nobody twice.
        world.stalled = [41]
        world.join(41, board: palette.id, client: ben)
        world.drained(41)
        world.advance(.seconds(2))
        for socket: UInt64 in [40, 41] {
            #expect(world.texts[socket]?.allSatisfy { $0.count < 1_048_576 } == true)
            #expect(told(by: socket) == 20)
        }
    }

    /// How many drags a socket heard of, each counted as often as it was told.
    private func told(by socket: UInt64) -> Int {
        let listed = world.events(socket, "welcome").last?["drags"] as? [Harness.Event] ?? []
        #expect(!listed.isEmpty && listed.count < 20)
        return listed.count + world.events(socket, "drag.began").count
    }
}
