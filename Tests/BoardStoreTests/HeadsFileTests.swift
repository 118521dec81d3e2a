import BoardModel
import BoardStore
import BoardWire
import Foundation
import Testing

/// Whatever is lost together with the write-ahead log is known from a file beside it.
@Suite("What was stored, kept apart from the log")
struct HeadsFileTests {
    private let directory: TemporaryDirectory
    private static let heads = "homeboard.heads"
    private static let database = "homeboard.sqlite3"

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ place: TemporaryDirectory? = nil) throws -> SQLiteBoardStore {
        try SQLiteBoardStore(directory: (place ?? directory).path, limits: BoardLimits())
    }

    /// Puts today's file beside yesterday's database.
    private func turnBack(to old: TemporaryDirectory) throws {
        try? FileManager.default.removeItem(atPath: old.file(Self.heads))
        try FileManager.default.copyItem(
            atPath: directory.file(Self.heads), toPath: old.file(Self.heads))
    }

    @Test("PER: commits that were lost with the log are missed, and the board isn't served")
    func lostTail() throws {
        var kitchen = Author(sampleBoard("kitchen", icons: 3))
        var attic = Author(sampleBoard("attic", icons: 3))
        let store = try open()
        try store.create(kitchen.state)
        try store.create(attic.state)
        try store.append([kitchen.batch(5), attic.batch(2)])
        store.close()
        let old = try directory.copied()
        let again = try open()
        try again.append([kitchen.batch(2)])
        again.close()
        try turnBack(to: old)

        let late = try open(old)
        let what = "the log ends with entry 5, and entry 7 was stored"
        #expect(throws: StoreError.damaged(kitchen.state.id, what: what)) {
            try late.load(kitchen.state.id)
        }
        #expect(try late.load(attic.state.id) == attic.stored)
        let list = try late.heads()
        #expect(list.damaged.map(\.id) == [kitchen.state.id])
        #expect(list.heads.map(\.id) == [attic.state.id])
        // What is known to be lost stays known, however often the store is closed.
        try late.append([attic.batch(1)])
        late.close()
        let later = try open(old)
        #expect(throws: StoreError.self) { try later.load(kitchen.state.id) }
    }

    @Test("PER: a board that the database has lost is damaged, not new")
    func lostBoard() throws {
        let store = try open()
        store.close()
        let old = try directory.copied()
        let board = sampleBoard("kitchen", icons: 3)
        let again = try open()
        try again.create(board)
        again.close()
        try turnBack(to: old)
        let late = try open(old)
        #expect(throws: StoreError.self) { try late.load(board.id) }
        #expect(throws: StoreError.exists(board.id)) { try late.create(board) }
        #expect(try late.heads().damaged.map(\.id) == [board.id])
        #expect(try late.delete(board.id) == false)
        try late.create(board)
        #expect(try late.load(board.id)?.state == board)
    }

    @Test("another history of the same length is missed too")
    func otherHistory() throws {
        var kitchen = Author(sampleBoard("kitchen", icons: 3))
        let store = try open()
        try store.create(kitchen.state)
        store.close()
        let old = try directory.copied()
        let again = try open()
        try again.append([kitchen.batch(2)])
        again.close()
        let other = try open(old)
        var twin = Author(sampleBoard("kitchen", icons: 3))
        try other.append([twin.batch([twin.addIcon(100), twin.addIcon(101), twin.rename()])])
        other.close()
        try turnBack(to: old)
        #expect(
            throws: StoreError.damaged(
                kitchen.state.id, what: "entry 2 is not the one that was stored")
        ) { try open(old).load(kitchen.state.id) }
    }

    @Test("a kill at any moment of a deletion or a replacement is no damage")
    func kills() throws {
        var kitchen = Author(sampleBoard("kitchen", icons: 3))
        let store = try open()
        try store.create(kitchen.state)
        try store.append([kitchen.batch(3)])
        store.close()
        let again = try open()
        // What a kill leaves between the two steps of a deletion: the board is off the file.
        let between = try directory.copied()
        try FileManager.default.removeItem(atPath: between.file(Self.heads))
        #expect(try open(between).load(kitchen.state.id) == kitchen.stored)

        try again.append([try kitchen.replace(epoch: "later")])
        #expect(try open(try directory.copied()).load(kitchen.state.id)?.state == kitchen.state)
        #expect(try again.delete(kitchen.state.id))
        #expect(try open(try directory.copied()).load(kitchen.state.id) == nil)
        #expect(try open(try directory.copied()).heads().damaged.isEmpty)
    }

    private static func lines(of place: TemporaryDirectory) throws -> [String] {
        String(decoding: try place.bytes(of: heads), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    @Test("a damaged file is put aside and reported, and says nothing against the boards")
    func damagedFile() throws {
        var kitchen = Author(sampleBoard("kitchen", icons: 3))
        let store = try open()
        try store.create(kitchen.state)
        try store.append([kitchen.batch(3)])
        store.close()
        var bytes = try directory.bytes(of: Self.heads)
        bytes[bytes.count - 3] ^= 1
        try bytes.write(to: URL(fileURLWithPath: directory.file(Self.heads)))
        let again = try open()
        #expect(try again.load(kitchen.state.id) == kitchen.stored)
        #expect(try again.heads().remarks.count == 1)
        #expect(try directory.bytes(of: Self.heads + ".damaged") == bytes)
        again.close()
        let later = try open()
        #expect(try later.heads().remarks.isEmpty)
        #expect(try HeadsFileTests.lines(of: directory).count == 3)
    }

    @Test("a row of the list that isn't what was written is reported, and not listed")
    func changedRow() throws {
        let store = try open()
        try store.create(sampleBoard("attic", icons: 1))
        try store.create(sampleBoard("kitchen", icons: 3))
        store.close()
        for set in ["title = 'Other'", "icons = 4", "revision = 1", "base_entry = 1"] {
            let copy = try directory.copied()
            try tamper(copy, "UPDATE boards SET \(set) WHERE id = 'kitchen'")
            let again = try open(copy)
            let list = try again.heads()
            #expect(list.heads.map(\.id) == [id("attic")], "\(set)")
            #expect(list.damaged.map(\.id) == [id("kitchen")], "\(set)")
            #expect(throws: StoreError.self, "\(set)") { try again.load(id("kitchen")) }
        }
    }
}
