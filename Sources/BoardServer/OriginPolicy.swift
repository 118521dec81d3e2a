/// Which web pages may open a socket or call the API.
///
/// A browser says where a page came from; other clients say nothing and are let in, since they hold
/// no visitor's cookies. Compared as a whole: scheme, host and port, never by prefix.
package struct OriginPolicy {
    /// Origins besides the server's own, like `https://boards.example`.
    package var allowed: Set<String>

    package init(allowed: [String]) {
        self.allowed = Set(allowed.map { Self.normal($0) ?? $0 })
    }

    /// `host` is the request's Host header: a page of this very server names the same.
    package func allows(origin: String?, host: String?) -> Bool {
        guard let origin else { return true }
        guard let normal = Self.normal(origin) else { return false }
        if allowed.contains(normal) { return true }
        guard let host, !host.isEmpty else { return false }
        return normal == Self.normal("http://\(host)") || normal == Self.normal("https://\(host)")
    }

    /// `scheme://host:port` in lower case with the port spelled out; `nil` for anything else.
    package static func normal(_ origin: String) -> String? {
        let lower = origin.lowercased()
        let port: Int
        let rest: Substring
        if lower.hasPrefix("http://") {
            (port, rest) = (80, lower.dropFirst(7))
        } else if lower.hasPrefix("https://") {
            (port, rest) = (443, lower.dropFirst(8))
        } else {
            return nil
        }
        guard !rest.isEmpty, rest.utf8.allSatisfy({ isHostCharacter($0) }) else { return nil }
        let scheme = port == 80 ? "http" : "https"
        // The last colon separates the port, unless it is inside an IPv6 address.
        guard let colon = rest.lastIndex(of: ":"),
            rest.lastIndex(of: "]").map({ $0 < colon }) ?? true
        else { return "\(scheme)://\(rest):\(port)" }
        guard let given = UInt16(rest[rest.index(after: colon)...]), colon != rest.startIndex else {
            return nil
        }
        return "\(scheme)://\(rest[..<colon]):\(given)"
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
