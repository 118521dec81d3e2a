import BoardModel
import BoardWire
import Collaboration
import Foundation
import Testing

/// Whole rooms with clients that know no rule, while sockets stall and vanish and the store fails.
@Suite("Random rooms")
struct RandomRoomTests {
    @Test(
        "HC1 to HC5: after calm all clients show the stored board, whatever went on (O-09 to O-30)")
    func everyoneAgrees() throws {
        let seeds = Int(ProcessInfo.processInfo.environment["ROOM_SEEDS"] ?? "") ?? 150
        var total = Tally()
        let first = Int(ProcessInfo.processInfo.environment["ROOM_FIRST_SEED"] ?? "") ?? 1
        for seed in first..<first + seeds {
            do {
                var run = try RandomRoom(seed: UInt64(seed))
                try run.damage(steps: 250)
                try run.calm()
                total.add(run)
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
        }
        // A run in which nothing happens would pass as well.
        #expect(total.commits > 8 * seeds)
        #expect(total.ended > 2 * seeds)
        #expect(total.targets > 2 * seeds)
        #expect(total.cuts > seeds && total.failures > seeds / 4 && total.stalls > seeds)
    }

    private struct Tally {
        var commits = 0
        var ended = 0
        var targets = 0
        var cuts = 0
        var failures = 0
        var stalls = 0

        mutating func add(_ run: RandomRoom) {
            commits += run.people.map(\.watcher.commits).max() ?? 0
            ended += run.people.map(\.watcher.ended).max() ?? 0
            targets += run.people.map(\.watcher.targets).max() ?? 0
            cuts += run.cuts
            failures += run.failures
            stalls += run.stalls
        }
    }
}

private struct RandomRoom {
    struct Person {
        var watcher: Watcher
        var socket: UInt64
        var isHere = true
        var isStalled = false
        var seq = 0
        var drag = 0
        /// Numbers sent on this connection that must be answered, in order.
        var owed: [Int] = []
        var sent: Set<Int> = []
        var sentBefore: Set<Int> = []
    }

    let world: Harness
    let board = BoardID("b")!
    var random: SeededGenerator
    var people: [Person] = []
    var cuts = 0
    var failures = 0
    var stalls = 0
    private var nextSocket: UInt64 = 100

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        var limits = EventLogLimits()
        limits.events = 60
        world = Harness(log: limits)
        world.parsesFrames = false
        var start = smallBoard(icons: 9)
        start.sections[0].icons[2].pinnedAt = 2
        start.sections[1].capacity = 4
        try world.put(start)
        for number in 1...4 {
            people.append(
                Person(watcher: Watcher(client: UniqueID(high: 7, low: UInt64(number))), socket: 0))
            try enter(number - 1)
        }
    }

    mutating func damage(steps: Int) throws {
        for _ in 0..<steps {
            let who = Int.random(in: 0..<people.count, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45: act(who)
            case 45..<60: world.advance(.milliseconds(Int.random(in: 1...30, using: &random)))
            case 60..<63: leave(who)
            case 63..<69: if !people[who].isHere { try enter(who) }
            case 69..<73: try stall(who)
            case 73..<77: try unstall(who)
            case 77..<83: world.holdsAppends.toggle()
            case 83..<90: release()
            case 90..<92: world.advance(.seconds(Int.random(in: 1...40, using: &random)))
            default: try listen()
            }
        }
    }

    /// Everything works again; then all must be as it should.
    mutating func calm() throws {
        world.holdsAppends = false
        world.releaseAppends()
        for who in people.indices {
            try unstall(who)
            if !people[who].isHere { try enter(who) }
        }
        world.advance(.seconds(60))
        try listen()
        let stored = world.stored[board]?.board
        for person in people {
            guard person.watcher.board?.sections == stored?.sections,
                person.watcher.board?.revision == stored?.revision
            else {
                throw Watcher.Complaint(description: "HC1: \(person.socket) shows another board")
            }
            guard person.watcher.drags.values.allSatisfy(\.isEmpty) else {
                throw Watcher.Complaint(description: "HC5: a drag never ended")
            }
            try checkAnswers(of: person)
        }
    }

    /// Every number sent on this connection was answered once, in order.
    ///
    /// Two things blur that, and are the client's own doing: these clients forget their queue, so
    /// they may use a number again that is pending from an earlier connection and hear both;
    /// and whoever was welcomed anew on its connection (HS16) was told of what is in that board.
    private func checkAnswers(of person: Person) throws {
        let answered = person.watcher.answered.filter { person.sent.contains($0) }
        let owed = person.owed.filter {
            !person.watcher.isRewelcomed || $0 > person.watcher.lastSeq || answered.contains($0)
        }
        let fresh = answered.filter { !person.sentBefore.contains($0) }
        guard Set(answered) == Set(owed),
            fresh == owed.filter({ !person.sentBefore.contains($0) })
        else {
            throw Watcher.Complaint(description: "HC4: owed \(owed), answered \(answered)")
        }
    }

    // MARK: - Coming and going

