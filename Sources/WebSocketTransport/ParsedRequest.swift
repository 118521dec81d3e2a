/// A request head, field by field, with what only the transport needs.
struct ParsedRequest {
    var head = RequestHead(path: "")
    var isHTTP11 = true
    /// Lower-case tokens of `Connection`.
    var connection: [String] = []
    var upgrade: String?
    var webSocketKey: String?
    var webSocketVersion: String?
    var contentLength: Int?
    var isTransferEncoded = false
    var expectation: String?
    private var seen: Set<String> = []

    /// Whether the connection may serve another request after this one.
    var keepsAlive: Bool {
        isHTTP11 ? !connection.contains("close") : false
    }

    /// Whether the method is one that has no meaning without a body.
    var needsLength: Bool { ["POST", "PUT", "PATCH"].contains(head.method) }

    /// Reads `GET /path?query HTTP/1.1`; a status to refuse it with, or nil.
    mutating func readRequestLine(_ line: ArraySlice<UInt8>) -> Int? {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(isTokenByte) else {
            return 400
        }
        head.method = String(decoding: parts[0], as: UTF8.self)
        let version = String(decoding: parts[2], as: UTF8.self)
        switch version {
        case "HTTP/1.1": isHTTP11 = true
        case "HTTP/1.0": isHTTP11 = false
        default: return version.hasPrefix("HTTP/") ? 505 : 400
        }
        guard Self.methods.contains(head.method) else { return 501 }
        let target = parts[1]
        guard target.first == UInt8(ascii: "/"), target.allSatisfy(isTargetByte) else { return 400 }
        let mark = target.firstIndex(of: UInt8(ascii: "?"))
        head.path = String(decoding: target[..<(mark ?? target.endIndex)], as: UTF8.self)
        if let mark { head.query = String(decoding: target[(mark + 1)...], as: UTF8.self) }
        return nil
    }

    /// Reads `Name: value`; false when it is malformed or may stand only once and stood before.
    mutating func readField(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(isTokenByte)
        else { return false }
        let raw = line[(colon + 1)...]
        guard raw.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { return false }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let value = String(decoding: raw.trimmed, as: UTF8.self)
        if Self.singletons.contains(name), !seen.insert(name).inserted { return false }
        return keep(name, value)
    }

    /// What a complete head can still be refused for.
    func refusal() -> Int? {
        if isHTTP11 && head.host == nil { return 400 }
        if isTransferEncoded { return contentLength == nil ? 411 : 400 }
        if needsLength && contentLength == nil { return 411 }
        if let expectation, expectation != "100-continue" { return 417 }
        return nil
    }

    private mutating func keep(_ name: String, _ value: String) -> Bool {
        switch name {
        case "host": head.host = value
        case "origin": head.origin = value
        case "if-match": head.ifMatch = joined(head.ifMatch, value)
        case "if-none-match": head.ifNoneMatch = joined(head.ifNoneMatch, value)
        case "content-type": head.contentType = value
        case "authorization": head.authorization = value
        case "x-forwarded-for": head.forwardedFor = joined(head.forwardedFor, value)
        case "sec-websocket-protocol":
            head.subprotocols += tokens(of: value).filter { $0.utf8.allSatisfy(isTokenByte) }
        case "connection": connection += tokens(of: value.lowercased())
        case "upgrade": upgrade = joined(upgrade, value)
        case "sec-websocket-key": webSocketKey = value
        case "sec-websocket-version": webSocketVersion = value
        case "expect": expectation = value.lowercased()
        case "transfer-encoding": isTransferEncoded = true
        case "content-length":
            guard !value.isEmpty, value.utf8.count <= 15,
                value.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
            else { return false }
            contentLength = Int(value)
        default: break
        }
        return true
    }

    private func joined(_ old: String?, _ value: String) -> String {
        old.map { "\($0), \(value)" } ?? value
    }

    private func tokens(of list: String) -> [String] {
        list.utf8.split(separator: UInt8(ascii: ","))
            .map { String(decoding: $0.trimmed, as: UTF8.self) }.filter { !$0.isEmpty }
    }

    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
    ]

    private static let singletons: Set<String> = [
        "host", "origin", "content-length", "content-type", "authorization", "sec-websocket-key",
        "sec-websocket-version",
    ]
}

extension BidirectionalCollection where Element == UInt8 {
    /// Without the spaces and tabs at both ends.
    fileprivate var trimmed: SubSequence {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = firstIndex(where: { !isBlank($0) }),
            let last = lastIndex(where: { !isBlank($0) })
        else { return self[startIndex..<startIndex] }
        return self[first...last]
    }
}

/// RFC 9110, 5.6.2.
private func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}

/// Visible ASCII without the fragment mark, which no client sends.
private func isTargetByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "#")
}
