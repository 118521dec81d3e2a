import BoardModel
import BoardWire
import Foundation
import Testing

@testable import BoardStore

/// A small file system of its own in memory; `nil` where mounting is not allowed.
private final class SmallDisk {
    let path: String
    private let directory: TemporaryDirectory

    /// Whether this process may mount.
    static let canBeMade = ((try? SmallDisk(kilobytes: 64)) ?? nil) != nil

    init?(kilobytes: Int) throws {
        directory = try TemporaryDirectory()
        path = directory.path
        guard try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path) else {
            return nil
        }
    }

    deinit {
        _ = try? Self.run("umount", "-l", path)
    }

    func makeReadOnly() throws -> Bool {
        try Self.run("mount", "-o", "remount,ro", path)
    }

    private static func run(_ arguments: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

@Suite("The SQLite store on a bad disk", .serialized)
struct SQLiteDiskTests {
    /// Appends until the store refuses; what it refused is taken back.
    private func fill(_ store: SQLiteBoardStore, _ author: inout Author) throws -> StoreError? {
        for _ in 0..<20_000 {
            let before = author
            let batch = author.batch(4)
            do throws(StoreError) {
                try store.append([batch])
            } catch {
                author = before
                return error
            }
        }
        return nil
    }

    /// Whether the store refuses one more commit for want of space.
    private func refuses(_ store: SQLiteBoardStore, _ author: inout Author) throws -> Bool {
        var next = author
        do throws(StoreError) {
            try store.append([next.batch(1)])
            author = next
            return false
        } catch .full {
            return true
        }
    }

    private func expectFull(_ error: StoreError?) {
        guard case .full = error else {
            Issue.record("a full disk was answered \(String(describing: error))")
            return
        }
    }

    @Test(
        "O-33: a full disk refuses, keeps, and works again once there is space",
        .enabled(if: SmallDisk.canBeMade))
    func fullDisk() throws {
        let disk = try #require(try SmallDisk(kilobytes: 1_024))
        let ballast = disk.path + "/ballast"
        let store = try SQLiteBoardStore(directory: disk.path, limits: BoardLimits())
        var author = Author(sampleBoard("kitchen", icons: 200))
        try store.create(author.state)
        try Data(count: 300_000).write(to: URL(fileURLWithPath: ballast))
        expectFull(try fill(store, &author))
        // One commit may still fit where four did not.
        while try !refuses(store, &author) {}
        for _ in 0..<50 { #expect(try refuses(store, &author)) }
        #expect(try store.load(author.state.id) == author.stored)
        #expect(throws: StoreError.self) { try store.create(sampleBoard("attic", icons: 2_000)) }

        try FileManager.default.removeItem(atPath: ballast)
        for _ in 0..<10 { try store.append([author.batch(1)]) }
        #expect(try store.load(author.state.id) == author.stored)
        store.close()
        let reopened = try SQLiteBoardStore(directory: disk.path, limits: BoardLimits())
        #expect(try reopened.load(author.state.id) == author.stored)
        #expect(try reopened.load(id("attic")) == nil)
        reopened.close()
    }

    @Test("O-33: a database that may not grow refuses in the same way")
    func fullDatabase() throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        var author = Author(sampleBoard("kitchen", icons: 20))
        try store.create(author.state)
        try store.database.execute("PRAGMA max_page_count = 40")
        expectFull(try fill(store, &author))
        #expect(try store.load(author.state.id) == author.stored)
        try store.database.execute("PRAGMA max_page_count = 4000")
        try store.append([author.batch(1, snapshot: true)])
        #expect(try store.load(author.state.id) == author.stored)
        store.close()
    }

    @Test("O-39: a read-only directory is said at the start", .enabled(if: SmallDisk.canBeMade))
    func readOnly() throws {
        let disk = try #require(try SmallDisk(kilobytes: 1_024))
        let store = try SQLiteBoardStore(directory: disk.path, limits: BoardLimits())
        store.close()
        try #require(try disk.makeReadOnly())
        let error = #expect(throws: StoreError.self) {
            try SQLiteBoardStore(directory: disk.path, limits: BoardLimits())
        }
        guard case .unusable(let what) = error else {
            Issue.record("answered \(String(describing: error))")
            return
        }
        #expect(what.contains(disk.path))
    }

    @Test(
        "O-35: damage in the middle of the write-ahead log is said at the start",
        arguments: [
            0, 10, 24, 33, 45, 50, 60, 2_000,
        ])
    func damagedLog(offset: Int) throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        var author = Author(sampleBoard("kitchen", icons: 3))
        try store.create(author.state)
        for _ in 0..<10 { try store.append([author.batch(1)]) }
        let log = DataDirectory.databaseName + "-wal"
        let damaged = try directory.copied()
        var bytes = try damaged.bytes(of: log)
        bytes[offset] ^= 4
        try bytes.write(to: URL(fileURLWithPath: damaged.file(log)))
        let error = #expect(throws: StoreError.self) {
            try SQLiteBoardStore(directory: damaged.path, limits: BoardLimits())
        }
        guard case .unusable(let what) = error else {
            Issue.record("answered \(String(describing: error))")
            return
        }
        #expect(what.contains(log + " is damaged"))
        #expect(try damaged.bytes(of: log) == bytes)
        #expect(try store.load(author.state.id) == author.stored)
    }

    @Test("O-34: a log that was torn twice, behind the same commits, is not damaged")
    func tornTwice() throws {
        let log = DataDirectory.databaseName + "-wal"
        var directory = try TemporaryDirectory()
        var store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        var author = Author(sampleBoard("kitchen", icons: 3))
        try store.create(author.state)
        try store.append([author.batch(1)])
        // Each is torn at its beginning, whole behind, and leaves the end of the one before.
        for records in [400, 60, 20] {
            let before = try directory.bytes(of: log)
            var doomed = author
            try store.append([doomed.batch(records)])
            var after = try directory.bytes(of: log)
            let start = zip(before, after).enumerated().first { $1.0 != $1.1 }?.offset
            let torn = try directory.copied()
            store.close()
            after[(start ?? before.count) + 1_000] ^= 1
            try after.write(to: URL(fileURLWithPath: torn.file(log)))
            directory = torn
            store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
            #expect(try store.load(author.state.id) == author.stored, "\(records) records")
        }
        try store.append([author.batch(1)])
        #expect(try store.load(author.state.id) == author.stored)
        store.close()
    }

    @Test("A write-ahead log that was used more than once is not damaged")
    func reusedLog() throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        var author = Author(sampleBoard("kitchen", icons: 3))
        try store.create(author.state)
        for round in 0..<60 {
            try store.append([author.batch(1, snapshot: round % 7 == 0)])
            if round % 20 == 0 { try store.database.checkpoint(truncating: false) }
            let killed = try directory.copied()
            let reopened = try SQLiteBoardStore(directory: killed.path, limits: BoardLimits())
            #expect(try reopened.load(author.state.id) == author.stored)
            reopened.close()
        }
    }

    @Test("O-34: a torn end of the write-ahead log costs the last transaction alone")
    func tornLog() throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        var author = Author(sampleBoard("kitchen", icons: 3))
        try store.create(author.state)
        try store.append([author.batch(30)])
        let whole = author.stored
        let log = DataDirectory.databaseName + "-wal"
        let end = try directory.bytes(of: log).count
        try store.append([author.batch(1)])
        let last = author.stored
        let longer = try directory.bytes(of: log).count
        for cut in stride(from: 1, through: longer - end, by: 97) + [longer - end] {
            let torn = try directory.copied()
            let bytes = try torn.bytes(of: log)
            try bytes.prefix(longer - cut).write(to: URL(fileURLWithPath: torn.file(log)))
            let reopened = try SQLiteBoardStore(directory: torn.path, limits: BoardLimits())
            #expect(try reopened.load(author.state.id) == whole, "\(cut) bytes cut")
            var next = Author(whole.state, entry: whole.entry, commits: whole.commits, seq: 30)
            for _ in 0..<3 { try reopened.append([next.batch(1)]) }
            let again = try torn.copied()
            reopened.close()
            let second = try SQLiteBoardStore(directory: again.path, limits: BoardLimits())
            #expect(try second.load(author.state.id) == next.stored, "\(cut) bytes cut")
            second.close()
        }
        #expect(try store.load(author.state.id) == last)
    }
}
