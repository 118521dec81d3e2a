import Testing
import WebSocketTransport

@Suite("Transport HTTP", .serialized, .timeLimit(.minutes(1)))
struct HTTPTests {
    @Test(
        "each method reaches the delegate with its body",
        arguments: [
            "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
        ])
    func methods(method: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        try peer.send("\(method) /x HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello")
        #expect(try peer.answer().text == "\(method) /x? 5")
        let body: [UInt8] = try server.wait {
            if case .request(_, _, let body) = $0 { body } else { nil }
        }
        #expect(body == Array("hello".utf8))
    }

    @Test("HEAD is answered with the length and without the body")
    func head() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        try peer.send("HEAD /x HTTP/1.1\r\nHost: t\r\n\r\n")
        let answer = try peer.answer(hasBody: false)
        #expect(answer.headers["content-length"] == "10")
        #expect(try peer.get("/y").text == "GET /y? 0")
    }

    @Test("the headers a board server reads are told")
    func headers() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        _ = try peer.get(
            "/x",
            headers: [
                "IF-MATCH:\t \"e:1\" ", "If-None-Match: \"e:2\"", "Authorization: Bearer abc",
                "Origin: null", "Content-Type: application/json",
            ])
        let head: RequestHead = try server.wait {
            if case .request(_, let head, _) = $0 { head } else { nil }
        }
        #expect(head.ifMatch == "\"e:1\"")
        #expect(head.ifNoneMatch == "\"e:2\"")
        #expect(head.authorization == "Bearer abc")
        #expect(head.origin == "null")
        #expect(head.contentType == "application/json")
    }

    @Test(
        "paths are told as they were sent",
        arguments: [
            "/v1/boards/..%2f..", "//v1//boards", "/v1/boards/../../etc/passwd", "/%00", "/a%zz",
            "/%2e%2e/",
        ])
    func rawPaths(path: String) throws {
        let server = try TestServer()
        defer { server.end() }
        #expect(try PeerSocket(port: server.port).get(path).text == "GET \(path)? 0")
    }

    @Test(
        "a request that could be misread is refused and the connection ends",
        arguments: [
            ("POST /x HTTP/1.1\r\nHost: t\r\n\r\n", 411),
            ("PUT /x HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
            (
                "PUT /x HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc",
                400
            ),
            ("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n", 400),
            ("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: +1\r\n\r\nx", 400),
            ("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: 1, 1\r\n\r\nx", 400),
            ("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
            ("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
            ("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: 2097153\r\n\r\n", 413),
            ("GET /x HTTP/1.1\r\n\r\n", 400),
            ("GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("GET /x HTTP/1.1\r\nHost : a\r\n\r\n", 400),
            ("GET /x HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400),
            ("GET /x HTTP/1.1\r\nHost: a\u{0}b\r\n\r\n", 400),
            ("GET /x HTTP/1.1\nHost: a\r\n\r\n", 400),
            ("GET  /x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET /x y HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET http://t/x HTTP/1.1\r\nHost: t\r\n\r\n", 400),
            ("OPTIONS * HTTP/1.1\r\nHost: t\r\n\r\n", 400),
            ("GET /\u{e4} HTTP/1.1\r\nHost: t\r\n\r\n", 400),
            ("GET /x HTTP/2.0\r\nHost: t\r\n\r\n", 505),
            ("GET /x\r\n\r\n", 400),
            ("BREW /x HTTP/1.1\r\nHost: t\r\n\r\n", 501),
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", 400),
        ])
    func refused(request: String, status: Int) throws {
        try check(request, status)
    }

    @Test("a request line or head beyond its limit is refused, ended or not")
    func tooLong() throws {
        let much = String(repeating: "a", count: 100_000)
        try check("GET /\(much.prefix(5_000)) HTTP/1.1\r\nHost: t\r\n\r\n", 414)
        try check("GET / HTTP/1.1\r\nX: \(much.prefix(20_000))\r\n\r\n", 431)
        try check("GET / HTTP/1.1\r\nX: \(much)", 431)
    }

    private func check(_ request: String, _ status: Int) throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        try peer.send(request)
        let answer = try peer.answer()
        #expect(answer.status == status)
        #expect(answer.headers["content-type"] == "application/problem+json")
        #expect(answer.headers["connection"] == "close")
        #expect(peer.ends())
        #expect(server.events.isEmpty)
    }

    @Test("pipelined requests are answered in order, each with its own answer")
    func pipelined() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        let requests = (0..<200).map { index in
            index % 2 == 0
                ? "GET /\(index) HTTP/1.1\r\nHost: t\r\n\r\n"
                : "PUT /\(index) HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabc"
        }
        try peer.send(requests.joined())
        for index in 0..<200 {
            let expected = index % 2 == 0 ? "GET /\(index)? 0" : "PUT /\(index)? 3"
            #expect(try peer.answer().text == expected)
        }
    }

    @Test("an answer may come later, pipelined requests wait for their turn")
    func late() throws {
        let server = try TestServer(react: { _, _ in })
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        try peer.send("GET /a HTTP/1.1\r\nHost: t\r\n\r\nGET /b HTTP/1.1\r\nHost: t\r\n\r\n")
        func request(_ path: String) throws -> RequestID {
            try server.wait {
                if case .request(let id, let head, _) = $0, head.path == path { id } else { nil }
            }
        }
        let first = try request("/a")
        server.perform { _ in }
        #expect(server.events.filter { if case .request = $0 { true } else { false } }.count == 1)
        server.perform { transport in
            transport.respond(first, HTTPResponse(status: 200, body: [65]))
            transport.respond(first, HTTPResponse(status: 500, body: [66]))
        }
        let second = try request("/b")
        #expect(first != second)
        server.perform { $0.respond(second, HTTPResponse(status: 204)) }
        #expect(try peer.answer().text == "A")
        let answer = try peer.answer()
        #expect(answer.status == 204 && answer.headers["content-length"] == nil)
    }

    @Test("a peer that resets before the answer is gone; the answer hits nothing")
    func gone() throws {
        let server = try TestServer(react: { _, _ in })
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        try peer.send("GET /a HTTP/1.1\r\nHost: t\r\n\r\n")
        let id: RequestID = try server.wait {
            if case .request(let id, _, _) = $0 { id } else { nil }
        }
        peer.reset()
        _ = try server.wait { $0 == .requestGone(id) ? true : nil }
        server.perform { $0.respond(id, HTTPResponse(status: 200)) }
    }

    @Test("a peer that has shut its own side still gets its answer")
    func halfClosed() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        try peer.send("GET /a HTTP/1.1\r\nHost: t\r\n\r\n")
        peer.shutWriting()
        #expect(try peer.answer().text == "GET /a? 0")
        #expect(peer.ends())
    }

    @Test("four megabytes go down whole to a reader with a small buffer")
    func large() throws {
        let body = (0..<4 * 1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let server = try TestServer(react: { transport, event in
            if case .request(let id, _, _) = event {
                transport.respond(id, HTTPResponse(status: 200, body: body))
            }
        })
        defer { server.end() }
        let peer = try PeerSocket(port: server.port, receiveBufferBytes: 8_192)
        for _ in 0..<2 { #expect(try peer.get("/").body == body) }
    }

    @Test("two megabytes go up whole, with and without an expectation")
    func upload() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerSocket(port: server.port)
        let body = [UInt8](repeating: 7, count: 2 * 1_048_576)
        try peer.send(
            "PUT /x HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: \(body.count)\r\n\r\n"
        )
        #expect(try peer.answer().status == 100)
        try peer.send(body)
        #expect(try peer.answer().text == "PUT /x? \(body.count)")
        try peer.send("PUT /y HTTP/1.1\r\nHost: t\r\nContent-Length: \(body.count)\r\n\r\n")
        try peer.send(body)
        #expect(try peer.answer().text == "PUT /y? \(body.count)")
    }

    @Test("HTTP/1.0 and Connection: close end the connection after the answer")
    func closing() throws {
        let server = try TestServer()
        defer { server.end() }
        for request in [
            "GET /x HTTP/1.0\r\n\r\n", "GET /x HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n",
        ] {
            let peer = try PeerSocket(port: server.port)
            try peer.send(request)
            let answer = try peer.answer()
            #expect(answer.status == 200 && answer.headers["connection"] == "close")
            #expect(peer.ends())
        }
    }

    @Test("a head, a body and an idle connection have their deadlines, trickle or not")
    func deadlines() throws {
        var configuration = TransportConfiguration.testing
        configuration.headerTimeout = .milliseconds(400)
        configuration.bodyTimeout = .milliseconds(400)
        configuration.keepAliveTimeout = .milliseconds(400)
        let server = try TestServer(configuration)
        defer { server.end() }
        let mute = try PeerSocket(port: server.port)
        #expect(mute.ends())
        let head = try PeerSocket(port: server.port)
        var sent = 0
        while sent < 1_000, (try? head.send("G")) != nil {
            sent += 1
            try server.waitForTimer(after: 20_000_000)
        }
        #expect(sent > 1 && sent < 1_000)
        let body = try PeerSocket(port: server.port)
        try body.send("PUT /x HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nabc")
        #expect(try body.answer().status == 408)
        #expect(body.ends())
        let idle = try PeerSocket(port: server.port)
        _ = try idle.get("/")
        #expect(idle.ends())
    }

    @Test("a header value cannot smuggle another header")
    func injection() throws {
        let server = try TestServer(react: { transport, event in
            if case .request(let id, _, _) = event {
                transport.respond(
                    id, HTTPResponse(status: 200, headers: [("Location", "/\r\nSet-Cookie: a=b")]))
            }
        })
        defer { server.end() }
        let answer = try PeerSocket(port: server.port).get("/")
        #expect(answer.headers["set-cookie"] == nil)
    }

    @Test("random bytes crash nothing", arguments: 1...30)
    func garbage(seed: UInt64) throws {
        let server = try TestServer()
        defer { server.end() }
        var state = seed
        func next() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        var request = Array(PeerWebSocket.request(subprotocols: ["a", "b"]).utf8)
        for _ in 0..<Int(seed % 7) { request[Int(next()) % request.count] = next() }
        let peer = try PeerSocket(port: server.port)
        try? peer.send(request)
        peer.shutWriting()
        _ = peer.ends()
        #expect(try PeerSocket(port: server.port).get("/").status == 200, "seed \(seed)")
    }
}
