import BoardModel
import BoardWire
import Collaboration
import Foundation
import Testing

/// A hub without sockets or disk: time moves when the test says so, and the store answers when the
/// test lets it.
final class Harness {
    typealias Event = [String: Any]

    let hub: Hub
    private(set) var now = Moment(.seconds(1_000))
    private var effects: [Effect] = []
    /// What the store holds.
    private(set) var stored: [BoardID: BoardState] = [:]
    /// Appends that the store has not answered yet.
    private(set) var heldAppends: [(token: Int, batches: [BoardBatch])] = []
    private(set) var heldLoads: [BoardID] = []
    private(set) var appendedBatches = 0
    var holdsAppends = false
    var holdsLoads = false
    var failsAppends = false
    var parsesFrames = true
    var damagedBoards: Set<BoardID> = []

    /// Everything sent to each socket: a frame is a list of events.
    private(set) var frames: [UInt64: [[Event]]] = [:]
    /// The same as text, for those who read it themselves.
    private(set) var texts: [UInt64: [[UInt8]]] = [:]
    private(set) var closes: [UInt64: CloseCode] = [:]
    private(set) var answers: [UInt64: Answer] = [:]
    private(set) var paused: Set<UInt64> = []
    private(set) var isDrained = false
    /// Sockets that take nothing.
    var stalled: Set<UInt64> = []
    private var entries: [BoardID: Int] = [:]
    private(set) var points: [BoardID: [StoredPoint]] = [:]

    init(timing: Timing = Timing(), log: EventLogLimits = EventLogLimits()) {
        var source = SeededGenerator(seed: 1)
        hub = Hub(timing: timing, log: log) { source.next() }
    }

    // MARK: - Boards

    @discardableResult
    func put(_ board: Board) throws -> BoardState {
        let state = try BoardState(board: board)
        stored[board.id] = state
        return state
    }

    /// A small board `b` with Mia on socket 1 and Ben on socket 2, who have heard of each other.
    static func withMiaAndBen(log: EventLogLimits = EventLogLimits()) throws -> Harness {
        let world = Harness(log: log)
        let board = smallBoard()
        try world.put(board)
        world.join(1, board: board.id, client: mia, name: "Mia")
        world.join(2, board: board.id, client: ben, name: "Ben")
        world.advance(.milliseconds(50))
        world.forget()
        return world
    }

    // MARK: - Events

    func turn(_ event: (Hub, EventTime, inout [Effect]) -> Void) {
        event(hub, time, &effects)
        settle()
    }

    func open(_ socket: UInt64, board: BoardID, offersProtocol: Bool = true) {
        turn { hub, time, effects in
            hub.opened(
                SessionID(socket), board: board, offersProtocol: offersProtocol, time: time,
                into: &effects)
        }
    }

    func send(_ socket: UInt64, _ text: String) {
        turn { hub, time, effects in
            hub.received(
                SessionID(socket), text: Array(text.utf8).span, time: time, into: &effects)
        }
    }

    func close(_ socket: UInt64, isClean: Bool) {
        turn { hub, time, _ in
            hub.closed(SessionID(socket), isClean: isClean, time: time)
        }
    }

    func drained(_ socket: UInt64) {
        stalled.remove(socket)
        turn { hub, time, effects in
            hub.drained(SessionID(socket), time: time, into: &effects)
        }
    }

    func request(_ token: UInt64, board: BoardID, _ request: BoardRequest) {
        turn { hub, time, effects in
            hub.request(
                RequestToken(token), board: board, request, time: time, into: &effects)
        }
    }

    /// Opens a socket and says hello; answers the welcome.
    @discardableResult
    func join(
        _ socket: UInt64, board: BoardID, client: ClientID, name: String = "Mia",
        resume: String? = nil
    ) -> Event? {
        open(socket, board: board)
        let extra = resume.map { ",\"resume\":\($0)" } ?? ""
        send(
            socket,
            "{\"type\":\"hello\",\"client\":\"\(client)\",\"name\":\"\(name)\"\(extra)}")
        return events(socket, "welcome").last
    }

    /// Lets time pass, waking the hub whenever it asked for it.
    func advance(_ duration: Duration) {
        let end = now + duration
        while let deadline = hub.nextDeadline, deadline <= end {
            now = max(now, deadline)
            turn { hub, time, effects in hub.timerFired(time: time, into: &effects) }
        }
        now = end
        turn { hub, time, effects in hub.timerFired(time: time, into: &effects) }
    }

    // MARK: - The store's answers

    func releaseAppends(fail: Bool = false) {
        let held = heldAppends
        heldAppends = []
        for append in held { finish(append, fails: fail) }
        settle()
    }

    func releaseLoads() {
        let held = heldLoads
        heldLoads = []
        for board in held { load(board) }
        settle()
    }

    private func finish(_ append: (token: Int, batches: [BoardBatch]), fails: Bool) {
        appendedBatches += 1
        if !fails { for batch in append.batches { keep(batch) } }
        hub.appended(token: append.token, isStored: !fails, time: time, into: &effects)
    }

