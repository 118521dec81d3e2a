import Foundation
import Testing

@Suite("Rules of docs/PROTOCOL.md and the tests that quote them")
struct RuleTests {
    /// Rules that no test holds, each with the reason.
    private static let untested: [String: String] = [:]

    /// The grave cases of ordering, conflict, dragging, presence and coming back.
    private static let cases = Set(
        [1, 2, 3, 4, 9, 11, 12, 13, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 30]
            .map { $0 < 10 ? "O-0\($0)" : "O-\($0)" })

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
    func casesAreCovered() {
        var listed: Set<String> = []
        var findings: [Finding] = []
        for (number, line) in SourceFile(path: "docs/TESTING.md").lines.enumerated()
        where line.hasPrefix("| O-") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let (id, places) = (cells[0], cells[cells.count - 1])
            listed.insert(id)
            let files = places.split(separator: "`").map(String.init)
                .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".py") || $0.hasSuffix(".mjs") }
            if files.isEmpty {
                findings.append(
                    Finding(
                        path: "docs/TESTING.md", line: number + 1, advice: "\(id) names no test"))
            }
            for file in files {
                let text = SourceFile(path: "Tests/\(file)").text
                // Names in Python have no hyphen.
                let spellings = [id, id.replacingOccurrences(of: "-", with: "") + "_"]
                guard !spellings.contains(where: { text.contains($0) }) else { continue }
                findings.append(
                    Finding(
                        path: "docs/TESTING.md", line: number + 1,
                        advice: "Tests/\(file) doesn't quote \(id)"))
            }
        }
        #expect(Self.cases.subtracting(listed).isEmpty)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("an id is an area and a number, in prose, in names and in ranges")
    func reading() {
        let prose = Self.ids(in: "CM7: a, DR12 (HS3), XCM1, CM, CM1a, OR-1, ab FR9")
        #expect(prose == ["CM7", "DR12", "HS3", "FR9"])
        #expect(Self.ids(in: "def test_DR9_O18_dropping(") == ["DR9"])
        #expect(
            Self.ids(in: "OR1 to OR4, CM1 to DR3") == ["OR1", "OR2", "OR3", "OR4", "CM1", "DR3"])
    }

    private static func ids(in line: some StringProtocol) -> [String] {
        let words = String(line).split(whereSeparator: { !($0.isLetter || $0.isNumber) })
            .map { String($0) }
        var found: [String] = []
        for (place, word) in words.enumerated() {
            guard let id = RuleID(word, in: areas) else { continue }
            // "OR1 to OR13" names all of them.
            if place >= 2, words[place - 1] == "to",
                let first = RuleID(words[place - 2], in: areas), first.area == id.area,
                first.number < id.number
            {
                found += (first.number + 1...id.number).map { "\(id.area)\($0)" }
            } else {
                found.append(word)
            }
        }
        return found
    }
}

private struct RuleID {
    var area: String
    var number: Int

    init?(_ word: String, in areas: Set<String>) {
        area = String(word.prefix(2))
        guard areas.contains(area), let number = Int(word.dropFirst(2)), word.count < 5 else {
            return nil
        }
        self.number = number
    }
}
