/// The client's half of RFC 6455, written for the tests and knowing nothing of the server's.
final class PeerWebSocket: @unchecked Sendable {
    enum Opcode: UInt8 { case more = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 }

    struct Frame: Equatable {
        var opcode: UInt8
        var isFinal: Bool
        var payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
        var closeCode: Int? {
            opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
        }
    }

    let socket: PeerSocket
    let handshake: Answer

    init(
        port: Int, path: String = "/v1/boards/home/live", subprotocols: [String] = ["homeboard.v1"],
        receiveBufferBytes: Int32? = nil, headers: [String] = []
    ) throws {
        socket = try PeerSocket(port: port, receiveBufferBytes: receiveBufferBytes)
        try socket.send(
            Self.request(path: path, subprotocols: subprotocols, headers: headers))
        handshake = try socket.answer()
    }

    static func request(
        path: String = "/v1/boards/home/live", subprotocols: [String] = [], headers: [String] = []
    ) -> String {
        var lines = [
            "GET \(path) HTTP/1.1", "Host: test", "Connection: keep-alive, Upgrade",
            "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
        ]
        if !subprotocols.isEmpty {
            lines.append("Sec-WebSocket-Protocol: " + subprotocols.joined(separator: ", "))
        }
        return (lines + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    static func encode(
        _ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true, mask: [UInt8] = [7, 11, 13, 17]
    ) -> [UInt8] {
        var bytes = [opcode.rawValue | (isFinal ? 0x80 : 0)]
        switch payload.count {
        case ..<126: bytes.append(0x80 | UInt8(payload.count))
        case ..<65_536:
            bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        default:
            bytes.append(0x80 | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(payload.count >> shift & 0xff))
            }
        }
        bytes += mask
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index % 4]) }
        return bytes
    }

    func send(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) throws {
        try socket.send(Self.encode(opcode, payload, isFinal: isFinal))
    }

    func send(_ text: String) throws { try send(.text, Array(text.utf8)) }

    func sendClose(_ code: UInt16 = 1000) throws {
        try send(.close, [UInt8(code >> 8), UInt8(code & 0xff)])
    }

    /// The next frame, pings and pongs included.
    func frame() throws -> Frame {
        let head = try socket.take(2)
        var length = Int(head[1] & 0x7f)
        if length == 126 {
            length = try socket.take(2).reduce(0) { $0 << 8 | Int($1) }
        } else if length == 127 {
            length = try socket.take(8).reduce(0) { $0 << 8 | Int($1) }
        }
        return Frame(
            opcode: head[0] & 0x0f, isFinal: head[0] & 0x80 != 0,
            payload: try socket.take(length))
    }

    /// The code of the close frame that comes next, other frames skipped.
    func closeCode() throws -> Int? {
        while true {
            let frame = try frame()
            if frame.opcode == 8 { return frame.closeCode }
        }
    }
}
