package import BoardModel
package import BoardWire

/// All boards in memory and all sockets: events in, effects out.
///
/// Confined to the loop thread; reads no clock, does no I/O and draws no random number but from the
/// generator it was given, so that a simulation can run it as it is. The caller carries out the
/// effects of every call in order before it makes another, calls `endTurn` after every event or
/// burst of them, and wakes the hub at `nextDeadline`. So a session has at most one frame on its
/// way, and one that isn't taken can be taken back (`refused`).
package final class Hub {
    enum Slot {
        /// Being read; these wait for it.
        case loading([Waiter])
        case loaded(Room)
    }

    enum Waiter {
        case session(Session)
        case request(RequestToken, BoardRequest)
    }

    package let timing: Timing
    let pace: Pace
    package let limits: WireLimits
    let logLimits: EventLogLimits
    package internal(set) var isDraining = false

    var slots: [BoardID: Slot] = [:]
    var sessions: [SessionID: Session] = [:]
    var generator: AnyGenerator
    /// Rooms in which something happened that is not stored or told yet.
    var touched: [Room] = []
    /// The rooms whose decisions are being written, and the token of that batch.
    var batch: (token: Int, rooms: [Room])?
    var storeRequests: [Int: StoreWork] = [:]
    private var lastToken = 0
    private var nextSweep: Moment?

    /// What an answer of the store is for.
    enum StoreWork {
        case create(BoardState, RequestToken)
        case list(RequestToken)
        case replace(Room)
        case delete(BoardID)
        case unload(Room)
        case points(RequestToken)
        case makePoint(Room, name: String, RequestToken)
        case keepPoint(RestorePoint, RequestToken)
        case restore(Room, Restoring, RequestToken)
        case deletePoint(RequestToken)
    }

    /// `entropy` answers with 64 random bits; identifiers that the server makes come from it.
    package init(
        timing: Timing = Timing(), limits: WireLimits = WireLimits(),
        log: EventLogLimits = EventLogLimits(), entropy: @escaping () -> UInt64
    ) {
        self.timing = timing
        pace = Pace(tick: timing.tick)
        self.limits = limits
        logLimits = log
        generator = AnyGenerator(entropy: entropy)
    }

    // MARK: - Turns

    /// Closes the event: what was decided goes to the store, what is due is told.
    package func endTurn(time: EventTime, into effects: inout [Effect]) {
        closeBatch(time: time, into: &effects)
        var waiting: [Room] = []
        for room in touched {
            if let due = room.flushDue {
                guard due <= time.now else {
                    waiting.append(room)
                    continue
                }
                room.flush(time: time, into: &effects)
            }
            if batch != nil, !room.gathering.isEmpty {
                waiting.append(room)
            } else {
                room.isTouched = false
            }
        }
        touched = waiting
        noteDrained(time: time, into: &effects)
    }

    /// When `timerFired` is wanted; `nil` while nothing waits for time to pass.
    package var nextDeadline: Moment? {
        var deadline = sessions.isEmpty && slots.isEmpty ? nil : nextSweep
        for room in touched {
            guard let due = room.flushDue else { continue }
            deadline = deadline.map { min($0, due) } ?? due
        }
        return deadline
    }

    package func timerFired(time: EventTime, into effects: inout [Effect]) {
        guard let sweep = nextSweep, sweep <= time.now else { return }
        nextSweep = time.now + timing.sweep
        for session in sortedSessions() {
            guard case .awaitingHello(let until) = session.stage, until <= time.now else {
                continue
            }
            close(session, .badHello, reason: "no hello in time", into: &effects)
        }
        for case .loaded(let room) in sortedSlots() {
            room.sweep(time: time, into: &effects)
            touch(room)
            unloadIfIdle(room, time: time, into: &effects)
        }
    }

    func touch(_ room: Room) {
        guard !room.isTouched else { return }
        room.isTouched = true
        touched.append(room)
    }

    func noteActivity(time: EventTime) {
        if nextSweep == nil { nextSweep = time.now + timing.sweep }
    }

    func takeToken() -> Int {
        lastToken += 1
        return lastToken
    }

    /// In an order that doesn't depend on hashing.
    func sortedSlots() -> [Slot] { slots.keys.sorted().compactMap { slots[$0] } }

    func sortedSessions() -> [Session] {
        sessions.values.sorted { $0.id.number < $1.id.number }
    }

    private func closeBatch(time: EventTime, into effects: inout [Effect]) {
        guard batch == nil else { return }
        var batches: [BoardBatch] = []
        var rooms: [Room] = []
        for room in touched {
            guard let part = room.closeBatch(time: time, into: &effects) else { continue }
            batches.append(part)
            rooms.append(room)
        }
        guard !batches.isEmpty else { return }
        let token = takeToken()
        batch = (token, rooms)
        effects.append(.append(batches, token: token))
    }

    /// How often peers are told from now on; the caller knows how busy the process is.
    package var tick: Duration {
        get { pace.tick }
        set { pace.tick = newValue }
    }

    // MARK: - Gauges

    package var sessionCount: Int { sessions.count }

    package var loadedCount: Int {
        slots.values.count { slot in
            if case .loaded = slot { true } else { false }
        }
    }

    /// How many are on a board now.
    package func peerCount(on board: BoardID) -> Int {
        guard case .loaded(let room) = slots[board] else { return 0 }
        return room.participants.count
    }
}

@available(*, unavailable)
extension Hub: Sendable {}

/// Random numbers from wherever the owner says.
struct AnyGenerator: RandomNumberGenerator {
    let entropy: () -> UInt64
    mutating func next() -> UInt64 { entropy() }
}
