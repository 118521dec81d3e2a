import Foundation
import Testing

@Suite("docs/OPERATIONS.md lists what the program says")
struct OperationsTests {
    private static let sources = SourceTree.files(below: "Sources/BoardServer", suffixes: ["swift"])
    private static let document = SourceFile(path: "docs/OPERATIONS.md")

    @Test("every metric, and no other")
    func metrics() {
        let used = Set(Self.sources.flatMap { Self.words(beginning: "homeboard_", in: $0.text) })
        let rows = Self.document.lines.filter { $0.hasPrefix("| `homeboard_") }
        let listed = Set(rows.flatMap { Self.words(beginning: "homeboard_", in: String($0)) })
        #expect(used.count > 10)
        #expect(used.subtracting(listed).isEmpty, "not documented")
        #expect(listed.subtracting(used).isEmpty, "not in the program")
    }

    @Test("every event of the log, and no other")
    func events() {
        let used = Set(
            Self.sources.flatMap { file in
                file.text.components(separatedBy: "log.write(").dropFirst().compactMap { part in
                    part.split(separator: "\"", maxSplits: 2).dropFirst().first.map(String.init)
                }
            })
        let rows = Self.document.lines.filter { line in
            used.contains { line.hasPrefix("| `\($0)`") }
                || line.hasPrefix("| `server.") || line.hasPrefix("| `store.")
        }
        let listed = Set(rows.map { String($0.dropFirst(3).prefix { $0 != "`" }) })
        #expect(used.count > 5)
        #expect(used.subtracting(listed).isEmpty, "not documented")
        #expect(listed.subtracting(used).isEmpty, "not in the program")
    }

    @Test("every exit code, and no other")
    func exitCodes() throws {
        let program = SourceTree.files(below: "Sources/homeboard", suffixes: ["swift"])
        let used = Set(
            program.flatMap { file in
                file.codeLines.filter { $0.contains("return") || $0.contains("exitCode:") }
                    .flatMap { $0.split(whereSeparator: { !$0.isNumber }) }
                    .compactMap { Int($0) }.filter { $0 >= 64 && $0 < 80 }
            })
        let listed = Set(
            Self.document.lines.compactMap { line -> Int? in
                line.hasPrefix("| ") ? Int(line.dropFirst(2).prefix { $0 != " " }) : nil
            })
        #expect(used.union([0]) == listed)
    }

    private static func words(beginning: String, in text: String) -> [String] {
        text.components(separatedBy: beginning).dropFirst().map { part in
            beginning + part.prefix { $0.isLowercase || $0 == "_" }
        }
    }
}
