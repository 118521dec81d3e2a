import Testing
import WebSocketTransport

@Suite("Transport, first things", .serialized, .timeLimit(.minutes(1)))
struct EchoTests {
    @Test("a text message goes up whole and a frame comes down")
    func echo() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        #expect(peer.handshake.status == 101)
        #expect(peer.handshake.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(peer.handshake.headers["sec-websocket-protocol"] == "homeboard.v1")
        #expect(peer.handshake.headers["sec-websocket-extensions"] == nil)
        let id = try server.waitOpened()
        try peer.send("hällo")
        #expect(try peer.frame().text == "hällo")
        try peer.sendClose()
        #expect(try peer.closeCode() == 1000)
        #expect(peer.socket.ends())
        #expect(try server.waitClosed(id) == .clean)
    }

    @Test("a GET is answered")
    func get() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        let answer = try peer.get("/v1/boards?a=b%20c")
        #expect(answer.status == 200)
        #expect(answer.text == "GET /v1/boards?a=b%20c 0")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
    }

    @Test("fifty connections all get every frame of a fan-out, in order")
    func fanOut() throws {
        let server = try TestServer()
        defer { server.end() }
        let peers = try (0..<50).map { _ in try PeerWebSocket(port: server.port) }
        for peer in peers { try peer.send("here") }
        for peer in peers { #expect(try peer.frame().text == "here") }
        let opened = server.events.compactMap { event -> ConnectionID? in
            if case .opened(let id, _) = event { id } else { nil }
        }
        #expect(Set(opened).count == 50)
        for round in 0..<100 {
            server.perform { transport in
                let frame = OutboundFrame(Array("[\(round)]".utf8))
                for id in opened where transport.send(frame, to: id) != .sent {
                    Issue.record("round \(round) was not taken")
                }
            }
        }
        for peer in peers {
            for round in 0..<100 { #expect(try peer.frame().text == "[\(round)]") }
        }
    }
}
