import Foundation
import Testing
import WebSocketTransport

@Suite("Transport loop", .serialized, .timeLimit(.minutes(1)))
struct LoopTests {
    @Test("it listens on 127.0.0.1 and nowhere else")
    func loopbackOnly() throws {
        let server = try TestServer()
        defer { server.end() }
        let port = String(server.port, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: 4 - port.count) + port
        func listeners(_ file: String) throws -> [Substring] {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            return text.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
                .filter { $0[1].hasSuffix(":\(padded)") && $0[3] == "0A" }.map { $0[1] }
        }
        #expect(try listeners("/proc/net/tcp") == ["0100007F:\(padded)"])
        #expect(try listeners("/proc/net/tcp6").isEmpty)
    }

    @Test("a port that is taken is named in the error, and so is a bad address")
    func errors() throws {
        let server = try TestServer()
        defer { server.end() }
        var configuration = TransportConfiguration.testing
        configuration.port = server.port
        let taken = try #require(throws: TransportError.self) {
            _ = try TestServer(configuration)
        }
        #expect(taken.reason == .cannotListen(errno: EADDRINUSE))
        #expect(taken.description.contains("127.0.0.1 port \(server.port)"))
        configuration.address = "localhost"
        let bad = try #require(throws: TransportError.self) { _ = try TestServer(configuration) }
        #expect(bad.reason == .badAddress)
    }

    @Test("any number of wakes before the loop looks are one, none is lost")
    func wakes() throws {
        let server = try TestServer()
        defer { server.end() }
        server.perform { transport in for _ in 0..<1_000 { transport.waker.wake() } }
        let threads = (0..<4).map { _ in
            let waker = server.waker
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                for _ in 0..<10_000 { waker.wake() }
                done.signal()
            }
            return done
        }
        for done in threads { done.wait() }
        // Posts and wakes race here; each must run.
        for _ in 0..<1_000 { server.perform { _ in } }
        #expect(server.events.filter { $0 == .woken }.count < 42_000)
    }

    @Test("the timer fires at its time to the millisecond, the last setting wins")
    func timer() throws {
        let server = try TestServer()
        defer { server.end() }
        server.perform { transport in
            transport.setTimer(at: transport.now + 60_000_000_000)
            transport.setTimer(at: nil)
            transport.setTimer(at: transport.now + 5_000_000)
        }
        let before = DispatchTime.now().uptimeNanoseconds
        try server.waitForTimer(after: 5_000_000)
        let after = DispatchTime.now().uptimeNanoseconds
        #expect(after - before >= 5_000_000)
        try server.waitForTimer(after: -1_000)
    }

    @Test("at the limit it neither spins nor refuses for ever")
    func full() throws {
        var configuration = TransportConfiguration.testing
        configuration.connectionsMax = 8
        let server = try TestServer(configuration)
        defer { server.end() }
        var peers = try (0..<8).map { _ in try PeerWebSocket(port: server.port) }
        let waiting = try PeerSocket(port: server.port)
        try waiting.send("GET /x HTTP/1.1\r\nHost: t\r\n\r\n")
        func busy() -> Int64 {
            nonisolated(unsafe) var used: Int64 = 0
            server.perform { _ in
                var time = timespec()
                unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                unsafe used = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
            }
            return unsafe used
        }
        let before = busy()
        #expect(throws: PeerSocket.Trouble.self) { try waiting.receiveMore(milliseconds: 600) }
        #expect(busy() - before < 100_000_000)
        peers.removeFirst().socket.close()
        #expect(try waiting.answer().status == 200)
        _ = peers
    }

    @Test("after stopListening nobody new is let in, those inside stay")
    func stopListening() throws {
        let server = try TestServer()
        defer { server.end() }
        let socket = try PeerWebSocket(port: server.port)
        let plain = try PeerSocket(port: server.port)
        _ = try plain.get("/")
        server.perform { $0.stopListening() }
        #expect(throws: PeerSocket.Trouble.self) { _ = try PeerSocket(port: server.port).get("/") }
        try socket.send("in")
        #expect(try socket.frame().text == "in")
        #expect(try plain.get("/").headers["connection"] == "close")
        #expect(plain.ends())
    }

    @Test("SIGTERM and SIGINT ask to stop, SIGHUP and SIGPIPE do nothing")
    func signals() throws {
        var configuration = TransportConfiguration.testing
        configuration.handlesSignals = true
        let server = try TestServer(
            configuration,
            react: { transport, event in
                if event == .stopRequested { transport.setTimer(at: 1) }
            })
        // To the process: the threads of a test runner block most signals.
        kill(getpid(), SIGHUP)
        kill(getpid(), SIGPIPE)
        for signal in [SIGTERM, SIGINT] {
            let before = server.events.filter { $0 == .stopRequested }.count
            kill(getpid(), signal)
            var seen = 0
            let _: Bool = try server.wait { event in
                if event == .stopRequested { seen += 1 }
                return seen > before ? true : nil
            }
        }
        server.end()
    }

    @Test("stopping with connections in every state ends the thread and frees the port")
    func shutDown() throws {
        for _ in 0..<5 {
            let server = try TestServer(react: { _, _ in })
            let open = try PeerWebSocket(port: server.port, receiveBufferBytes: 8_192)
            let id = try server.waitOpened()
            let half = try PeerSocket(port: server.port)
            try half.send("GET / HT")
            let asked = try PeerSocket(port: server.port)
            try asked.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n")
            _ = try server.wait { if case .request = $0 { true } else { nil } }
            server.perform { transport in
                let frame = OutboundFrame([UInt8](repeating: 65, count: 900_000))
                _ = transport.send(frame, to: id)
                transport.close(id, code: 1012, reason: "")
                transport.stop()
            }
            #expect(server.waitForEnd())
            #expect(open.socket.ends())
            #expect(half.ends())
            #expect(asked.ends())
            var configuration = TransportConfiguration.testing
            configuration.port = server.port
            let next = try TestServer(configuration)
            next.end()
            #expect(!server.events.contains { if case .closed = $0 { true } else { false } })
        }
    }
}
