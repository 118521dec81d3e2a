import Foundation
import Testing

@Suite("Words that only some places may hold")
struct TokenTests {
    private static let sources = SourceTree.files(below: "Sources", suffixes: ["swift"])
        .map { (file: $0, code: $0.codeLines) }

    @Test("a word outside its place is found", arguments: TokenRule.all.map(\.token))
    func onlyInPlace(token: String) throws {
        let rule = try #require(TokenRule.all.first { $0.token == token })
        let findings = Self.sources.flatMap { rule.findings(in: $0.file, code: $0.code) }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("randomness is drawn from a generator that was handed in")
    func randomness() {
        let findings = Self.sources.flatMap { file, code in
            code.enumerated().filter { _, line in
                line.contains(".random(") && !line.contains("using:")
            }.map { number, _ in
                Finding(
                    path: file.path, line: number + 1,
                    advice: "`.random(` without `using:`: take a generator as an argument")
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("nothing is left to be done later")
    func leftovers() {
        // Put together, or this file would be its own finding.
        let words = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
        let suffixes: Set = ["swift", "c", "h", "js", "mjs", "css", "html", "py", "sh", "md"]
        let findings = SourceTree.files(suffixes: suffixes).flatMap { file in
            file.lines.enumerated().compactMap { number, line -> Finding? in
                guard let word = words.first(where: { TokenRule.contains($0, in: line) }) else {
                    return nil
                }
                return Finding(
                    path: file.path, line: number + 1, advice: "`\(word)`: do it, or file it")
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("no file names a place on somebody's machine")
    func machinePaths() {
        let places = [
            "/wo" + "rk/", "/tmp" + "/wt", "/tmp" + "/brief", "/ro" + "ot/", "/Use" + "rs/",
            "hb" + "venv",
        ]
        let skipped: Set = ["png", "jpg", "ico", "woff2", "sqlite3"]
        let findings = SourceTree.paths()
            .filter { !skipped.contains(URL(filePath: $0).pathExtension) }
            .map { SourceFile(path: $0) }
            .flatMap { file in
                file.lines.enumerated().compactMap { number, line -> Finding? in
                    guard let place = places.first(where: { line.contains($0) }) else { return nil }
                    return Finding(
                        path: file.path, line: number + 1,
                        advice: "`\(place)` is on one machine only: use a path from the root")
                }
            }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    // MARK: - The tests themselves

    @Test("a planted word is found with its line, and prose is not")
    func planted() throws {
        let file = SourceFile(
            path: "Sources/BoardModel/Planted.swift",
            text: """
                // fatalError( in a comment
                let text = "fatalError( in a text, \\(value("fatalError(")) and on"
                /* fatalError( /* nested */ fatalError( */
                let raw = #"a " fatalError( \\#(fatalError())"#
                fatalErrors()
                fatalError("here")
                """)
        let rule = try #require(TokenRule.all.first { $0.token == "fatalError(" })
        let lines = rule.findings(in: file, code: file.codeLines).map(\.line)
        #expect(lines == [4, 6])
    }

    @Test("a word is not found inside another")
    func wordEdges() {
        #expect(TokenRule.contains("actor", in: "actor Room {"))
        #expect(!TokenRule.contains("actor", in: "let factory = contactor"))
        #expect(TokenRule.contains("unsafe", in: "x = unsafe y"))
        #expect(TokenRule.contains("unsafe", in: "nonisolated(unsafe) var x"))
        #expect(!TokenRule.contains("unsafe", in: "unsafely()"))
        #expect(TokenRule.contains("actor", in: "factor actor"))
    }
}
