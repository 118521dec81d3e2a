import Synchronization
import Testing
import WebSocketTransport

@Suite("Transport sending", .serialized, .timeLimit(.minutes(1)))
struct SendingTests {
    @Test("a peer that does not read is behind, and is told when it has drained")
    func behind() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port, receiveBufferBytes: 8_192)
        let id = try server.waitOpened()
        let sent = Mutex(0)
        let text = [UInt8](repeating: UInt8(ascii: "f"), count: 50_000)
        server.perform { transport in
            let frame = OutboundFrame(text)
            for _ in 0..<1_000 {
                guard transport.send(frame, to: id) == .sent else { break }
                sent.withLock { $0 += 1 }
            }
            if transport.send(frame, to: id) != .behind { Issue.record("still not behind") }
        }
        let count = sent.withLock { $0 }
        // What the kernel holds is limited, so far less than the 50 MB was taken.
        #expect(count > 0 && count < 100, "\(count) frames were taken")
        #expect(!server.events.contains(.drained(id)))
        for _ in 0..<count { #expect(try peer.frame().payload == text) }
        _ = try server.wait { $0 == .drained(id) ? true : nil }
        server.perform { transport in
            if transport.send(OutboundFrame([65]), to: id) != .sent { Issue.record("not sent") }
        }
        #expect(try peer.frame().text == "A")
        #expect(server.events.filter { $0 == .drained(id) }.count == 1)
    }

    @Test("one frame serves peers that are behind and peers that are not")
    func shared() throws {
        let server = try TestServer()
        defer { server.end() }
        let peers = try (0..<4).map { _ in
            try PeerWebSocket(port: server.port, receiveBufferBytes: 8_192)
        }
        let text = (0..<900_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        for peer in peers { try peer.send("hi") }
        for peer in peers { _ = try peer.frame() }
        server.perform { transport in
            let frame = OutboundFrame(text)
            for slot in 0..<4 {
                _ = transport.send(frame, to: ConnectionID(slot: UInt32(slot), generation: 1))
            }
        }
        for peer in peers { #expect(try peer.frame().payload == text) }
    }

    @Test("a reader without progress is closed 4508 and gone, one that reads slowly is not")
    func stalled() throws {
        var configuration = TransportConfiguration.testing
        configuration.stallTimeout = .milliseconds(600)
        configuration.closeTimeout = .milliseconds(300)
        let server = try TestServer(configuration)
        defer { server.end() }
        let deaf = try PeerWebSocket(port: server.port, path: "/deaf", receiveBufferBytes: 8_192)
        let slow = try PeerWebSocket(port: server.port, path: "/slow", receiveBufferBytes: 8_192)
        func id(_ path: String) throws -> ConnectionID {
            try server.wait {
                if case .opened(let id, let head) = $0, head.path == path { id } else { nil }
            }
        }
        let (deafID, slowID) = (try id("/deaf"), try id("/slow"))
        let text = [UInt8](repeating: UInt8(ascii: "f"), count: 1_000_000)
        server.perform { transport in
            let frame = OutboundFrame(text)
            _ = transport.send(frame, to: deafID)
            _ = transport.send(frame, to: slowID)
        }
        // Reads a little at each beat of the server's own timer, for longer than the time to stall.
        var beats = 0
        while !server.events.contains(.closed(deafID, .server)), beats < 200 {
            try slow.socket.receiveMore(atMost: 10_000)
            beats += 1
            try server.waitForTimer(after: 20_000_000)
        }
        #expect(try server.waitClosed(deafID) == .server)
        #expect(try slow.frame().payload == text)
        try slow.send("alive")
        #expect(try slow.frame().text == "alive")
        #expect(deaf.socket.ends())
    }

    @Test("a reader that wakes up in time reads what was sent, then 4508")
    func resumed() throws {
        var configuration = TransportConfiguration.testing
        configuration.stallTimeout = .milliseconds(600)
        configuration.closeTimeout = .seconds(20)
        let server = try TestServer(configuration)
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port, receiveBufferBytes: 8_192)
        let id = try server.waitOpened()
        let text = [UInt8](repeating: UInt8(ascii: "f"), count: 1_000_000)
        let outcome = Mutex(SendOutcome.sent)
        while outcome.withLock({ $0 }) != .gone {
            server.perform { transport in
                let result = transport.send(OutboundFrame(text), to: id)
                outcome.withLock { $0 = result }
            }
            try server.waitForTimer(after: 50_000_000)
        }
        #expect(try peer.frame().payload == text)
        #expect(try peer.frame().closeCode == 4508)
        try peer.sendClose(4508)
        #expect(peer.socket.ends())
        #expect(try server.waitClosed(id) == .server)
    }

    @Test("reading can be paused: nothing comes meanwhile, everything after")
    func paused() throws {
        let server = try TestServer(react: { _, _ in })
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        let id = try server.waitOpened()
        server.perform { $0.pauseReading(id) }
        for index in 0..<2_000 { try peer.send("message \(index)") }
        server.perform { _ in }
        let early = server.events.filter { if case .text = $0 { true } else { false } }.count
        #expect(early == 0)
        server.perform { $0.resumeReading(id) }
        _ = try server.wait { $0 == .text(id, Array("message 1999".utf8)) ? true : nil }
        let texts = server.events.compactMap { event -> String? in
            if case .text(_, let bytes) = event {
                String(decoding: bytes, as: UTF8.self)
            } else {
                nil
            }
        }
        #expect(texts == (0..<2_000).map { "message \($0)" })
    }

    @Test("a pause in the middle of what was read keeps the order")
    func pausedInside() throws {
        let server = try TestServer(react: { transport, event in
            guard case .text(let id, let bytes) = event, bytes.last == UInt8(ascii: "0") else {
                return
            }
            transport.pauseReading(id)
        })
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        let id = try server.waitOpened()
        try peer.socket.send(
            (0..<30).flatMap { PeerWebSocket.encode(.text, Array("message \($0)".utf8)) })
        for round in [0, 10, 20] {
            _ = try server.wait { $0 == .text(id, Array("message \(round)".utf8)) ? true : nil }
            server.perform { $0.resumeReading(id) }
        }
        _ = try server.wait { $0 == .text(id, Array("message 29".utf8)) ? true : nil }
        let texts = server.events.filter { if case .text = $0 { true } else { false } }
        #expect(texts.count == 30)
    }
}
