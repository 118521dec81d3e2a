import Foundation
import Testing

@Suite("Imports go strictly down")
struct ImportTests {
    /// The door each C module is behind.
    private static let doors = [
        "CLibwebsockets": "WebSocketTransport", "CLoopShims": "WebSocketTransport",
        "CSQLite": "BoardStore", "COpenSSL": "BoardStore",
    ]

    private static let sources = SourceTree.files(below: "Sources", suffixes: ["swift"])

    @Test("docs/ARCHITECTURE.md draws every module of Sources, and no other")
    func drawn() {
        let folders = Set(
            SourceTree.paths(below: "Sources").map { SourceFile(path: $0, text: "") }
                .map(\.module))
        #expect(Set(ModuleGraph.ranks.keys) == folders)
    }

    @Test("a module imports only what is drawn below it")
    func down() throws {
        let findings = Self.sources.flatMap { file in
            Self.imports(of: file).compactMap { line, name -> Finding? in
                guard let below = ModuleGraph.ranks[name] else { return nil }
                guard let rank = ModuleGraph.ranks[file.module], below >= rank else { return nil }
                return Finding(
                    path: file.path, line: line,
                    advice: "\(file.module) may not import \(name): see docs/ARCHITECTURE.md")
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("Package.swift declares each import, and only dependencies that go down")
    func declared() throws {
        let dependencies = ModuleGraph.dependencies
        try #require(dependencies["BoardServer"]?.isEmpty == false)
        let upward = dependencies.flatMap { module, names in
            names.filter { name in
                guard let rank = ModuleGraph.ranks[module] else { return false }
                return (ModuleGraph.ranks[name] ?? 0) >= rank
            }.map { "Package.swift: \(module) may not depend on \($0)" }
        }
        #expect(upward.isEmpty, "\(list(upward))")
        let findings = Self.sources.flatMap { file in
            Self.imports(of: file).compactMap { line, name -> Finding? in
                guard ModuleGraph.ranks[name] != nil,
                    !(dependencies[file.module] ?? []).contains(name)
                else { return nil }
                return Finding(
                    path: file.path, line: line,
                    advice: "declare \(name) as a dependency of \(file.module) in Package.swift")
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("C modules are imported behind their door only")
    func doorsHold() {
        let findings = Self.sources.flatMap { file in
            Self.imports(of: file).compactMap { line, name -> Finding? in
                guard let door = Self.doors[name], file.module != door else { return nil }
                return Finding(
                    path: file.path, line: line, advice: "only \(door) imports \(name)")
            }
        }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("the model and the wire need nothing but Swift, the rooms neither files nor threads")
    func pure() {
        let banned = ["Foundation", "Glibc", "Dispatch", "Synchronization"]
        let findings = Self.sources
            .filter { ["BoardModel", "BoardWire", "Collaboration"].contains($0.module) }
            .flatMap { file in
                Self.imports(of: file).filter { banned.contains($0.name) }.map { line, name in
                    Finding(
                        path: file.path, line: line,
                        advice: "\(file.module) does without \(name): take it as an argument")
                }
            }
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test("an import is read whatever stands before it")
    func reading() {
        let file = SourceFile(
            path: "Sources/Any/A.swift",
            text: """
                import One
                internal import Two
                @testable package import Three
                // import Four
                    internal import struct Five.Part
                let important = 6
                """)
        #expect(Self.imports(of: file).map(\.name) == ["One", "Two", "Three", "Five"])
        #expect(Self.imports(of: file).map(\.line) == [1, 2, 3, 5])
    }

    private static func imports(of file: SourceFile) -> [(line: Int, name: String)] {
        file.codeLines.enumerated().compactMap { number, line in
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: "import"), words.count > place + 1,
                words[..<place].allSatisfy({ isModifier($0) })
            else { return nil }
            let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var"]
            let isOfKind = kinds.contains(words[place + 1]) && words.count > place + 2
            let name = words[place + (isOfKind ? 2 : 1)].prefix { $0 != "." }
            return (number + 1, String(name))
        }
    }

    private static func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal", "private"].contains(word)
    }
}

/// The graph as docs/ARCHITECTURE.md draws it, and the dependencies as Package.swift declares them.
enum ModuleGraph {
    /// How high each module stands. A line of the drawing is a number and names.
    static let ranks: [String: Int] = {
        var ranks: [String: Int] = [:]
        var isDrawing = false
        for line in SourceFile(path: "docs/ARCHITECTURE.md").lines {
            if line.hasPrefix("```") { isDrawing = line == "```modules" }
            let words = line.split(separator: " ")
            guard isDrawing, let first = words.first, let rank = Int(first) else { continue }
            for name in words.dropFirst() { ranks[String(name)] = rank }
        }
        return ranks
    }()

    static let dependencies: [String: Set<String>] = {
        let text = SourceFile(path: "Package.swift").text
        var dependencies: [String: Set<String>] = [:]
        for kind in [".target(", ".executableTarget("] {
            for part in text.components(separatedBy: kind).dropFirst() {
                // The next target's declaration isn't this one's.
                let own = part.components(separatedBy: "arget(")[0]
                let lists = own.components(separatedBy: "dependencies: [")
                let names = lists.count > 1 ? lists[1].prefix { $0 != "]" } : ""
                guard let name = quoted(own).first else { continue }
                dependencies[name] = Set(quoted(String(names)))
            }
        }
        return dependencies
    }()

    private static func quoted(_ text: String) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
}
