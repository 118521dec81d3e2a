import Foundation
import Testing

@Suite("Sizes")
struct SizeTests {
    private static let linesMax = 400
    private static let columnsMax = 100
    private static let functionLinesMax = 70
    private static let code: Set = ["swift", "c", "h", "js", "mjs", "py"]
    private static let prose: Set = ["md", "json5", "css", "service"]

    @Test("no file has more than 400 lines")
    func fileLength() {
        let findings = SourceTree.files(suffixes: Self.code).compactMap { file -> Finding? in
            let count = file.text.utf8.count(where: { $0 == UInt8(ascii: "\n") })
            guard count > Self.linesMax else { return nil }
            return Finding(path: file.path, line: count, advice: "\(count) lines: cut it in two")
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("no line has more than 100 columns")
    func lineLength() {
        let findings = SourceTree.files(suffixes: Self.code.union(Self.prose)).flatMap { file in
            let isProse = file.path.hasSuffix(".md")
            return file.lines.enumerated().compactMap { number, line -> Finding? in
                guard line.utf8.count > Self.columnsMax, line.count > Self.columnsMax,
                    !(isProse && Self.cannotWrap(line))
                else { return nil }
                return Finding(
                    path: file.path, line: number + 1, advice: "\(line.count) columns: break it")
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    /// Rows of tables, and lines that are one long address or command.
    private static func cannotWrap(_ line: Substring) -> Bool {
        let text = line.drop(while: { $0 == " " })
        return text.hasPrefix("|") || text.hasPrefix("`{") || !text.contains(" ")
    }

    @Test("no function has more than 70 lines")
    func functionLength() {
        let findings = SourceTree.files(suffixes: ["swift"]).flatMap { file in
            FunctionCounter.functions(in: file.codeLines).compactMap { function -> Finding? in
                guard function.lines > Self.functionLinesMax else { return nil }
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
