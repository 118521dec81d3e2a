internal import BoardModel
internal import BoardStore
internal import BoardWire
internal import Collaboration

/// A server process from its start to its end: a real hub and a real store's worker, between
/// simulated sockets and a simulated disk.
final class Host {
    let hub: Hub
    let life: Int
    private unowned let world: World
    private let worker: StoreWorker
    private var effects: [Effect] = []
    /// Asked of the store: not begun, and being done.
    private var waiting: [StoreRequest] = []
    private var working: [StoreRequest] = []
    /// Sockets by the number that the hub knows them by.
    private var links: [SessionID: Link] = [:]
    private var timerAt: Int?
    private var drainingSince: Int?
    private(set) var isDrained = false
    /// Answers to requests of HTTP.
    var respond: (Answer, RequestToken) -> Void = { _, _ in }

    init(_ world: World, life: Int) {
        self.world = world
        self.life = life
        worker = StoreWorker(store: JudgedStore(disk: world.disk, judge: world.judge))
        var log = EventLogLimits()
        log.events = world.rates.logEvents
        var dice = Dice(seed: world.dice.next())
        hub = Hub(log: log) { dice.next() }
    }

    private var time: EventTime {
        EventTime(now: Moment(.microseconds(world.now)), wallMs: world.wallMs)
    }

    // MARK: - Turns

    /// Lets the hub have events, closes the turn and carries out what follows.
    func turn(_ events: (Hub, EventTime, inout [Effect]) -> Void) {
        events(hub, time, &effects)
        var rounds = 0
        repeat {
            carryOut()
            hub.endTurn(time: time, into: &effects)
            rounds += 1
            if rounds > 1_000 {
                world.judge.complain("the hub never comes to rest")
                return
            }
        } while !effects.isEmpty && !isDrained
        setTimer()
    }

    private func setTimer() {
        guard let deadline = hub.nextDeadline else { return }
        let at = max(world.now, deadline.microseconds)
        if let timerAt, timerAt <= at { return }
        timerAt = at
        world.add(.timer(life), at: at)
    }

    func timerFired() {
        guard timerAt == world.now else { return }
        timerAt = nil
        turn { hub, time, effects in hub.timerFired(time: time, into: &effects) }
    }

