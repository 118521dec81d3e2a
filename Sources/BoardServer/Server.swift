internal import BoardModel
internal import BoardStore
internal import BoardWire
internal import Collaboration
internal import Foundation
internal import Synchronization
internal import WebSocketTransport

/// The whole server: sockets to events, effects to sockets and disk.
///
/// Everything but the store's thread runs on the thread that calls `run()`.
package final class Server {
    let configuration: ServerConfiguration
    let log: LogWriter
    let boardLimits: BoardLimits
    let hub: Hub
    let transport: WebSocketTransport
    let store: StoreThread
    let assets = WebAssets()
    let origins: OriginPolicy
    var metrics = Metrics()
    var load: LoadMeter
    /// A stop was asked for, and everyone is being sent away; it doesn't last beyond this moment.
    private var stopBy: Moment?
    private var isStopForced = false
    /// Set when the store can no longer be trusted: the process ends with exit code 74.
    package private(set) var storeFailure: String?
    /// The last change was stored, and not refused for want of space.
    var isStoreWritable = true
    var patience = StorePatience()
    var isReady: Bool { stopBy == nil && storeFailure == nil }
    /// Damage that the log tells of already.
    var reported: Set<String> = []
    let started = Date()
    private var effects: [Effect] = []

    /// Listens and opens the store. Throws `StartError` with what an operator can mend.
    package init(_ configuration: ServerConfiguration) throws(StartError) {
        self.configuration = configuration
        log = LogWriter(level: configuration.logLevel)
        origins = OriginPolicy(allowed: configuration.listenOrigins)
        load = LoadMeter(
            ticks: configuration.timingTickMsMin...configuration.timingTickMsMax)
        let limits = Self.boardLimits(of: configuration)
        boardLimits = limits
        var wire = WireLimits(board: limits)
        wire.messageBytes = configuration.limitsMessageBytes
        var system = SystemRandomNumberGenerator()
        hub = Hub(timing: Self.timing(configuration), limits: wire) { system.next() }
        // The store first: a port that answers means a server that can serve.
        let storeLimits = limits
        let directory = configuration.storageDirectory
        let waker = LateWaker()
        store = StoreThread(
            open: { () throws(StoreError) in
                try SQLiteBoardStore(directory: directory, limits: storeLimits)
            },
            wake: { waker.wake() })
        do throws(StoreError) {
            try store.start()
        } catch {
            throw StartError(kind: .storage, message: Self.describe(error))
        }
        do throws(TransportError) {
            transport = try WebSocketTransport(Self.transport(configuration))
        } catch {
            store.stop()
            throw StartError(kind: .unavailable, message: error.description)
        }
        waker.connect(transport.waker)
        transport.delegate = self
    }

    package var port: Int { transport.port }

    /// Serves until a signal, or until the store fails; then everything is closed.
    package func run() {
        log.write(
            .info, "server.started",
            [("address", configuration.listenAddress), ("port", String(port))])
        // Nobody waits for this list: what is damaged is to be in the log before it is asked for.
        ask(.heads(token: 0))
        transport.run()
        // A disk that hangs must not hold up an end that somebody waits for. Nothing is lost by
        // that: what the disk has not said is known to nobody.
        let left = stopBy.map { $0 + Self.stopMargin - time.now } ?? Self.stopMargin
        guard store.stop(patience: max(left, .zero)) else {
            log.write(.warning, "store.abandoned")
            return
        }
        transport.shutDown()
        log.write(.info, "server.stopped")
    }

    /// Whether `ensureBoard` would take these words: an identifier, and the name of a template.
    package static func canMakeBoard(_ name: String, template: String) -> Bool {
        BoardID(name) != nil && CreateRequest.Template(rawValue: template) != nil
    }

    /// Creates a board of a template unless there is one of that name; before `run()`.
    package func ensureBoard(_ name: String, template: String) {
        guard let id = BoardID(name), let template = CreateRequest.Template(rawValue: template),
            let state = try? makeState(id: id, title: nil, template: template)
        else { return }
        // An answer "exists" is as good; the token is one the hub never gave.
        ask(.create(state, token: 0))
    }

    /// A new board of a template; throws what is wrong with it, such as its title.
    func makeState(
        id: BoardID, title: String?, template: CreateRequest.Template
    ) throws(BoardProblem) -> BoardState {
        var generator = SystemRandomNumberGenerator()
        let board = Templates.board(
            template, id: id, title: title, epoch: UniqueID.random(using: &generator).description,
            using: &generator)
        return try BoardState(board: board, limits: boardLimits)
    }

    // MARK: - Turns

    var time: EventTime {
        EventTime(
            now: Moment(.nanoseconds(transport.now)),
            wallMs: Int(Date().timeIntervalSince1970 * 1_000))
    }

    /// Lets the hub have an event, and carries out what follows from it.
    func turn(_ event: (Hub, EventTime, inout [Effect]) -> Void) {
        load.turnBegan()
        event(hub, time, &effects)
        carryOut()
    }

    private func carryOut() {
        // Most messages are targets, which have no effect before the tick.
        guard !effects.isEmpty else { return }
        // Effects that carrying out causes (a socket found gone) are events of their own turn.
        let now = effects
        effects = []
        // Sockets whose frame was not taken: they get nothing more of these effects.
        var refused: Set<SessionID> = []
        var sent = 0
        var shared: (frame: Frame, outbound: OutboundFrame)?
        for effect in now {
            guard case .send(let frame, let id) = effect else {
                carryOut(effect)
                continue
            }
            guard !refused.contains(id) else { continue }
            let outbound = shared?.frame === frame ? shared?.outbound : nil
            let ready = outbound ?? OutboundFrame(frame.text)
            shared = (frame, ready)
            switch transport.send(ready, to: ConnectionID(id)) {
            case .sent: sent += 1
            case .behind:
                refused.insert(id)
                hub.refused(id)
            case .gone: continue
            }
        }
        if sent > 0 { metrics.count("homeboard_frames_sent_total", by: sent) }
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .send: return
        case .close(let id, let code, let reason):
            transport.close(ConnectionID(id), code: code.rawValue, reason: reason)
        case .respond(let answer, let token):
            transport.respond(RequestID(token), Self.response(to: answer))
        case .pauseReading(let id): transport.pauseReading(ConnectionID(id))
        case .resumeReading(let id): transport.resumeReading(ConnectionID(id))
        case .load(let board): ask(.load(board))
        case .append(let batches, let token): ask(.append(batches, token: token))
        case .create(let state, let token): ask(.create(state, token: token))
        case .delete(let board, let token): ask(.delete(board, token: token))
        case .listHeads(let token): ask(.heads(token: token))
        case .listPoints(let board, let token): ask(.points(board, token: token))
        case .readPoint(let point, let board, let token): ask(.point(point, board, token: token))
        case .deletePoint(let point, let board, let token):
            ask(.deletePoint(point, board, token: token))
        case .count(let event): metrics.count(event)
        case .drained: transport.stop()
        }
    }

    // MARK: - Ending

    /// How long an orderly stop waits for slow peers and a slow disk.
    private static let stopLimit: Duration = .seconds(8)
    /// How long the store may then take to put its files in order.
    private static let stopMargin: Duration = .seconds(1)

    func beginStopping() {
        guard stopBy == nil else { return forceStop() }
        stopBy = time.now + Self.stopLimit
        log.write(.info, "server.stopping")
        transport.stopListening()
        turn { hub, time, effects in hub.drain(time: time, into: &effects) }
    }

    private func forceStop() {
        guard !isStopForced else { return }
        isStopForced = true
        log.write(.warning, "server.stop_forced")
        stopBy = time.now
        transport.stop()
    }

    /// What is due by the clock, beside what the hub knows of.
    func checkClock() {
        if patience.hasRunOut(now: time.now) { log.write(.warning, "store.slow") }
        if let stopBy, stopBy <= time.now { forceStop() }
        let deadlines = [hub.nextDeadline, patience.deadline, stopBy].compactMap(\.self)
        transport.setTimer(at: deadlines.min()?.nanoseconds)
    }

    /// After a failed write nothing may be acknowledged any more: what the disk holds is known only
    /// by reading it again, which is what the next start does.
    func fail(_ reason: String) {
        guard storeFailure == nil else { return }
        storeFailure = reason
        log.write(.error, "store.failed", [("reason", reason)])
        transport.stop()
    }

    static func boardLimits(of configuration: ServerConfiguration) -> BoardLimits {
        var limits = BoardLimits()
        limits.icons = configuration.limitsBoardIcons
        limits.labelCharacters = configuration.limitsLabelCharacters
        limits.labelBytes = configuration.limitsLabelBytes
        return limits
    }

    private static func timing(_ configuration: ServerConfiguration) -> Timing {
        var timing = Timing()
        timing.tick = .milliseconds(configuration.timingTickMsMin)
        timing.lease = .seconds(configuration.timingDragLeaseS)
        timing.grace = .seconds(configuration.timingPeerGraceS)
        timing.unload = .seconds(configuration.timingBoardUnloadS)
        return timing
    }

    private static func transport(_ configuration: ServerConfiguration) -> TransportConfiguration {
        var transport = TransportConfiguration()
        transport.address = configuration.listenAddress
        transport.port = configuration.listenPort
        transport.messageBytesMax = configuration.limitsMessageBytes
        return transport
    }
}