    private mutating func enter(_ who: Int) throws {
        nextSocket += 1
        people[who].socket = nextSocket
        people[who].isHere = true
        people[who].owed = []
        people[who].watcher.connected()
        people[who].sentBefore.formUnion(people[who].sent)
        people[who].sent = []
        let known = people[who].watcher.board.map {
            "{\"epoch\":\"\($0.epoch)\",\"revision\":\($0.revision)}"
        }
        world.join(
            nextSocket, board: board, client: people[who].watcher.client,
            resume: Bool.random(using: &random) ? known : nil)
        try listen()
        people[who].seq = people[who].watcher.lastSeq
        people[who].drag =
            people[who].watcher.drags[people[who].watcher.peer]?.max() ?? 0
    }

    private mutating func leave(_ who: Int) {
        guard people[who].isHere else { return }
        people[who].isHere = false
        people[who].isStalled = false
        world.stalled.remove(people[who].socket)
        cuts += 1
        world.close(people[who].socket, isClean: Bool.random(using: &random))
        _ = world.takeTexts(people[who].socket)
    }

    private mutating func stall(_ who: Int) throws {
        guard people[who].isHere, !people[who].isStalled else { return }
        try listen()
        people[who].isStalled = true
        stalls += 1
        world.stalled.insert(people[who].socket)
    }

    private mutating func unstall(_ who: Int) throws {
        guard people[who].isStalled else { return }
        people[who].isStalled = false
        world.drained(people[who].socket)
        world.advance(.milliseconds(200))
        try listen()
    }

    private mutating func release() {
        let fails = Int.random(in: 0..<6, using: &random) == 0
        if fails, !world.heldAppends.isEmpty {
            failures += 1
            // Whoever edits on after a failure would only collect gaps: they come back first.
            world.releaseAppends(fail: true)
            for who in people.indices { leave(who) }
        } else {
            world.releaseAppends()
        }
    }

    private mutating func listen() throws {
        for who in people.indices where people[who].isHere {
            for text in world.takeTexts(people[who].socket) {
                try people[who].watcher.hear(text)
            }
            if world.closes[people[who].socket] != nil {
                throw Watcher.Complaint(description: "closed for no reason")
            }
        }
    }

    // MARK: - Acting

    private mutating func act(_ who: Int) {
        guard people[who].isHere else { return }
        let icons = people[who].watcher.board?.sections.flatMap(\.icons).map(\.id) ?? []
        guard let icon = icons.randomElement(using: &random) else { return }
        let base = people[who].watcher.board?.revision ?? 0
        let place = target(icons)
        let drag = people[who].drag
        switch Int.random(in: 0..<12, using: &random) {
        case 0...1:
            people[who].drag += 1
            say(who, #""type":"drag.begin","drag":\#(people[who].drag),"icons":["\#(icon)"]"#)
        case 2...5:
            say(
                who,
                #""type":"drag.target","drag":\#(drag),"base":\#(base),"target":\#(place)"#
            )
        case 6:
            number(
                who,
                #""type":"drag.drop","drag":\#(drag),"base":\#(base),"target":\#(place)"#
            )
        case 7: say(who, #""type":"drag.cancel","drag":\#(drag)"#)
        default: number(who, #""type":"edit","base":\#(base),"edit":\#(edit(icon, place))"#)
        }
    }

    private mutating func edit(_ icon: IconID, _ place: String) -> String {
        let fresh = UniqueID.random(using: &random)
        let coin = Bool.random(using: &random)
        return switch Int.random(in: 0..<12, using: &random) {
        case 0...4: #"{"kind":"icon.move","icons":["\#(icon)"],"to":\#(place)}"#
        case 5: #"{"kind":"icon.remove","icons":["\#(icon)"]}"#
        case 6...7:
            #"{"kind":"icon.add","icon":{"id":"\#(fresh)","red":1,"green":0,"blue":0},"to":{"section":"s","at":"end"}}"#
        case 8:
            #"{"kind":"icon.copy","icons":["\#(icon)"],"newIDs":["\#(fresh)"],"to":{"section":"s","at":"start"}}"#
        case 9:
            #"{"kind":"icon.update","icon":"\#(icon)","set":{"locked":\#(coin)}}"#
        case 10:
            #"{"kind":"icon.update","icon":"\#(icon)","set":{"pinnedAt":\#(coin ? "1" : "null")}}"#
        default: coin ? #"{"kind":"undo"}"# : #"{"kind":"redo"}"#
        }
    }

    private mutating func target(_ icons: [IconID]) -> String {
        let section = Bool.random(using: &random) ? "s" : "t"
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: #"{"section":"\#(section)","at":"end"}"#
        case 1: #"{"section":"\#(section)","index":\#(Int.random(in: 0...9, using: &random))}"#
        default:
            #"{"section":"s","after":"\#(icons.randomElement(using: &random)!)","index":0}"#
        }
    }

    private func say(_ who: Int, _ members: String) {
        world.send(people[who].socket, "{\(members)}")
    }

    private mutating func number(_ who: Int, _ members: String) {
        people[who].seq += 1
        people[who].owed.append(people[who].seq)
        people[who].sent.insert(people[who].seq)
        say(who, members + ",\"seq\":\(people[who].seq)")
    }
}