    private func carryOut() {
        let now = effects
        effects = []
        // As the real one does: a socket that refused gets nothing more of these effects.
        var refused: Set<SessionID> = []
        for effect in now {
            guard case .send(let frame, let id) = effect else {
                carryOut(effect)
                continue
            }
            guard !refused.contains(id), let link = links[id] else { continue }
            if !world.take(frame.text, on: link) {
                refused.insert(id)
                hub.refused(id)
            }
        }
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .send, .count: return
        case .close(let id, let code, _):
            guard let link = links.removeValue(forKey: id) else { return }
            world.close(link, code)
            hub.closed(id, isClean: true, time: time)
        case .respond(let answer, let token): respond(answer, token)
        case .pauseReading(let id): links[id]?.isPaused = true
        case .resumeReading(let id):
            guard let link = links[id] else { return }
            link.isPaused = false
            world.add(.up(link), at: world.now)
        case .load(let board): submit(.load(board))
        case .append(let batches, let token): submit(.append(batches, token: token))
        case .create(let state, let token): submit(.create(state, token: token))
        case .delete(let board, let token): submit(.delete(board, token: token))
        case .listHeads(let token): submit(.heads(token: token))
        case .listPoints(let board, let token): submit(.points(board, token: token))
        case .readPoint(let point, let board, let token):
            submit(.point(point, board, token: token))
        case .deletePoint(let point, let board, let token):
            submit(.deletePoint(point, board, token: token))
        case .drained: isDrained = true
        }
    }

    // MARK: - Sockets

    /// Hears what has arrived; all of it in one turn.
    func hear(_ link: Link) {
        turn { hub, time, effects in
            while let first = link.up.first, first.arrival <= world.now, !link.isPaused {
                link.up.removeFirst()
                switch first.piece {
                case .open:
                    link.isOpenAtServer = true
                    links[link.id] = link
                    hub.opened(
                        link.id, board: link.person.board, offersProtocol: true, time: time,
                        into: &effects)
                case .text(let text):
                    if link.greetedAt == nil { link.greetedAt = world.now }
                    world.trace.note(world.now, .text, Int(link.id.number), text)
                    hub.received(link.id, text: text.span, time: time, into: &effects)
                case .goodbye: gone(link, isClean: true, hub, time)
                }
                // Whether to read on is for the hub to say first.
                carryOutOrders(&effects)
            }
        }
    }

    private func carryOutOrders(_ effects: inout [Effect]) {
        for case .pauseReading(let id) in effects { links[id]?.isPaused = true }
    }

    func lost(_ link: Link) {
        turn { hub, time, _ in gone(link, isClean: false, hub, time) }
    }

    private func gone(_ link: Link, isClean: Bool, _ hub: Hub, _ time: EventTime) {
        guard links.removeValue(forKey: link.id) != nil else { return }
        link.isOpenAtServer = false
        world.trace.note(world.now, .lost, Int(link.id.number), isClean ? 1 : 0)
        hub.closed(link.id, isClean: isClean, time: time)
    }

    func drained(_ link: Link) {
        guard links[link.id] != nil else { return }
        turn { hub, time, effects in hub.drained(link.id, time: time, into: &effects) }
    }

    /// The transport's patience with one who doesn't read is over.
    func giveUp(_ link: Link) {
        guard links.removeValue(forKey: link.id) != nil else { return }
        world.close(link, .noProgress)
        turn { hub, time, _ in hub.closed(link.id, isClean: true, time: time) }
    }

    // MARK: - The disk

    private func submit(_ request: StoreRequest) {
        waiting.append(request)
        work()
    }

    private func work() {
        guard working.isEmpty, !waiting.isEmpty else { return }
        (working, waiting) = (waiting, [])
        world.add(.stored(life), at: world.now + world.diskTime())
    }

    func stored() {
        let requests = working
        working = []
        var replies: [StoreReply] = []
        if world.isDiskFull { world.disk.fail(with: .full("no space")) }
        worker.carryOut(requests) { replies.append($0) }
        world.disk.forgetFailures()
        world.trace.note(world.now, .stored, requests.count)
        for reply in replies { take(reply) }
        work()
    }

    private func take(_ reply: StoreReply) {
        turn { hub, time, effects in
            switch reply {
            case .loaded(let board, let result):
                hub.loaded(
                    board, result.mapError { _ in Hub.LoadFailure() }, time: time, into: &effects)
            case .appended(let token, let error):
                if error != nil { world.totals.refusedBatches += 1 }
                hub.appended(token: token, isStored: error == nil, time: time, into: &effects)
            case .created(_, let token, let error):
                hub.created(token: token, error == nil ? .created : .failed, into: &effects)
            case .deleted(_, let token, let result):
                let isDone = if case .success = result { true } else { false }
                hub.deleted(token: token, isDone: isDone, time: time, into: &effects)
            case .heads(let token, let result):
                hub.listed(token: token, try? result.get().heads, into: &effects)
            case .points(let token, let result):
                hub.pointsListed(token: token, try? result.get(), time: time, into: &effects)
            case .point(let token, let result):
                let found = result.mapError { _ in Hub.LoadFailure() }
                hub.pointRead(token: token, found, time: time, into: &effects)
            case .pointDeleted(let token, let result):
                hub.pointDeleted(token: token, try? result.get(), into: &effects)
            }
        }
    }

    /// The process dies: of what the disk was doing, a part at the front is done, the rest never.
    func die(doing part: Int) {
        worker.carryOut(Array(working.prefix(part))) { _ in }
    }

    var requestsInWork: Int { working.count }

    // MARK: - Stopping

    func stop() {
        drainingSince = world.now
        turn { hub, time, effects in hub.drain(time: time, into: &effects) }
    }

    var isStopping: Bool { drainingSince != nil }

    /// How long it has been trying to stop.
    var stopping: Int { drainingSince.map { world.now - $0 } ?? 0 }
}

extension Moment {
    /// Rounded up, so that a timer is never early.
    fileprivate var microseconds: Int {
        let (seconds, attoseconds) = elapsed.components
        return Int(seconds) * 1_000_000 + Int((attoseconds + 999_999_999_999) / 1_000_000_000_000)
    }
}