@available(*, unavailable)
extension Server: Sendable {}

/// Wakes the loop once there is one: the store is opened before it.
private final class LateWaker: Sendable {
    private let waker = Mutex<Waker?>(nil)

    func connect(_ waker: Waker) {
        self.waker.withLock { $0 = waker }
        waker.wake()
    }

    func wake() { waker.withLock { $0 }?.wake() }
}

/// Why the server could not start.
package struct StartError: Error {
    package enum Kind {
        /// The port or address can't be had.
        case unavailable
        /// The data directory can't be used.
        case storage
    }
    package var kind: Kind
    package var message: String
}

extension ConnectionID {
    init(_ id: SessionID) {
        self.init(
            slot: UInt32(truncatingIfNeeded: id.number >> 32),
            generation: UInt32(truncatingIfNeeded: id.number))
    }
}

extension SessionID {
    init(_ id: ConnectionID) { self.init(UInt64(id.slot) << 32 | UInt64(id.generation)) }
}

extension RequestID {
    init(_ token: RequestToken) {
        self.init(
            slot: UInt32(truncatingIfNeeded: token.number >> 32),
            generation: UInt32(truncatingIfNeeded: token.number))
    }
}

extension RequestToken {
    init(_ id: RequestID) { self.init(UInt64(id.slot) << 32 | UInt64(id.generation)) }
}
