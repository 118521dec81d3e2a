import BoardModel
import BoardWire
import Collaboration
import Testing

@Suite("Presence, joining and coming back")
struct PresenceTests {
    let world = Harness()
    let board = BoardID("b")!

    init() throws {
        try world.put(smallBoard())
    }

    @Test("HS9, PR1: a welcome lists everyone with the newcomer; the others hear of it")
    func joining() {
        world.join(1, board: board, client: mia, name: "Mia")
        world.advance(.milliseconds(50))
        world.forget()
        let welcome = world.join(2, board: board, client: ben, name: "Ben")
        world.advance(.milliseconds(50))
        let names = (welcome?["peers"] as? [Harness.Event])?.compactMap { $0["name"] as? String }
        #expect(names == ["Mia", "Ben"])
        #expect(world.types(1) == ["peer.joined"])
        #expect(world.types(2) == ["welcome"])
    }

    @Test("PR7: all hear who is editing, once, and newcomers too; a new connection forgets it")
    func editing() {
        world.join(1, board: board, client: mia, name: "Mia")
        world.join(2, board: board, client: ben, name: "Ben")
        world.advance(.milliseconds(50))
        world.forget()
        for _ in 0..<2 { world.send(1, #"{"type":"presence","editing":true}"#) }
        world.advance(.milliseconds(50))
        for socket: UInt64 in 1...2 { #expect(world.types(socket) == ["peer.changed"]) }
        func editors(_ welcome: Harness.Event?) -> [String] {
            let peers = welcome?["peers"] as? [Harness.Event] ?? []
            return peers.compactMap { $0["editing"] as? Bool == true ? $0["name"] as? String : nil }
        }
        #expect(editors(world.join(3, board: board, client: ida, name: "Ida")) == ["Mia"])
        world.send(1, #"{"type":"presence","editing":"yes"}"#)
        world.advance(.milliseconds(50))
        #expect(world.types(1).last == "error")
        #expect(editors(world.join(4, board: board, client: mia, name: "Mia")) == [])
    }

    @Test("HS1: whatever comes before the hello closes 4400, and so does silence")
    func badHello() {
        world.open(1, board: board)
        world.send(1, #"{"type":"drag.cancel","drag":1}"#)
        world.open(2, board: board)
        world.send(2, #"{"type":"hello","client":"x","name":"Mia"}"#)
        world.open(3, board: board, offersProtocol: false)
        world.open(4, board: board)
        world.advance(.seconds(11))
        for socket: UInt64 in 1...4 { #expect(world.closes[socket] == .badHello) }
    }

    @Test("HS15: a board that does not exist closes 4404, one that cannot be read 4503")
    func missingBoard() {
        world.join(1, board: BoardID("none")!, client: mia)
        world.damagedBoards = [board]
        world.join(2, board: board, client: mia)
        world.advance(.milliseconds(50))
        #expect(world.closes[1] == .noSuchBoard)
        #expect(world.closes[2] == .storage)
    }

    @Test("PR3, PR4: a lost client that is back in time keeps its drag under a new number (O-24)")
    func grace() {
        world.join(1, board: board, client: mia)
        world.join(2, board: board, client: ben)
        world.send(1, #"{"type":"drag.begin","drag":4,"icons":["\#(id(1))"]}"#)
        world.advance(.milliseconds(50))
        world.forget()
        world.close(1, isClean: false)
        world.advance(.seconds(4))
        #expect(world.types(2).isEmpty)
        let welcome = world.join(3, board: board, client: mia)
        world.advance(.seconds(10))
        #expect(world.types(2) == ["peer.joined"])
        let joined = world.events(2, "peer.joined").last
        #expect(joined?["replaces"] as? Int == 1)
        let drag = (welcome?["drags"] as? [Harness.Event])?.first
        #expect(drag?["drag"] as? Int == 4)
        #expect(drag?["peer"] as? Int == welcome?["peer"] as? Int)
        world.send(3, #"{"type":"drag.drop","drag":4,"seq":1,"target":{"section":"s","at":"end"}}"#)
        world.advance(.milliseconds(50))
        #expect(world.events(2, "drag.ended").last?["outcome"] as? String == "dropped")
    }

    @Test("PR3: after the grace the drag ends and the peer leaves, once")
    func graceOver() {
        world.join(1, board: board, client: mia)
        world.join(2, board: board, client: ben)
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.advance(.milliseconds(50))
        world.forget()
        world.close(1, isClean: false)
        world.advance(.seconds(20))
        #expect(world.types(2) == ["drag.ended", "peer.left"])
        #expect(world.events(2, "drag.ended").last?["outcome"] as? String == "disconnected")
    }

    @Test("PR2: a clean close ends drag and presence at once")
    func cleanClose() {
        world.join(1, board: board, client: mia)
        world.join(2, board: board, client: ben)
        world.send(1, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.advance(.milliseconds(50))
        world.forget()
        world.close(1, isClean: true)
        world.advance(.milliseconds(50))
        #expect(world.types(2) == ["drag.ended", "peer.left"])
    }

    @Test(
        "HS13, PR5: a second connection takes over; the late end of the first harms nobody (O-24)")
    func takeOver() {
        world.join(1, board: board, client: mia)
        world.join(2, board: board, client: ben)
        world.advance(.milliseconds(50))
        world.forget()
        world.join(3, board: board, client: mia)
        world.advance(.seconds(20))
        #expect(world.closes[1] == .replaced)
        #expect(world.types(2) == ["peer.joined"])
        world.send(3, #"{"type":"drag.begin","drag":1,"icons":["\#(id(1))"]}"#)
        world.advance(.milliseconds(50))
        #expect(world.events(2, "drag.began").count == 1)
    }

    @Test("HS5, HS6: a resume gets every commit it lacks, or the whole board; never half (O-28)")
    func resume() {
        world.join(1, board: board, client: mia)
        for seq in 1...3 {
            world.send(
                1,
                #"{"type":"edit","seq":\#(seq),"edit":{"kind":"icon.move","icons":["\#(id(seq))"],"to":{"at":"end"}}}"#
            )
        }
        world.advance(.milliseconds(50))
        func resumed(_ socket: UInt64, _ resume: String) -> Harness.Event? {
            world.join(socket, board: board, client: ben, resume: resume)
        }
        let complete = resumed(10, #"{"epoch":"e1","revision":1}"#)
        #expect(complete?["recovered"] as? Bool == true)
        #expect((complete?["commits"] as? [Harness.Event])?.count == 2)
        #expect(complete?["board"] == nil)
        let level = resumed(11, #"{"epoch":"e1","revision":3}"#)
        #expect((level?["commits"] as? [Harness.Event])?.isEmpty == true)
        for (socket, resume): (UInt64, String) in [
            (12, #"{"epoch":"e2","revision":3}"#), (13, #"{"epoch":"e1","revision":4}"#),
            (14, #"{"epoch":"e1","revision":1000}"#),
        ] {
            let welcome = resumed(socket, resume)
            #expect(welcome?["recovered"] as? Bool == false)
            #expect(welcome?["board"] is Harness.Event)
            #expect(welcome?["commits"] == nil)
        }
    }

    @Test("FR8: a peer that heard nothing for 20 s gets an empty frame")
    func keepAlive() {
        world.join(1, board: board, client: mia)
        world.advance(.milliseconds(50))
        world.forget()
        world.advance(.seconds(19))
        #expect(world.frames[1] == nil)
        world.advance(.seconds(2))
        #expect(world.frames[1]?.count == 1)
        #expect(world.frames[1]?.first?.isEmpty == true)
    }

    @Test("O-30: whoever joins while the board is read gets all of it, and it is read once")
    func joinWhileLoading() {
        world.holdsLoads = true
        for socket: UInt64 in 1...4 {
            world.join(socket, board: board, client: UniqueID(high: 9, low: socket))
        }
        world.send(
            2,
            #"{"type":"edit","seq":1,"edit":{"kind":"icon.move","icons":["\#(id(1))"],"to":{"at":"end"}}}"#
        )
        world.close(1, isClean: false)
        #expect(world.heldLoads == [board])
        world.releaseLoads()
        world.advance(.milliseconds(50))
        for socket: UInt64 in 2...4 {
            let sections =
                (world.events(socket, "welcome").first?["board"] as? Harness.Event)?[
                    "sections"] as? [Harness.Event]
            #expect((sections?.first?["icons"] as? [Harness.Event])?.count == 4)
            #expect(world.events(socket, "commit").count == 1)
        }
        #expect(world.events(1).isEmpty)
    }

    @Test("A board without peers is forgotten after its snapshot is stored, and read again")
    func unloading() {
        world.join(1, board: board, client: mia)
        world.send(
            1,
            #"{"type":"edit","seq":1,"edit":{"kind":"icon.move","icons":["\#(id(1))"],"to":{"at":"end"}}}"#
        )
        world.advance(.milliseconds(50))
        world.close(1, isClean: true)
        world.advance(.seconds(120))
        #expect(world.hub.loadedCount == 0)
        #expect(world.hub.nextDeadline == nil)
        let welcome = world.join(2, board: board, client: mia)
        #expect(welcome?["revision"] as? Int == 1)
        #expect(welcome?["lastSeq"] as? Int == 1)
    }

    @Test("A stop tells everyone to come back, after all that was decided is stored")
    func draining() {
        world.join(1, board: board, client: mia)
        world.holdsAppends = true
        world.send(
            1,
            #"{"type":"edit","seq":1,"edit":{"kind":"icon.move","icons":["\#(id(1))"],"to":{"at":"end"}}}"#
        )
        world.turn { hub, time, effects in hub.drain(time: time, into: &effects) }
        #expect(world.closes.isEmpty)
        world.holdsAppends = false
        world.releaseAppends()
        world.advance(.seconds(1))
        #expect(world.events(1, "commit").count == 1)
        #expect(world.closes[1] == .restarting)
        #expect(world.isDrained)
        world.open(2, board: board)
        #expect(world.closes[2] == .restarting)
    }

    @Test("CM3: a stop hears nobody any more, so that it ends while people go on editing")
    func drainingUnderLoad() {
        world.join(1, board: board, client: mia)
        world.holdsAppends = true
        for seq in 1...9 {
            world.send(
                1,
                #"{"type":"edit","seq":\#(seq),"edit":{"kind":"icon.move","icons":["\#(id(seq % 2 + 1))"],"to":{"at":"end"}}}"#
            )
            if seq == 2 {
                world.turn { hub, time, effects in hub.drain(time: time, into: &effects) }
            }
            if seq > 2, seq < 6 { world.releaseAppends() }
        }
        world.releaseAppends()
        #expect(world.closes[1] == .restarting)
        #expect(world.events(1, "commit").map { $0["seq"] as? Int } == [1, 2])
        world.turn { hub, time, effects in
            hub.request(RequestToken(7), board: board, .get, time: time, into: &effects)
        }
        guard case .problem(503, _, _, _) = world.answers[7] else {
            Issue.record("answered \(String(describing: world.answers[7]))")
            return
        }
    }
}
