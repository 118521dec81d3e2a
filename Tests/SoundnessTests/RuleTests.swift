import Foundation
import Testing

@Suite("Rules of docs/PROTOCOL.md and the tests that quote them")
struct RuleTests {
    /// Rules that no test holds, each with the reason.
    private static let untested: [String: String] = [:]

    private static let areas: Set<String> = ["FR", "HS", "BD", "DR", "CM", "PR", "ER", "HT", "OR"]

    /// Each rule and the line that states it.
    private static let stated: [String: Int] = {
        var stated: [String: Int] = [:]
        for (number, line) in SourceFile(path: "docs/PROTOCOL.md").lines.enumerated() {
            guard line.hasPrefix("- **") else { continue }
            let name = line.dropFirst(4).prefix { $0 != "*" }
            if ids(in: name) == [String(name)] { stated[String(name)] = number + 1 }
        }
        return stated
    }()

    private static let quotes: [(path: String, line: Int, id: String)] =
        SourceTree.files(below: "Tests", suffixes: ["swift", "py", "js", "mjs"])
        .filter { $0.module != "SoundnessTests" }
        .flatMap { file in
            file.lines.enumerated().flatMap { number, line in
                ids(in: line).map { (file.path, number + 1, $0) }
            }
        }

    @Test("there are rules in every area")
    func areasAreThere() {
        #expect(Set(Self.stated.keys.map { String($0.prefix(2)) }) == Self.areas)
    }

    @Test("each rule is quoted by a test")
    func quoted() {
        let seen = Set(Self.quotes.map(\.id))
        let findings = Self.stated
            .filter { !seen.contains($0.key) && Self.untested[$0.key] == nil }
            .sorted { $0.value < $1.value }
            .map { Finding(path: "docs/PROTOCOL.md", line: $1, advice: "no test quotes \($0)") }
        #expect(findings.isEmpty, "\(list(findings))")
        let needless = Self.untested.keys.filter { seen.contains($0) || Self.stated[$0] == nil }
        #expect(needless.isEmpty, "no longer an exception: \(needless)")
    }

    @Test("each rule that is quoted exists")
    func exists() {
        let inSources = SourceTree.files(below: "Sources", suffixes: ["swift", "js"])
            .flatMap { file in
                file.lines.enumerated().flatMap { number, line in
                    Self.ids(in: line).map { (path: file.path, line: number + 1, id: $0) }
                }
            }
        let findings = (Self.quotes + inSources).filter { Self.stated[$0.id] == nil }
            .map { Finding(path: $0.path, line: $0.line, advice: "\($0.id) is no rule") }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("the cases that docs/TESTING.md lists are quoted where it says")
    func cases() throws {
        var rows = 0
        var findings: [Finding] = []
        for (number, line) in SourceFile(path: "docs/TESTING.md").lines.enumerated()
        where line.hasPrefix("| O-") {
            rows += 1
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let (id, places) = (cells[0], cells[cells.count - 1])
            let files = places.split(separator: "`").map(String.init)
                .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".py") || $0.hasSuffix(".mjs") }
            if files.isEmpty {
                findings.append(
                    Finding(
                        path: "docs/TESTING.md", line: number + 1, advice: "\(id) names no test"))
            }
            for file in files {
                let text = SourceFile(path: "Tests/\(file)").text
                guard !text.contains(id) else { continue }
                findings.append(
                    Finding(
                        path: "docs/TESTING.md", line: number + 1,
                        advice: "Tests/\(file) doesn't quote \(id)"))
            }
        }
        #expect(rows == 22)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("an id is an area and a number, and a word of its own")
    func reading() {
        #expect(
            Self.ids(in: "CM7: a, DR12 (HS3), XCM1, CM, CM1a, OR-1, ab FR9") == [
                "CM7", "DR12", "HS3", "FR9",
            ])
    }

    private static func ids(in line: Substring) -> [String] {
        line.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") })
            .filter { word in
                areas.contains(String(word.prefix(2))) && word.count > 2 && word.count < 5
                    && word.dropFirst(2).allSatisfy(\.isWholeNumber)
            }.map { String($0) }
    }

    private static func ids(in text: String) -> [String] { ids(in: text[...]) }
}
