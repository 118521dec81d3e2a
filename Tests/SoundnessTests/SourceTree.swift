import Foundation

/// The files of this repository, found from where this file was compiled.
enum SourceTree {
    static let root: URL = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What is made, not written.
    private static let skipped: Set<String> = [
        "data", "node_modules", "__pycache__", "artifacts", "screenshots",
    ]

    /// Every file below `folder` (all of the repository when empty), by its path from the root.
    static func paths(below folder: String = "") -> [String] {
        let start = root.appending(path: folder)
        let keys: [URLResourceKey] = [.isDirectoryKey]
        let files = FileManager.default.enumerator(at: start, includingPropertiesForKeys: keys)
        var paths: [String] = []
        while let file = files?.nextObject() as? URL {
            let name = file.lastPathComponent
            let isDirectory = try? file.resourceValues(forKeys: Set(keys)).isDirectory
            if isDirectory ?? false {
                // The only hidden folder that is ours is the one of the checks.
                if name.hasPrefix(".") && name != ".ci" || skipped.contains(name) {
                    files?.skipDescendants()
                }
                continue
            }
            // In a linked worktree, a file of git's that says where the repository is.
            if name == ".git" { continue }
            paths.append(String(file.standardizedFileURL.path.dropFirst(rootPath.count + 1)))
        }
        return paths.sorted()
    }

    /// The files below `folder` with one of these suffixes.
    static func files(below folder: String = "", suffixes: Set<String>) -> [SourceFile] {
        paths(below: folder).filter { suffixes.contains(URL(filePath: $0).pathExtension) }
            .map { SourceFile(path: $0) }
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private static let rootPath = root.standardizedFileURL.path
}

/// One file: its text, and for Swift and C its code without comments and texts.
struct SourceFile {
    /// From the root, like `Sources/BoardModel/Board.swift`.
    let path: String
    let text: String

    init(path: String) {
        let data = FileManager.default.contents(atPath: SourceTree.root.appending(path: path).path)
        self.init(path: path, text: String(decoding: data ?? Data(), as: UTF8.self))
    }

    init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The same lines with comments and the insides of texts blanked out.
    var codeLines: [Substring] {
        CodeOnly.of(text).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The folder below `Sources` or `Tests`: the module.
    var module: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }
}

/// What is wrong, where, and what to do instead.
struct Finding: CustomStringConvertible, Equatable {
    var path: String
    /// From 1.
    var line: Int
    var advice: String

    var description: String { "\(path):\(line): \(advice)" }
}

/// Findings as the text of a failure.
func list(_ findings: [some CustomStringConvertible]) -> String {
    findings.map(\.description).joined(separator: "\n")
}
