import Foundation
import Synchronization
import WebSocketTransport

/// A transport on a thread of its own, with a delegate that notes everything and does what a test
/// tells it to.
final class TestServer: @unchecked Sendable {
    enum Event: Equatable, Sendable {
        case opened(ConnectionID, RequestHead)
        case text(ConnectionID, [UInt8])
        case binary(ConnectionID)
        case closed(ConnectionID, Departure)
        case drained(ConnectionID)
        case request(RequestID, RequestHead, [UInt8])
        case requestGone(RequestID)
        case woken, timerFired, stopRequested
    }

    typealias Reaction = @Sendable (WebSocketTransport, Event) -> Void

    let port: Int
    let waker: Waker
    private let recorder: Recorder
    private let ended = DispatchSemaphore(value: 0)

    /// Echoes text and answers requests with their path, unless told otherwise.
    init(
        _ configuration: TransportConfiguration = .testing,
        decide: @escaping @Sendable (RequestHead) -> UpgradeDecision = { _ in .accept },
        react: @escaping Reaction = TestServer.echo
    ) throws {
        let recorder = Recorder(decide: decide, react: react)
        self.recorder = recorder
        let started = DispatchSemaphore(value: 0)
        let result = Mutex<Result<(Int, Waker), TransportError>?>(nil)
        let ended = ended
        let box = ResultBox(result)
        Thread.detachNewThread {
            defer { ended.signal() }
            do throws(TransportError) {
                let transport = try WebSocketTransport(configuration)
                recorder.transport = transport
                transport.delegate = recorder
                box.set(.success((transport.port, transport.waker)))
                started.signal()
                transport.run()
                recorder.transport = nil
                transport.shutDown()
            } catch {
                box.set(.failure(error))
                started.signal()
            }
        }
        started.wait()
        (port, waker) = try box.get()
    }

    /// Ends the loop and waits until everything is closed.
    func end() {
        perform { $0.stop() }
        _ = ended.wait(timeout: .now() + 20)
    }

    /// Waits until the loop's thread has ended by itself.
    func waitForEnd() -> Bool { ended.wait(timeout: .now() + 20) == .success }

    /// Runs on the loop's thread and waits for it.
    func perform(_ work: @escaping @Sendable (WebSocketTransport) -> Void) {
        let done = DispatchSemaphore(value: 0)
        recorder.post {
            work($0)
            done.signal()
        }
        waker.wake()
        done.wait()
    }

    var events: [Event] { recorder.events }

    /// Waits for an event that `matches` takes, from the first on.
    func wait<T>(_ matches: (Event) -> T?) throws -> T {
        try recorder.wait(matches)
    }

    func waitOpened() throws -> ConnectionID {
        try wait { if case .opened(let id, _) = $0 { id } else { nil } }
    }

    func waitClosed(_ id: ConnectionID) throws -> Departure {
        try wait { if case .closed(id, let departure) = $0 { departure } else { nil } }
    }

    /// Sets the timer and waits until it has fired.
    func waitForTimer(after nanoseconds: Int64) throws {
        let before = events.filter { $0 == .timerFired }.count
        perform { $0.setTimer(at: $0.now + nanoseconds) }
        var seen = 0
        let _: Bool = try wait { event in
            if event == .timerFired { seen += 1 }
            return seen > before ? true : nil
        }
    }

    static let echo: Reaction = { transport, event in
        switch event {
        case .text(let id, let bytes): _ = transport.send(OutboundFrame(bytes), to: id)
        case .binary(let id): transport.close(id, code: 1003, reason: "text only")
        case .request(let id, let head, let body):
            let text = "\(head.method) \(head.path)?\(head.query) \(body.count)"
            transport.respond(
                id, HTTPResponse(status: 200, headers: [("X-A", "b")], body: Array(text.utf8)))
        default: break
        }
    }
}

private final class ResultBox: Sendable {
    private let result: Mutex<Result<(Int, Waker), TransportError>?>

    init(_ result: consuming Mutex<Result<(Int, Waker), TransportError>?>) {
        self.result = result
    }

    func set(_ value: Result<(Int, Waker), TransportError>) { result.withLock { $0 = value } }

    func get() throws -> (Int, Waker) {
        guard let value = result.withLock({ $0 }) else { throw CancellationError() }
        return try value.get()
    }
}

extension TransportConfiguration {
    static var testing: TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.handlesSignals = false
        configuration.fragmentsMax = 32
        return configuration
    }
}
