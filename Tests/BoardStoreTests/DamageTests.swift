import BoardModel
import BoardStore
import BoardWire
import Testing

/// One way to damage the board "kitchen", whose snapshot is of entry 10 and whose log goes to 20.
struct Damage: Sendable, CustomTestStringConvertible {
    let name: String
    let sql: String
    /// What the report has to name.
    let names: String

    var testDescription: String { name }

    private static func snapshot(_ name: String, _ expression: String) -> Damage {
        Damage(
            name: "snapshot \(name)",
            sql: "UPDATE snapshots SET state = \(expression) WHERE board = 'kitchen'",
            names: "snapshot")
    }

    /// `replace` on a blob works on its text; the last digit of a number is what a flipped bit
    /// hits.
    private static func record(_ entry: Int, _ name: String, _ expression: String) -> Damage {
        Damage(
            name: "record \(entry) \(name)",
            sql: """
                UPDATE log SET record = \(expression) WHERE board = 'kitchen' AND entry = \(entry)
                """,
            names: "entry \(entry)")
    }

    static let all: [Damage] = [
        snapshot("without its last byte", "substr(state, 1, length(state) - 1)"),
        snapshot("of 0 bytes", "x''"),
        snapshot("of NUL bytes", "zeroblob(length(state))"),
        snapshot(
            "with its first bytes NUL",
            "CAST(zeroblob(64) || substr(state, 65) AS BLOB)"),
        snapshot("with another title", "CAST(replace(state, 'Title', 'Tidle') AS BLOB)"),
        snapshot("null", "CAST('null' AS BLOB)"),
        snapshot("{}", "CAST('{}' AS BLOB)"),
        snapshot("[]", "CAST('[]' AS BLOB)"),
        Damage(
            name: "snapshot gone", sql: "DELETE FROM snapshots WHERE board = 'kitchen'",
            names: "snapshot"),
        Damage(
            name: "snapshot of another entry",
            sql: "UPDATE snapshots SET entry = 11 WHERE board = 'kitchen'", names: "snapshot"),
        Damage(
            name: "snapshot of another board",
            sql: """
                UPDATE snapshots SET (state, digest, entry) =
                    (SELECT state, digest, entry FROM snapshots WHERE board = 'attic')
                WHERE board = 'kitchen'
                """, names: "snapshot"),
        record(15, "with another title", "CAST(replace(record, 'Title', 'Tidle') AS BLOB)"),
        record(5, "behind the snapshot changed", "CAST(replace(record, 'Title', 'Tidle') AS BLOB)"),
        record(15, "of NUL bytes", "zeroblob(512)"),
        record(20, "cut short", "substr(record, 1, length(record) - 1)"),
        Damage(
            name: "record 15 missing",
            sql: "DELETE FROM log WHERE board = 'kitchen' AND entry = 15", names: "entry 15"),
        Damage(
            name: "oldest record missing",
            sql: "DELETE FROM log WHERE board = 'kitchen' AND entry = 1", names: "entry 1"),
        Damage(
            name: "last record missing",
            sql: "DELETE FROM log WHERE board = 'kitchen' AND entry = 20", names: "entry 20"),
        Damage(
            name: "log gone", sql: "DELETE FROM log WHERE board = 'kitchen'", names: "entry 20"),
        Damage(
            name: "records 15 and 16 swapped",
            sql: """
                UPDATE log SET entry = -15 WHERE board = 'kitchen' AND entry = 15;
                UPDATE log SET entry = 15 WHERE board = 'kitchen' AND entry = 16;
                UPDATE log SET entry = 16 WHERE board = 'kitchen' AND entry = -15;
                """, names: "entry 15"),
        Damage(
            name: "record 15 twice, as 21 too",
            sql: """
                INSERT INTO log SELECT board, 21, revision, digest, record FROM log
                WHERE board = 'kitchen' AND entry = 15
                """, names: "entry 21"),
        Damage(
            name: "row of the board gone",
            sql: "PRAGMA foreign_keys = OFF; DELETE FROM boards WHERE id = 'kitchen'",
            names: "row"),
        Damage(
            name: "head of the board moved back",
            sql: "UPDATE boards SET revision = 19 WHERE id = 'kitchen'", names: "row"),
    ]
}

@Suite("Damage")
struct DamageTests {
    @Test("O-31, O-35: is reported, kept and never taken for a board", arguments: Damage.all)
    func damage(_ damage: Damage) throws {
        let directory = try TemporaryDirectory()
        var kitchen = Author(sampleBoard("kitchen", icons: 40))
        var attic = Author(sampleBoard("attic", icons: 2))
        let first = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        try first.create(kitchen.state)
        try first.create(attic.state)
        try first.append([
            kitchen.batch(10, snapshot: true), attic.batch(3), kitchen.batch(10),
        ])
        #expect(try first.load(kitchen.state.id) == kitchen.stored)
        first.close()
        let whole = try storedRows(directory, of: kitchen.state.id)
        try tamper(directory, damage.sql)
        let before = try storedRows(directory, of: kitchen.state.id)
        if damage.names != "row", !damage.name.contains("entry") {
            #expect(before != whole, "nothing was damaged")
        }

        let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        let error = #expect(throws: StoreError.self) { try store.load(kitchen.state.id) }
        guard case .damaged(kitchen.state.id, let what) = error else {
            Issue.record("\(damage.name) was answered \(String(describing: error))")
            return
        }
        #expect(what.contains(damage.names), "\(what)")
        #expect(throws: StoreError.exists(kitchen.state.id)) { try store.create(kitchen.state) }
        try store.append([attic.batch(1)])
        #expect(try store.load(attic.state.id) == attic.stored)
        store.close()
        #expect(try storedRows(directory, of: kitchen.state.id) == before)
    }

    @Test("A damaged board can be deleted by name and made anew")
    func deletion() throws {
        let directory = try TemporaryDirectory()
        let board = sampleBoard("kitchen", icons: 3)
        var store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        try store.create(board)
        store.close()
        try tamper(directory, "UPDATE snapshots SET state = x''")
        store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        #expect(throws: StoreError.self) { try store.load(board.id) }
        #expect(try store.delete(board.id))
        try store.create(board)
        #expect(try store.load(board.id)?.state == board)
    }

    @Test("A log that another program's rules would decide otherwise is not served")
    func otherOutcome() throws {
        let directory = try TemporaryDirectory()
        var author = Author(sampleBoard("kitchen", icons: 3))
        let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        try store.create(author.state)
        var record = author.rename()
        record.outcome = .noop(revision: 0)
        try store.append([author.batch([record])])
        #expect(
            throws: StoreError.damaged(
                author.state.id, what: "entry 1 is no longer decided as it was")
        ) { try store.load(author.state.id) }
    }
}
