import Testing
import WebSocketTransport

@Suite("Transport messages", .serialized, .timeLimit(.minutes(1)))
struct MessageTests {
    @Test("every length around the frame and buffer limits comes and goes unchanged")
    func lengths() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        for length in [0, 1, 125, 126, 127, 4095, 4096, 4097, 8192, 65_534, 65_535, 65_536] {
            let text = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            try peer.send(.text, text)
            #expect(try peer.frame().payload == text, "length \(length)")
        }
    }

    @Test("fragments are put together, a ping in between is answered")
    func fragments() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        try peer.send(.text, Array("one ".utf8), isFinal: false)
        try peer.send(.ping, Array("p".utf8))
        try peer.send(.more, Array("two ".utf8), isFinal: false)
        try peer.send(.more, [], isFinal: false)
        try peer.send(.more, Array("three".utf8))
        let frames = [try peer.frame(), try peer.frame()]
        #expect(frames.contains { $0.opcode == 10 && $0.text == "p" })
        #expect(frames.contains { $0.opcode == 1 && $0.text == "one two three" })
        try peer.send("next")
        #expect(try peer.frame().text == "next")
    }

    @Test("a code point may be split over fragments")
    func splitCodePoint() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        try peer.send(.text, [0xe2, 0x82], isFinal: false)
        try peer.send(.more, [0xac])
        #expect(try peer.frame().text == "€")
    }

    @Test("one byte too many closes 1009, whether in one frame or many, ended or not")
    func tooLong() throws {
        for (frames, size) in [(1, 65_537), (2, 40_000), (20, 4_000)] {
            let server = try TestServer()
            defer { server.end() }
            let peer = try PeerWebSocket(port: server.port)
            let piece = [UInt8](repeating: UInt8(ascii: "x"), count: size)
            for index in 0..<frames {
                try? peer.send(index == 0 ? .text : .more, piece, isFinal: frames == 1)
            }
            #expect(try peer.closeCode() == 1009, "\(frames) frames of \(size)")
            try? peer.sendClose(1009)
            #expect(peer.socket.ends())
            #expect(try server.waitClosed(server.waitOpened()) == .server)
            #expect(!server.events.contains { if case .text = $0 { true } else { false } })
        }
    }

    @Test("a message in 32 frames is taken, one in 33 closes 1009")
    func tooManyFragments() throws {
        for frames in [32, 33] {
            let server = try TestServer()
            defer { server.end() }
            let peer = try PeerWebSocket(port: server.port)
            for index in 0..<frames {
                try? peer.send(
                    index == 0 ? .text : .more, [UInt8(ascii: "x")], isFinal: index == frames - 1)
            }
            let frame = try peer.frame()
            if frames == 32 {
                #expect(frame.payload.count == 32)
            } else {
                #expect(frame.closeCode == 1009)
            }
        }
    }

    @Test(
        "what is no UTF-8 closes 1007",
        arguments: [
            [[0xff]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]], [[0xe2, 0x82]],
            [[0xe2, 0x82], []], [[0xf0, 0x9f], [0x98], []],
        ] as [[[UInt8]]])
    func notUTF8(pieces: [[UInt8]]) throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        for (index, piece) in pieces.enumerated() {
            try peer.send(index == 0 ? .text : .more, piece, isFinal: index == pieces.count - 1)
        }
        #expect(try peer.closeCode() == 1007)
        try? peer.sendClose(1007)
        #expect(try server.waitClosed(server.waitOpened()) == .server)
        #expect(!server.events.contains { if case .text = $0 { true } else { false } })
    }

    @Test("a binary message is told once and not delivered")
    func binary() throws {
        let server = try TestServer(react: { _, _ in })
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        let id = try server.waitOpened()
        try peer.send(.binary, [UInt8](repeating: 0xff, count: 30_000), isFinal: false)
        try peer.send(.more, [UInt8](repeating: 0xff, count: 30_000))
        try peer.send("after")
        _ = try server.wait { if case .text = $0 { true } else { nil } }
        #expect(server.events.filter { $0 == .binary(id) }.count == 1)
    }

    @Test("a delegate's 1003 for binary reaches the peer")
    func binaryClosed() throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        try peer.send(.binary, [1, 2, 3])
        #expect(try peer.closeCode() == 1003)
    }

    @Test(
        "a breach of the framing closes 1002",
        arguments: [
            [0x83, 0x80, 1, 2, 3, 4], [0xc1, 0x80, 1, 2, 3, 4], [0x80, 0x80, 1, 2, 3, 4],
            [0x09, 0x80, 1, 2, 3, 4],
        ] as [[UInt8]])
    func breaches(bytes: [UInt8]) throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        let id = try server.waitOpened()
        try peer.socket.send(bytes)
        #expect(try peer.closeCode() == 1002)
        peer.socket.close()
        #expect(try server.waitClosed(id) == .server)
    }

    @Test("random bytes after the handshake crash nothing", arguments: 1...20)
    func garbage(seed: UInt64) throws {
        let server = try TestServer()
        defer { server.end() }
        let peer = try PeerWebSocket(port: server.port)
        let id = try server.waitOpened()
        var state = seed
        let bytes = (0..<5_000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        try? peer.socket.send(bytes)
        peer.socket.close()
        _ = try server.waitClosed(id)
        #expect(try PeerSocket(port: server.port).get("/").status == 200, "seed \(seed)")
    }
}
