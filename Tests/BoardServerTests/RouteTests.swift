import BoardModel
import BoardServer
import Testing

@Suite("Routes")
struct RouteTests {
    private static let kiosk = BoardID("kiosk-1")

    @Test(
        "HT8, FR1: a path names exactly one thing",
        arguments: [
            ("/", Route.start), ("/healthz", .health), ("/readyz", .ready), ("/metrics", .metrics),
            ("/v1/boards", .boards), ("/b/home", .page),
            ("/assets/homeboard.js", .asset("/assets/homeboard.js")),
        ])
    func fixed(path: String, route: Route) {
        #expect(Route(path: path) == route)
    }

    @Test("FR1: the parts of a board stand below its identifier")
    func board() throws {
        let id = try #require(Self.kiosk)
        #expect(Route(path: "/v1/boards/kiosk-1") == .board(id))
        #expect(Route(path: "/v1/boards/kiosk-1/live") == .live(id))
        #expect(Route(path: "/v1/boards/kiosk-1/edits") == .edits(id))
        #expect(Route(path: "/v1/boards/kiosk-1/commits") == .commits(id))
        let longest = String(repeating: "z", count: 64)
        #expect(Route(path: "/v1/boards/\(longest)") == .board(try #require(BoardID(longest))))
    }

    @Test(
        "FR7 (O-64): what is no identifier names no board, however it is spelled",
        arguments: [
            "", ".", "..", "..%2f..%2fetc%2fpasswd", "%2e%2e", "a%00", "a%2fb", "Team", "caf%C3%A9",
            "café", "-rf", "_a", "a.json", ".hidden", "a:b", "~", "a b", "a\\b", "x.journal",
            String(repeating: "a", count: 65), String(repeating: "a", count: 300),
        ])
    func badIdentifier(id: String) {
        #expect(Route(path: "/v1/boards/\(id)") == .badBoard)
        #expect(Route(path: "/v1/boards/\(id)/live") == .badBoard)
        #expect(Route(path: "/b/\(id)") == .badBoard)
        #expect(Route(path: "/v1/boards/\(id)").methods.isEmpty)
    }

    @Test(
        "FR7: other paths are unknown, also those that would be known after tidying up",
        arguments: [
            "", "//", "/.", "/..", "/v1", "/v1/", "/v2/boards", "//v1/boards", "/v1//boards",
            "/V1/boards", "/v1/boards/a/live/", "/v1/boards/a/", "/v1/boards/a/other",
            "/v1/boards/a/live/b", "/healthz/", "/b", "/b/a/", "/b/a/b", "/etc/passwd",
            "/../v1/boards", "/index.html", "/board.html", "/%2f",
        ])
    func unknown(path: String) {
        #expect(Route(path: path) == .unknown)
    }

    @Test("a trailing slash names a board without a name")
    func emptyBoard() {
        #expect(Route(path: "/v1/boards/") == .badBoard)
        #expect(Route(path: "/b/") == .badBoard)
    }

    @Test("an asset's path is kept as it is: nothing of it is ever joined to a folder")
    func asset() {
        let path = "/assets/../../etc/passwd"
        #expect(Route(path: path) == .asset(path))
    }

    @Test("HT1, HT2, HT3, HT4, HT5, HT6, HT7: each route knows its methods")
    func methods() throws {
        let id = try #require(Self.kiosk)
        #expect(Route.boards.methods == ["GET", "HEAD", "POST"])
        #expect(Route.board(id).methods == ["GET", "HEAD", "PUT", "DELETE"])
        #expect(Route.edits(id).methods == ["POST"])
        #expect(Route.commits(id).methods == ["GET", "HEAD"])
        #expect(Route.live(id).methods == ["GET", "HEAD"])
        #expect(Route.unknown.methods.isEmpty)
    }

    @Test(
        "HT7: since is a whole number, found among other parts of the query",
        arguments: [
            ("since=7", 7), ("a=b&since=0", 0), ("since=1&since=2", 1), ("", nil), ("since", nil),
            ("since=", nil), ("since=x", nil), ("since=1.5", nil), ("Since=1", nil),
            ("since=99999999999999999999", nil), ("xsince=1", nil),
        ] as [(String, Int?)])
    func query(query: String, number: Int?) {
        #expect(Query.number("since", in: query) == number)
    }
}
