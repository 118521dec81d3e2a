import Testing
import WebSocketTransport

@Suite("Transport handshake", .serialized, .timeLimit(.minutes(1)))
struct HandshakeTests {
    @Test(
        "the 101 names homeboard.v1 when it is offered, else the first offered, else none",
        arguments: [
            (["homeboard.v1"], "homeboard.v1"),
            (["chat", "homeboard.v1"], "homeboard.v1"),
            (["homeboard.v2", "chat"], "homeboard.v2"),
            ([String](), nil),
            ([String(repeating: "x", count: 200)], String(repeating: "x", count: 200)),
            ((0..<60).map { "protocol\($0)" } + ["homeboard.v1"], "homeboard.v1"),
        ] as [([String], String?)])
    func subprotocols(offered: [String], chosen: String?) throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port, subprotocols: offered)
        #expect(peer.handshake.status == 101)
        #expect(peer.handshake.headers["sec-websocket-protocol"] == chosen)
        let head: RequestHead = try server.wait {
            if case .opened(_, let head) = $0 { head } else { nil }
        }
        #expect(head.subprotocols == offered)
        try peer.send("x")
        #expect(try peer.frame().text == "x")
    }

    @Test("the delegate is told what was asked for")
    func head() throws {
        let server = try TestServer()
        defer { server.end() }
        _ = try PeerWebSocket(
            port: server.port, path: "/v1/boards/a%2fb/../live?x=1&y=%20",
            headers: ["Origin: https://a.example", "X-Forwarded-For: 1.2.3.4"])
        let head: RequestHead = try server.wait {
            if case .opened(_, let head) = $0 { head } else { nil }
        }
        #expect(head.path == "/v1/boards/a%2fb/../live")
        #expect(head.query == "x=1&y=%20")
        #expect(head.host == "test")
        #expect(head.origin == "https://a.example")
        #expect(head.forwardedFor == "1.2.3.4")
        #expect(head.remoteAddress == "127.0.0.1")
    }

    @Test(
        "a refused upgrade is a whole HTTP answer, and the connection ends", arguments: [403, 404])
    func refused(status: Int) throws {
        let server = try TestServer(decide: { _ in
            .refuse(HTTPResponse(status: status, headers: [("A", "b")], body: Array("no".utf8)))
        })
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        #expect(peer.handshake.status == status)
        #expect(peer.handshake.text == "no")
        #expect(peer.handshake.headers["content-length"] == "2")
        #expect(peer.handshake.headers["connection"] == "close")
        #expect(peer.socket.ends())
        #expect(server.events.isEmpty)
    }

    @Test("a plain GET of the socket's path is a request")
    func plainGet() throws {
        let server = try TestServer()
        defer { server.end() }
        let answer = try PeerSocket(port: server.port).get("/v1/boards/home/live")
        #expect(answer.status == 200)
    }

    @Test("an offer of another protocol is ignored: the request is an ordinary one")
    func otherUpgrade() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        try peer.send(
            PeerWebSocket.request().replacing("Upgrade: websocket", with: "Upgrade: h2c"))
        #expect(try peer.answer().status == 200)
    }

    @Test(
        "what is nearly an upgrade is refused",
        arguments: [
            ("Upgrade: websocket", "Upgrade: websocket, h2c", 400),
            ("Upgrade: websocket", "Upgrade: websocketx", 400),
            ("keep-alive, Upgrade", "keep-alive", 400),
            ("Version: 13", "Version: 8", 426),
            ("Version: 13", "Version: 13\r\nSec-WebSocket-Version: 13", 400),
            ("dGhlIHNhbXBsZSBub25jZQ==", "short", 400),
            ("Sec-WebSocket-Key", "X-Key", 400),
            ("GET ", "POST ", 411),
            ("HTTP/1.1", "HTTP/1.0", 400),
            ("Host: test\r\n", "", 400),
        ])
    func nearly(what: String, instead: String, status: Int) throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        try peer.send(PeerWebSocket.request().replacing(what, with: instead))
        #expect(try peer.answer().status == status)
        #expect(peer.ends())
        #expect(server.events.isEmpty)
    }

    @Test("CONNECT is refused and the connection ends at once")
    func connect() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        try peer.send("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n")
        #expect(try peer.answer().status == 501)
        #expect(peer.ends())
    }

    @Test("the HTTP/2 preface is refused")
    func http2() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        try peer.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        #expect(try peer.answer().status == 505)
        #expect(peer.ends())
    }

    @Test("frames that come together with the request are not lost")
    func earlyFrames() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        let frames = (0..<50).flatMap { PeerWebSocket.encode(.text, Array("early \($0)".utf8)) }
        try peer.send(Array(PeerWebSocket.request().utf8) + frames)
        for index in 0..<50 {
            let text: String = try server.wait {
                if case .text(_, let bytes) = $0 {
                    let text = String(decoding: bytes, as: UTF8.self)
                    return text == "early \(index)" ? text : nil
                }
                return nil
            }
            #expect(text == "early \(index)")
        }
    }

    @Test("a request that comes byte by byte is understood")
    func trickled() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        for byte in PeerWebSocket.request(subprotocols: ["homeboard.v1"]).utf8 {
            try peer.send([byte])
        }
        #expect(try peer.answer().status == 101)
    }
}
