import BoardModel
import Foundation
import Testing

@Suite("Persisted form")
struct PersistenceTests {
    private func text() throws -> [String: Any] {
        var table = try Table(.sample("ABC", "XY"))
        try table.edit(.move("A", .at(.end, of: "t")))
        try table.edit(.remove("B"))
        _ = try table.set("C", by: "u2") { $0.pinnedAt = .set(0) }
        _ = try table.edit("u2", .move("X", .index(0, of: "t")), base: 0)
        let data = try JSONEncoder().encode(table.state)
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func read(_ object: [String: Any]) throws -> BoardState {
        let data = try JSONSerialization.data(withJSONObject: object)
        return try JSONDecoder().decode(BoardState.self, from: data)
    }

    @Test("What is whole is read")
    func whole() throws {
        let object = try text()
        #expect(object["format"] as? Int == 1)
        #expect(try read(object).visible(.named("t"))?.count == 3)
    }

    @Test("Another format is refused by name")
    func otherFormat() throws {
        var object = try text()
        object["format"] = 2
        let error = #expect(throws: DecodingError.self) { try read(object) }
        #expect(String(describing: error).contains("format 2"))
    }

    @Test(
        "Every part that is missing is noticed",
        arguments: [
            "format", "id", "title", "revision", "epoch", "presentation", "lastSerial", "sections",
            "icons", "removed", "wanted", "clients",
        ])
    func missing(key: String) throws {
        var object = try text()
        object[key] = nil
        #expect(throws: DecodingError.self) { try read(object) }
    }

    @Test("What contradicts itself is refused")
    func contradictions() throws {
        func broken(_ spoil: (inout [String: Any]) throws -> Void) throws {
            var object = try text()
            try spoil(&object)
            #expect(throws: DecodingError.self) { try read(object) }
        }
        func list(_ object: [String: Any], _ key: String) -> [[String: Any]] {
            object[key] as? [[String: Any]] ?? []
        }
        try broken { $0["revision"] = 1 }
        try broken { $0["revision"] = -1 }
        try broken { $0["revision"] = Int.max }
        try broken { $0["lastSerial"] = 2 }
        try broken { $0["icons"] = Array(list($0, "icons").dropFirst()) }
        try broken { $0["icons"] = list($0, "icons") + list($0, "icons") }
        try broken { $0["clients"] = [[String: Any]]() }
        try broken { $0["clients"] = list($0, "clients") + list($0, "clients") }
        try broken { $0["sections"] = list($0, "sections") + list($0, "sections") }
        try broken { $0["wanted"] = [[1, 99]] }
        try broken { $0["wanted"] = [[1]] }
        try broken { object in
            var removed = list(object, "removed")
            #expect(!removed.isEmpty)
            removed[0]["slot"] = 999
            object["removed"] = removed
        }
    }

    @Test("A board cut off anywhere is never read as a board")
    func truncated() throws {
        let data = try JSONSerialization.data(withJSONObject: try text())
        for length in stride(from: 0, to: data.count - 1, by: 37) {
            #expect(throws: (any Error).self) {
                try JSONDecoder().decode(BoardState.self, from: data.prefix(length))
            }
        }
    }

    @Test("The reckoned size is an upper bound, a tenth above the text at most")
    func size() throws {
        var random = SeededGenerator(seed: 4)
        var board = Board.sample("", "", "")
        for number in 0..<300 {
            var icon = Icon(
                id: .random(using: &random), red: Double.random(in: 0...1, using: &random),
                green: Double(random.int(0...10)) / 10, blue: 0)
            if random.chance(0.5) { icon.label = random.pick(["Mail", "\"q\\\"", "日本語", "é👩‍🚀"]) }
            if random.chance(0.3) { icon.symbol = "envelope.fill" }
            if random.chance(0.3) { icon.link = "https://example.org/a/b?c=d" }
            if random.chance(0.2) { icon.locked = random.chance(0.5) }
            if random.chance(0.2) { icon.pinnedAt = random.int(0...99) }
            board.sections[number % 3].icons.append(icon)
        }
        board.sections[1].capacity = 400
        board.revision = 1 << 52
        let exact = try JSONEncoder().encode(board).count
        #expect(board.jsonBytes >= exact)
        #expect(Double(board.jsonBytes) <= Double(exact) * 1.1)
        for icon in board.sections.flatMap(\.icons) {
            let exact = try JSONEncoder().encode(icon).count
            #expect(icon.jsonBytes >= exact, "\(icon)")
            #expect(Double(icon.jsonBytes) <= Double(exact) * 1.1, "\(icon)")
        }
    }
}
