import Testing

/// The server cuts comments out of scripts line by line (`ScriptText`): what that relies on.
@Suite("Scripts")
struct ScriptTests {
    private static var scripts: [SourceFile] {
        SourceTree.files(suffixes: ["js"]).filter { $0.path.hasPrefix("Sources/") }
    }

    @Test("no text of a script runs over several lines")
    func templates() {
        let findings = Self.scripts.flatMap { file in
            file.lines.enumerated().compactMap { number, line -> Finding? in
                guard !line.count(where: { $0 == "`" }).isMultiple(of: 2) else { return nil }
                return Finding(
                    path: file.path, line: number + 1, advice: "end the text on its line")
            }
        }
        #expect(!Self.scripts.isEmpty && findings.isEmpty, "\(list(findings))")
    }

    @Test("a comment of several lines begins its first line and ends its last")
    func comments() {
        let findings = Self.scripts.flatMap { file in
            file.lines.enumerated().compactMap { number, line -> Finding? in
                let text = line.drop { $0 == " " }
                let opens = text.contains("/*") && !text.contains("*/")
                let closes = text.contains("*/") && !text.contains("/*")
                guard opens && !text.hasPrefix("/*") || closes && !text.hasSuffix("*/") else {
                    return nil
                }
                return Finding(
                    path: file.path, line: number + 1, advice: "give the comment its own lines")
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }
}