    private func keep(_ batch: BoardBatch) {
        points[batch.id, default: []] += batch.points
        if let snapshot = batch.snapshot { stored[batch.id] = snapshot }
        for record in batch.records {
            entries[batch.id, default: 0] += 1
            #expect(record.entry == entries[batch.id])
            guard batch.snapshot == nil else { continue }
            #expect(stored[batch.id]?.decide(record.submission) == record.outcome)
        }
    }

    private func load(_ board: BoardID) {
        let result: Result<StoredBoard?, Hub.LoadFailure>
        if damagedBoards.contains(board) {
            result = .failure(Hub.LoadFailure())
        } else {
            result = .success(
                stored[board].map {
                    StoredBoard(state: $0, entry: entries[board, default: 0], commits: [])
                })
        }
        hub.loaded(board, result, time: time, into: &effects)
    }

    // MARK: - Effects

    var wallMs = 1_700_000_000_000
    var time: EventTime { EventTime(now: now, wallMs: wallMs) }

    private func settle() {
        var turns = 0
        repeat {
            carryOut()
            hub.endTurn(time: time, into: &effects)
            carryOut()
            turns += 1
            precondition(turns < 1_000, "the hub never comes to rest")
        } while !effects.isEmpty
    }

    private func carryOut() {
        let now = effects
        effects = []
        for effect in now { carryOut(effect) }
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .send(let frame, let id):
            guard !stalled.contains(id.number) else {
                hub.refused(id)
                return
            }
            texts[id.number, default: []].append(frame.text)
            if parsesFrames { frames[id.number, default: []].append(Self.parse(frame.text)) }
        case .close(let id, let code, _):
            closes[id.number] = code
            hub.closed(id, isClean: true, time: time)
            effects.append(.count(.drag))  // Something happened: another turn is due.
        case .respond(let answer, let token): answers[token.number] = answer
        case .pauseReading(let id): paused.insert(id.number)
        case .resumeReading(let id): paused.remove(id.number)
        case .load(let board):
            if holdsLoads { heldLoads.append(board) } else { load(board) }
        case .append(let batches, let token):
            if holdsAppends {
                heldAppends.append((token, batches))
            } else {
                finish((token, batches), fails: failsAppends)
            }
        case .create(let state, let token):
            let exists = stored[state.id] != nil
            if !exists { stored[state.id] = state }
            hub.created(token: token, exists ? .exists : .created, into: &effects)
        case .delete(let board, let token):
            stored[board] = nil
            hub.deleted(token: token, isDone: true, time: time, into: &effects)
        case .listHeads(let token):
            hub.listed(
                token: token, stored.values.map { BoardHead($0) }.sorted { $0.id < $1.id },
                into: &effects)
        case .listPoints(let board, let token):
            hub.pointsListed(
                token: token, points[board, default: []].map(\.point).reversed(), time: time,
                into: &effects)
        case .readPoint(let point, let board, let token):
            let found = points[board, default: []].first { $0.point.id == point }
            hub.pointRead(token: token, .success(found), time: time, into: &effects)
        case .deletePoint(let point, let board, let token):
            let existed = points[board, default: []].contains { $0.point.id == point }
            points[board, default: []].removeAll { $0.point.id == point }
            hub.pointDeleted(token: token, existed, into: &effects)
        case .count: return
        case .drained: isDrained = true
        }
    }

    static func parse(_ text: [UInt8]) -> [Event] {
        (try? JSONSerialization.jsonObject(with: Data(text))) as? [Event] ?? []
    }

    // MARK: - What was heard

    /// Every event a socket got, in order.
    func events(_ socket: UInt64) -> [Event] { frames[socket, default: []].flatMap(\.self) }

    func events(_ socket: UInt64, _ type: String) -> [Event] {
        events(socket).filter { $0["type"] as? String == type }
    }

    /// The types of the events since `forget`, in order.
    func types(_ socket: UInt64) -> [String] {
        events(socket).compactMap { $0["type"] as? String }
    }

    func forget() { frames = [:] }

    /// The frames a socket got since the last time, as text.
    func takeTexts(_ socket: UInt64) -> [[UInt8]] {
        defer { texts[socket] = nil }
        return texts[socket] ?? []
    }
}

/// A small seeded generator, the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

// MARK: - Small boards

func id(_ number: Int) -> UniqueID { UniqueID(high: 0xA, low: UInt64(number)) }

let mia = UniqueID(high: 1, low: 1)
let ben = UniqueID(high: 2, low: 2)
let ida = UniqueID(high: 3, low: 3)
let cleo = UniqueID(high: 3, low: 3)

/// Section `s` with icons 1...count, section `t` empty.
func smallBoard(_ name: String = "b", icons count: Int = 4) -> Board {
    let icons = (1...count).map { Icon(id: id($0), red: 0.5, green: 0.5, blue: 0.5) }
    return Board(
        id: BoardID(name)!, title: "B", epoch: "e1",
        sections: [
            Section(id: SectionID("s")!, title: "S", icons: icons),
            Section(id: SectionID("t")!, title: "T"),
        ])
}
