import Foundation
import Testing

@Suite("Sizes")
struct SizeTests {
    /// What a file and a line of each kind may have at most.
    private struct Limit {
        var suffixes: Set<String>
        var lines: Int
        var columns: Int
    }

    private static let limits = [
        Limit(suffixes: ["swift", "c", "h"], lines: 400, columns: 100),
        Limit(suffixes: ["md", "json5", "service"], lines: 600, columns: 100),
        // Pages nest deeper, and a test in Python is a list of cases.
        Limit(suffixes: ["js", "mjs"], lines: 400, columns: 120),
        Limit(suffixes: ["py"], lines: 700, columns: 120),
    ]

    @Test("no Swift file has more than 400 lines, and no other more than its kind may")
    func fileLength() {
        let findings = Self.limits.flatMap { limit in
            SourceTree.files(suffixes: limit.suffixes).compactMap { file -> Finding? in
                let count = file.text.utf8.count(where: { $0 == UInt8(ascii: "\n") })
                guard count > limit.lines else { return nil }
                return Finding(
                    path: file.path, line: limit.lines, advice: "\(count) lines: cut it in two")
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("no line of Swift or prose has more than 100 columns, and no other more than 120")
    func lineLength() {
        let findings = Self.limits.flatMap { limit in
            SourceTree.files(suffixes: limit.suffixes).flatMap { file in
                Self.longLines(of: file, columns: limit.columns)
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    private static func longLines(of file: SourceFile, columns: Int) -> [Finding] {
        let long = file.lines.enumerated().filter { _, line in
            line.utf8.count > columns && line.count > columns
        }
        guard !long.isEmpty else { return [] }
        let code = file.path.hasSuffix(".swift") ? file.codeLines : []
        return long.compactMap { number, line in
            let cannotWrap =
                code.isEmpty ? isRow(line) : hasLongText(line, code: code[number])
            guard !cannotWrap else { return nil }
            return Finding(
                path: file.path, line: number + 1, advice: "\(line.count) columns: break it")
        }
    }

    /// A row of a table, or one long address or command.
    private static func isRow(_ line: Substring) -> Bool {
        let text = line.drop(while: { $0 == " " })
        return text.hasPrefix("|") || text.hasPrefix("`{") || !text.contains(" ")
    }

    /// A text of 70 characters and more, a message of JSON say, is read best in one piece.
    private static func hasLongText(_ line: Substring, code: Substring) -> Bool {
        guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return false }
        return line.count(where: { $0 != " " }) - code.count(where: { $0 != " " }) >= 70
    }

    @Test("no function has more than 70 lines")
    func functionLength() {
        let findings = SourceTree.files(suffixes: ["swift"]).flatMap { file in
            FunctionCounter.functions(in: file.codeLines).compactMap { function -> Finding? in
                guard function.lines > 70 else { return nil }
                return Finding(
                    path: file.path, line: function.start,
                    advice: "a function of \(function.lines) lines: name its parts")
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("functions are counted from their declaration to their closing brace")
    func counting() {
        let file = SourceFile(
            path: "Planted.swift",
            text: """
                protocol P {
                    func required()
                    var x: Int { get }
                }
                struct S {
                    init(
                        _ a: Int = { 1 }()
                    ) {
                        print("}")
                    }
                    func f() { if true { g() } }
                    func g() throws(E)
                        -> Int
                    {
                        // }
                        return 1
                    }
                }
                """)
        let functions = FunctionCounter.functions(in: file.codeLines)
        #expect(functions.map(\.start) == [6, 11, 12])
        #expect(functions.map(\.lines) == [5, 1, 6])
    }
}

/// Finds functions by their braces, in code without comments and texts.
enum FunctionCounter {
    struct Function: Equatable {
        /// From 1.
        var start: Int
        var lines: Int
    }

    static func functions(in lines: [Substring]) -> [Function] {
        lines.indices.compactMap { index in
            guard isDeclaration(lines[index]), let end = end(of: index, in: lines) else {
                return nil
            }
            return Function(start: index + 1, lines: end - index + 1)
        }
    }

    private static func isDeclaration(_ line: Substring) -> Bool {
        let words = line.split(whereSeparator: { " (<?".contains($0) })
        let isModifier: (Substring) -> Bool = { word in
            word.allSatisfy { $0.isLowercase || $0 == "@" || $0 == ")" }
        }
        guard let name = words.firstIndex(where: { ["func", "init", "subscript"].contains($0) })
        else { return false }
        return words[..<name].allSatisfy(isModifier)
            && !words[..<name].contains(where: { ["let", "var", "case", "return"].contains($0) })
    }

    /// The line with the brace that closes the body; nil for a declaration without one.
    private static func end(of start: Int, in lines: [Substring]) -> Int? {
        var parentheses = 0
        var braces = 0
        for index in start..<lines.count {
            if index > start, parentheses == 0, braces == 0, !continues(lines[index]) { return nil }
            for character in lines[index] {
                switch character {
                case "(", "[": parentheses += braces == 0 ? 1 : 0
                case ")", "]": parentheses -= braces == 0 ? 1 : 0
                case "{" where parentheses == 0: braces += 1
                case "}" where parentheses == 0:
                    braces -= 1
                    if braces <= 0 { return braces == 0 ? index : nil }
                default: break
                }
            }
        }
        return nil
    }

    /// Whether a line goes on with a declaration that has no body yet.
    private static func continues(_ line: Substring) -> Bool {
        let text = line.drop(while: { $0 == " " })
        return ["{", "->", "where ", "throws", "rethrows", ")"].contains { text.hasPrefix($0) }
            || text.isEmpty
    }
}
