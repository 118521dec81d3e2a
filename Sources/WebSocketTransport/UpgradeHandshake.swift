/// Decides whether a request opens a WebSocket, and words it anew for libwebsockets.
///
/// libwebsockets never sees the peer's own head: only one of ours, with a key we checked and a path
/// that says which connection it is. So its HTTP parser, its HTTP/2 upgrade, its `CONNECT` and its
/// choice of subprotocol (it refuses any it does not know, and lists above 126 bytes) are out of
/// reach.
enum UpgradeHandshake {
    enum Verdict {
        /// An ordinary request.
        case none
        case webSocket(key: String)
        case refused(HTTPResponse)
    }

    static func verdict(on request: ParsedRequest) -> Verdict {
        guard let upgrade = request.upgrade else { return .none }
        guard upgrade.lowercased() == "websocket", request.connection.contains("upgrade"),
            request.head.method == "GET", request.isHTTP11, request.contentLength ?? 0 == 0
        else { return .refused(.problem(400)) }
        guard request.webSocketVersion == "13" else {
            return .refused(.problem(426, headers: [("Sec-WebSocket-Version", "13")]))
        }
        guard let key = request.webSocketKey, isKey(key) else { return .refused(.problem(400)) }
        return .webSocket(key: key)
    }

    /// The subprotocol to name in the 101: ours when offered, else the peer's first, so that its
    /// browser opens the socket and can read why it is closed; nil when it offered none.
    static func subprotocol(from offered: [String], preferring ours: String) -> String? {
        offered.contains(ours) ? ours : offered.first
    }

    /// The request libwebsockets is given.
    static func request(for id: ConnectionID, key: String) -> [UInt8] {
        Array(
            """
            GET /\(id.slot)/\(id.generation) HTTP/1.1\r
            Host: board\r
            Connection: Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: \(key)\r
            \r

            """.utf8)
    }

    /// The connection named by the path of such a request.
    static func connection(in path: String) -> ConnectionID? {
        let parts = path.split(separator: "/")
        guard parts.count == 2, let slot = UInt32(parts[0]), let generation = UInt32(parts[1])
        else { return nil }
        return ConnectionID(slot: slot, generation: generation)
    }

    /// Sixteen bytes in base64: 22 digits and two signs of padding.
    private static func isKey(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        guard bytes.count == 24, bytes.suffix(2).elementsEqual("==".utf8) else { return false }
        return bytes.prefix(22).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }
}
