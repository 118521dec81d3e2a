import BoardServer
import Testing

@Suite("Origins")
struct OriginPolicyTests {
    private static let policy = OriginPolicy(allowed: ["https://boards.example"])

    @Test(
        "FR7 (O-59): scheme, host and port are compared as a whole",
        arguments: [
            ("https://boards.example", true), ("https://boards.example:443", true),
            ("https://BOARDS.example", true), ("HTTPS://boards.example", true),
            ("https://boards.example:8443", false), ("http://boards.example", false),
            ("http://boards.example:443", false), ("https://boards.example.evil.test", false),
            ("https://evil.test/?https://boards.example", false),
            ("https://boards.example@evil.test", false), ("https://xboards.example", false),
            ("https://boards.example/", false), ("https://boards.example/path", false),
            ("https://boards.example, https://boards.example", false),
            ("https://boards.example https://boards.example", false),
            ("https://boards.example:", false), ("https://boards.example:x", false),
            ("https://boards.example:99999", false), ("https://", false), ("", false),
            ("null", false), ("boards.example", false), ("file://", false),
            ("ws://boards.example", false), ("https://bоards.example", false),
        ])
    func allowed(origin: String, isAllowed: Bool) {
        #expect(Self.policy.allows(origin: origin, host: "127.0.0.1:8787") == isAllowed)
    }

    @Test("FR7 (O-59): a client that names no origin is let in: it holds no visitor's cookies")
    func none() {
        #expect(Self.policy.allows(origin: nil, host: "127.0.0.1:8787"))
        #expect(Self.policy.allows(origin: nil, host: nil))
    }

    @Test(
        "FR7 (O-59): a page of this server is told by the host it asked",
        arguments: [
            ("http://127.0.0.1:8787", "127.0.0.1:8787", true),
            ("http://localhost:8787", "127.0.0.1:8787", false),
            ("http://127.0.0.1:8788", "127.0.0.1:8787", false),
            ("http://[::1]:8787", "[::1]:8787", true), ("http://[::1]", "[::1]", true),
            ("https://inside.example", "inside.example", true),
            ("https://inside.example", "INSIDE.example:443", true),
            ("https://inside.example", "", false),
            ("http://localhost:8787.evil.test", "localhost:8787", false),
        ])
    func ownHost(origin: String, host: String, isAllowed: Bool) {
        let policy = OriginPolicy(allowed: [])
        #expect(policy.allows(origin: origin, host: host) == isAllowed)
        #expect(!policy.allows(origin: origin, host: nil))
    }

    @Test("an empty list allows no other origin, rather than all")
    func emptyList() {
        let policy = OriginPolicy(allowed: [])
        #expect(!policy.allows(origin: "https://boards.example", host: "127.0.0.1:8787"))
    }
}
