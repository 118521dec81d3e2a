import Foundation

/// A directory of a test's own, gone with the object.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        // In memory where there is such a place: what is tried here does not depend on how long a
        // busy disk takes to sync.
        let memory = "/dev/shm/"
        let parent =
            FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        path = parent + "homeboard-store-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The names in the directory, sorted.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    func bytes(of name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file(name)))
    }

    /// A copy of the files as they are now: what a killed process leaves.
    func copied() throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        // The shared-memory file is left out: it is rebuilt, and copying it would take its locks
        // off.
        for name in try names where !name.hasSuffix("-shm") && !name.hasSuffix(".lock") {
            try FileManager.default.copyItem(atPath: file(name), toPath: copy.file(name))
        }
        return copy
    }
}
