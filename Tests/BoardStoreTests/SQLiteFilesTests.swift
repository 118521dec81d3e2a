import BoardModel
import Foundation
import Testing

@testable import BoardStore

@Suite("The files of the SQLite store")
struct SQLiteFilesTests {
    private let database = DataDirectory.databaseName

    private func open(_ path: String) throws -> SQLiteBoardStore {
        try SQLiteBoardStore(directory: path, limits: BoardLimits(), lockPatienceMs: 40)
    }

    /// What opening the directory is refused with.
    private func refusal(_ path: String) throws -> String {
        let error = #expect(throws: StoreError.self) { try open(path) }
        guard case .unusable(let what) = error else {
            Issue.record("opening was answered \(String(describing: error))")
            return ""
        }
        return what
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("O-38: a second server on one directory is refused by name and changes nothing")
    func twoServers() throws {
        let directory = try TemporaryDirectory()
        let first = try open(directory.path)
        try first.create(sampleBoard("kitchen", icons: 3))
        let names = try directory.names
        let real = URL(fileURLWithPath: directory.path).resolvingSymlinksInPath().path
        #expect(
            throws: StoreError.locked(
                directory: real, holder: "process \(ProcessInfo.processInfo.processIdentifier)")
        ) { try open(directory.path) }
        #expect(try directory.names == names)
        first.close()
        let second = try open(directory.path)
        #expect(try second.load(id("kitchen")) != nil)
        second.close()
    }

    @Test("O-38: a lock file left behind, naming a living process, stops nobody")
    func staleLock() throws {
        let directory = try TemporaryDirectory()
        try Data("1\n".utf8).write(to: URL(fileURLWithPath: directory.file("homeboard.lock")))
        let store = try open(directory.path)
        store.close()
    }

    @Test("O-39: nobody else can read the files, or enter a directory made by us")
    func modes() throws {
        let parent = try TemporaryDirectory()
        let path = parent.file("a/data")
        let store = try open(path)
        try store.create(sampleBoard("kitchen", icons: 3))
        #expect(try mode(path) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(
            names == [database, database + "-shm", database + "-wal", "homeboard.lock"].sorted())
        for name in names { #expect(try mode(path + "/" + name) == 0o600, "\(name)") }
        store.close()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: path).sorted()
                == ["homeboard.heads", "homeboard.lock", database])
    }

    @Test("O-39: a linked directory works, a linked database is refused")
    func links() throws {
        let parent = try TemporaryDirectory()
        let store = try open(parent.file("real"))
        store.close()
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: parent.file("link"), withDestinationPath: parent.file("real"))
        let linked = try open(parent.file("link"))
        linked.close()
        try files.moveItem(atPath: parent.file("real/" + database), toPath: parent.file("moved"))
        try files.createSymbolicLink(
            atPath: parent.file("real/" + database), withDestinationPath: parent.file("moved"))
        #expect(try refusal(parent.file("real")).contains(database))
    }

    @Test("A store of a newer format is refused, and stays as it is")
    func newerFormat() throws {
        let directory = try TemporaryDirectory()
        try open(directory.path).close()
        try tamper(directory, "PRAGMA user_version = 3")
        let before = try directory.bytes(of: database)
        let what = try refusal(directory.path)
        #expect(what.contains("store format 3; this program knows up to 2"))
        #expect(try directory.bytes(of: database) == before)
    }

    @Test("Another program's database is refused")
    func otherProgram() throws {
        let directory = try TemporaryDirectory()
        try open(directory.path).close()
        try tamper(directory, "PRAGMA application_id = 7")
        #expect(try refusal(directory.path).contains("another program's"))
    }

    @Test(
        "O-31: a database file that holds nothing readable is refused and kept",
        arguments: ["empty", "NUL", "first page NUL", "text", "cut"])
    func unreadable(variant: String) throws {
        let directory = try TemporaryDirectory()
        let store = try open(directory.path)
        try store.create(sampleBoard("kitchen", icons: 200))
        store.close()
        var bytes = try directory.bytes(of: database)
        switch variant {
        case "empty": bytes = Data()
        case "NUL": bytes = Data(count: bytes.count)
        case "first page NUL": bytes.replaceSubrange(0..<4_096, with: Data(count: 4_096))
        case "text": bytes = Data("null".utf8)
        default: bytes = bytes.prefix(100)
        }
        try bytes.write(to: URL(fileURLWithPath: directory.file(database)))
        #expect(try refusal(directory.path).contains(database))
        #expect(try directory.bytes(of: database) == bytes)
    }

    @Test("O-31: a directory in the place of the database is refused")
    func directoryInPlace() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file(database), withIntermediateDirectories: false)
        #expect(try refusal(directory.path).contains(database))
    }

    @Test("O-31: a write-ahead log without its database is not thrown away")
    func orphanedLog() throws {
        let directory = try TemporaryDirectory()
        let store = try open(directory.path)
        try store.create(sampleBoard("kitchen", icons: 3))
        let killed = try directory.copied()
        store.close()
        try FileManager.default.removeItem(atPath: killed.file(database))
        let before = try killed.bytes(of: database + "-wal")
        #expect(try refusal(killed.path).contains("missing"))
        #expect(try killed.bytes(of: database + "-wal") == before)
    }

    @Test("O-31: a page of one board that turned to NUL leaves the other boards alone")
    func brokenPage() throws {
        let directory = try TemporaryDirectory()
        let store = try open(directory.path)
        try store.create(sampleBoard("attic", icons: 2))
        try store.create(sampleBoard("kitchen", icons: 400))
        store.close()
        // The last page belongs to the overflow of the larger snapshot.
        var bytes = try directory.bytes(of: database)
        bytes.replaceSubrange(bytes.count - 4_096..<bytes.count, with: Data(count: 4_096))
        try bytes.write(to: URL(fileURLWithPath: directory.file(database)))
        let reopened = try open(directory.path)
        let error = #expect(throws: StoreError.self) { try reopened.load(id("kitchen")) }
        guard case .damaged(id("kitchen"), _) = error else {
            Issue.record("answered \(String(describing: error))")
            return
        }
        #expect(try reopened.load(id("attic")) == Author(sampleBoard("attic", icons: 2)).stored)
        reopened.close()
    }

    @Test("A database half made before a kill is made again")
    func halfMade() throws {
        let directory = try TemporaryDirectory()
        try Data("half".utf8).write(
            to: URL(fileURLWithPath: directory.file(database + ".new")))
        let store = try open(directory.path)
        #expect(try store.heads().heads == [])
        store.close()
        #expect(try directory.names == ["homeboard.heads", "homeboard.lock", database])
    }

    @Test("Every commit is synced, and the log is written ahead")
    func settings() throws {
        let directory = try TemporaryDirectory()
        let store = try open(directory.path)
        let full = 2
        #expect(try store.database.first("PRAGMA synchronous") { $0.integer(0) } == full)
        #expect(try store.database.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(try store.database.first("PRAGMA foreign_keys") { $0.integer(0) } == 1)
        #expect(try store.database.first("PRAGMA wal_autocheckpoint") { $0.integer(0) } == 0)
        store.close()
    }

    @Test("A closed store refuses everything")
    func closed() throws {
        let directory = try TemporaryDirectory()
        let store = try open(directory.path)
        store.close()
        store.close()
        #expect(throws: StoreError.unusable("the store is closed")) { try store.heads() }
        #expect(throws: StoreError.unusable("the store is closed")) { try store.append([]) }
    }
}
