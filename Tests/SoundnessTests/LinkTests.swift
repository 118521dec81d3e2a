import Foundation
import Testing

@Suite("Links in documents")
struct LinkTests {
    private static let documents = SourceTree.files(suffixes: ["md"])

    @Test("a relative link leads to a file, and its # to a heading")
    func relative() {
        let findings = Self.documents.flatMap { file in
            MarkdownLinks.targets(in: file).compactMap { line, target -> Finding? in
                guard !target.contains("://"), !target.hasPrefix("mailto:") else { return nil }
                let parts = target.split(
                    separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
                let path =
                    parts[0].isEmpty
                    ? file.path
                    : URL(filePath: "/\(folder)/\(parts[0])").standardized.path.dropFirst()
                        .description
                guard SourceTree.exists(path) else {
                    return Finding(path: file.path, line: line, advice: "\(target) isn't there")
                }
                guard parts.count == 2, path.hasSuffix(".md") else { return nil }
                let headings = MarkdownLinks.anchors(in: SourceFile(path: path))
                guard !headings.contains(String(parts[1])) else { return nil }
                return Finding(
                    path: file.path, line: line, advice: "\(path) has no heading #\(parts[1])")
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("the documents that others rely on are there, each with a heading")
    func complete() {
        let expected = [
            "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/ARCHITECTURE.md",
            "docs/CLIENT.md", "docs/OPERATIONS.md", "docs/PROTOCOL.md", "docs/STYLE.md",
            "docs/TESTING.md", "docs/THREAT_MODEL.md",
        ]
        let missing = expected.filter { SourceFile(path: $0).lines.first?.hasPrefix("# ") != true }
        #expect(missing.isEmpty)
    }

    @Test("links are read from prose, not from code")
    func reading() {
        let file = SourceFile(
            path: "A.md",
            text: """
                # One two: `three`
                [a](b.md) and ![c](d.png#e) but not `[f](g)`
                ```
                [h](i)
                ```
                ## One two: `three`
                """)
        let targets = MarkdownLinks.targets(in: file)
        #expect(targets.map(\.target) == ["b.md", "d.png#e"])
        #expect(targets.map(\.line) == [2, 2])
        #expect(MarkdownLinks.anchors(in: file) == ["one-two-three", "one-two-three-1"])
    }
}

/// The little of Markdown that links need.
enum MarkdownLinks {
    static func targets(in file: SourceFile) -> [(line: Int, target: String)] {
        prose(of: file).flatMap { number, line in
            line.components(separatedBy: "](").dropFirst().map { part in
                (number, String(part.prefix { $0 != ")" && $0 != " " }))
            }
        }
    }

    /// The names that headings can be linked by.
    static func anchors(in file: SourceFile) -> Set<String> {
        var anchors: Set<String> = []
        for (_, line) in lines(of: file) where line.hasPrefix("#") {
            let words = line.drop { $0 == "#" || $0 == " " }.lowercased()
            let name = String(
                words.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                    .map { $0 == " " ? "-" : $0 })
            var anchor = name
            var copies = 0
            while !anchors.insert(anchor).inserted {
                copies += 1
                anchor = "\(name)-\(copies)"
            }
        }
        return anchors
    }

    /// Numbered lines outside fenced code, without code spans.
    private static func prose(of file: SourceFile) -> [(number: Int, line: String)] {
        lines(of: file).map { number, line in
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            let kept = parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            return (number, kept.joined(separator: " "))
        }
    }

    private static func lines(of file: SourceFile) -> [(number: Int, line: Substring)] {
        var isCode = false
        return file.lines.enumerated().compactMap { number, line in
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
                return nil
            }
            return isCode ? nil : (number + 1, line)
        }
    }
}
