internal import CLoopShims
internal import Glibc

/// HTTP requests and WebSockets on one listening address, on one thread.
///
/// Everything here is to be called on the thread that calls `run()`, the thread of all delegate
/// calls; only `waker` may be used from elsewhere. A transport starts to listen when it is made,
/// and must be ended by `shutDown()`: C holds pointers to it until then.
@safe
package final class WebSocketTransport {
    /// Held weakly: the owner of both keeps it.
    package weak var delegate: (any TransportDelegate)?
    /// Rouses the loop from any thread.
    package let waker: Waker
    /// The port it listens on, the kernel's choice when the configuration said 0.
    package let port: Int
    /// CLOCK_MONOTONIC in nanoseconds, read when the present callback began.
    package internal(set) var now: Int64

    let configuration: TransportConfiguration
    var poller: Poller
    var timer: DeadlineTimer
    /// -1 once listening has stopped.
    var listener: Int32
    var isAccepting = true
    let connectionsMax: Int
    var http = SlotTable<HTTPConnection>()
    var webSockets = SlotTable<WebSocketConnection>()
    /// Those WebSockets that have a deadline or output waiting.
    var watched: Set<ConnectionID> = []
    /// Requests that wait for their answer.
    var pending: [RequestID: HTTPConnection] = [:]
    var nextRequestGeneration: UInt32 = 0
    var userDeadline: Int64?
    var sweepAt: Int64?
    private var isStopping = false
    var isDown = false
    private var handles: LoopHandles?
    private(set) var lws: LwsContext?

    /// Starts to listen.
    ///
    /// - Throws: what keeps it from listening, with address and port, or that libwebsockets lacks
    ///   its libuv event library.
    package init(_ configuration: TransportConfiguration) throws(TransportError) {
        self.configuration = configuration
        now = Clock.now()
        poller = try Poller()
        timer = try DeadlineTimer()
        let event = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard event >= 0 else { throw TransportError(.system, "eventfd failed: \(errno)") }
        waker = Waker(descriptor: event)
        let spare = Sockets.fileLimit() - 64
        let limit = configuration.connectionsMax > 0 ? configuration.connectionsMax : Int.max
        connectionsMax = max(8, min(limit, spare))
        listener = try Sockets.listen(
            address: configuration.address, port: configuration.port)
        port = Sockets.port(of: listener)
        try start()
    }

    private func start() throws(TransportError) {
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = signal(SIGPIPE, SIG_IGN)
        if configuration.handlesSignals { _ = signal(SIGHUP, SIG_IGN) }
        do {
            let handles = unsafe try LoopHandles(
                owner: owner, descriptor: poller.descriptor,
                signalNumbers: configuration.handlesSignals ? [SIGTERM, SIGINT] : [])
            self.handles = handles
            lws = unsafe try LwsContext(owner: owner, loop: handles, configuration)
        } catch {
            Sockets.close(listener)
            handles?.close()
            throw error
        }
        poller.add(listener, .reading, token: Source.listener)
        poller.add(timer.descriptor, .reading, token: Source.timer)
        poller.add(waker.descriptor, .reading, token: Source.waker)
    }

    /// Serves until `stop()`; call it once.
    package func run() {
        while !isStopping {
            handles?.turn()
            now = Clock.now()
            delegate?.turnEnded()
        }
    }

    /// Makes `run()` return after the present turn.
    package func stop() {
        isStopping = true
    }

    /// Takes no further connection; those there are stay, and HTTP ones end after their answer.
    package func stopListening() {
        guard listener >= 0 else { return }
        poller.remove(listener)
        Sockets.close(listener)
        listener = -1
    }

    /// Sets the one timer, in nanoseconds of `now`; nil unsets it.
    package func setTimer(at deadline: Int64?) {
        userDeadline = deadline
        armTimer()
    }

    /// Closes everything at once, without close frames and without a further word to the delegate.
    ///
    /// The context of libwebsockets is left behind, with three or four descriptors, until the
    /// process ends: destroying one with a foreign loop closes its event descriptor twice (4.1.6),
    /// and by the second time the number may be a file that another thread has just opened.
    package func shutDown() {
        guard !isDown else { return }
        isDown = true
        isStopping = true
        delegate = nil
        stopListening()
        for connection in http.elements { Sockets.close(connection.descriptor) }
        http = SlotTable()
        pending = [:]
        for connection in webSockets.elements { hangUp(connection) }
        handles?.leave()
        lws = nil
        handles = nil
        webSockets = SlotTable()
    }
}

/// Confined to the loop's thread.
@available(*, unavailable)
extension WebSocketTransport: Sendable {}

/// The tokens of what is no connection; a connection's has a generation above zero in its upper
/// half.
enum Source {
    static let listener: UInt64 = 0
    static let timer: UInt64 = 1
    static let waker: UInt64 = 2
}
