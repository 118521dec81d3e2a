import Testing
import WebSocketTransport

@Suite("Transport closing", .serialized, .timeLimit(.minutes(1)))
struct ClosingTests {
    @Test("code and reason reach the peer behind everything sent before")
    func order() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        let id = try server.waitOpened()
        server.perform { transport in
            for index in 0..<10 {
                _ = transport.send(OutboundFrame(Array("\(index)".utf8)), to: id)
            }
            transport.close(id, code: 4409, reason: "replaced")
            if transport.send(OutboundFrame([]), to: id) != .gone {
                Issue.record("sent after close")
            }
            transport.close(id, code: 1000, reason: "again")
        }
        for index in 0..<10 { #expect(try peer.frame().text == "\(index)") }
        let frame = try peer.frame()
        #expect(frame.closeCode == 4409)
        #expect(frame.payload.dropFirst(2).elementsEqual("replaced".utf8))
        try peer.sendClose(4409)
        #expect(peer.socket.ends())
        #expect(try server.waitClosed(id) == .server)
    }

    @Test("a large frame on its way is finished before the close frame")
    func largeFrame() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port, receiveBufferBytes: 8_192)
        let id = try server.waitOpened()
        let text = [UInt8](repeating: UInt8(ascii: "s"), count: 1_000_000)
        server.perform { transport in
            if transport.send(OutboundFrame(text), to: id) != .sent { Issue.record("not sent") }
            transport.close(id, code: 4410, reason: "")
        }
        #expect(try peer.frame().payload == text)
        #expect(try peer.frame().closeCode == 4410)
    }

    @Test("a reason is cut to 123 bytes at a character")
    func longReason() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        let id = try server.waitOpened()
        server.perform {
            $0.close(id, code: 4500, reason: "ab" + String(repeating: "€", count: 100))
        }
        let frame = try peer.frame()
        #expect(frame.payload.count == 2 + 122)
        #expect(
            frame.payload.dropFirst(2).elementsEqual(
                ("ab" + String(repeating: "€", count: 40)).utf8))
    }

    @Test("a peer that does not answer a close frame is dropped after the deadline")
    func deaf() throws {
        var configuration = TransportConfiguration.testing
        configuration.closeTimeout = .milliseconds(300)
        let server = try TestServer(configuration)
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        let id = try server.waitOpened()
        server.perform { $0.close(id, code: 1012, reason: "") }
        #expect(try server.waitClosed(id) == .server)
        #expect(try peer.frame().closeCode == 1012)
        #expect(peer.socket.ends())
    }

    @Test("close from within received, and from within connectionOpened")
    func reentrant() throws {
        let server = try TestServer(react: { transport, event in
            switch event {
            case .opened(let id, let head):
                if head.query == "now" { transport.close(id, code: 4400, reason: "") }
            case .text(let id, _): transport.close(id, code: 4403, reason: "")
            default: break
            }
        })
        defer { server.end() }
        let first = try PeerWebSocket(port: server.port, path: "/?now")
        #expect(try first.frame().closeCode == 4400)
        let second = try PeerWebSocket(port: server.port)
        try second.socket.send(
            (0..<100).flatMap { PeerWebSocket.encode(.text, Array("\($0)".utf8)) })
        #expect(try second.frame().closeCode == 4403)
        try second.sendClose()
        #expect(second.socket.ends())
        let texts = server.events.filter { if case .text = $0 { true } else { false } }
        #expect(texts.count == 1)
    }

    @Test("FIN and RST without a close frame are lost, a close frame is clean")
    func departures() throws {
        let server = try TestServer()
        defer { server.end() }
        for (index, expected) in [Departure.lost, .lost, .clean].enumerated() {
            let peer = try PeerWebSocket(port: server.port, path: "/\(index)")
            let id: ConnectionID = try server.wait {
                if case .opened(let id, let head) = $0, head.path == "/\(index)" { id } else { nil }
            }
            switch index {
            case 0: peer.socket.close()
            case 1: peer.socket.reset()
            default:
                try peer.sendClose(1001)
                peer.socket.close()
            }
            #expect(try server.waitClosed(id) == expected)
            let count = server.events.filter { if case .closed(id, _) = $0 { true } else { false } }
            #expect(count.count == 1)
        }
    }

    @Test("a stale identifier hits nothing, not even the connection that took its place")
    func stale() throws {
        let server = try TestServer()
        defer { server.end() }
        let first = try PeerWebSocket(port: server.port)
        let old = try server.waitOpened()
        try first.sendClose()
        _ = try server.waitClosed(old)
        let second = try PeerWebSocket(port: server.port)
        let new: ConnectionID = try server.wait {
            if case .opened(let id, _) = $0, id != old { id } else { nil }
        }
        #expect(new.slot == old.slot)
        server.perform { transport in
            if transport.send(OutboundFrame([65]), to: old) != .gone { Issue.record("sent") }
            transport.close(old, code: 4500, reason: "")
            _ = transport.send(OutboundFrame([66]), to: new)
        }
        #expect(try second.frame().text == "B")
    }

    @Test("an idle peer that answers pings stays, one that does not is lost")
    func idle() throws {
        var configuration = TransportConfiguration.testing
        configuration.pingAfter = .seconds(1)
        configuration.hangUpAfter = .seconds(2)
        let server = try TestServer(configuration)
        defer { server.end() }
        let silent = try PeerWebSocket(port: server.port, path: "/silent")
        let lively = try PeerWebSocket(port: server.port, path: "/lively")
        let id: ConnectionID = try server.wait {
            if case .opened(let id, let head) = $0, head.path == "/silent" { id } else { nil }
        }
        for _ in 0..<3 {
            let ping = try lively.frame()
            #expect(ping.opcode == 9)
            try lively.send(.pong, ping.payload)
        }
        #expect(try server.waitClosed(id) == .lost)
        #expect(try silent.frame().opcode == 9)
        try lively.send("still here")
        #expect(try lively.frame().text == "still here")
    }
}
