/// The tables of store format 2 and the settings of a connection.
///
/// - `boards` has one small row a board, rewritten at each batch. `entry` and `head_digest` name
///   the last log entry, so that a log that lost its end is noticed; `base_entry` and `base_digest`
///   name the entry before the oldest one kept. `row_digest` is over all of the row.
/// - `snapshots` holds the whole state apart from that row, since SQLite rewrites a row whole;
///   `limits` are those under which the log since was decided.
/// - `points` has the restore points of boards, in the order of their making.
/// - `log` holds the decisions; `revision` is NULL for those that made no commit.
enum Schema {
    /// "HMBD": what tells our file from another program's database.
    static let applicationID = 0x484D_4244
    /// The store format this program writes, and the newest it reads.
    static let format = 2

    static let create = """
        BEGIN;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(format);
        CREATE TABLE boards(
            id TEXT NOT NULL PRIMARY KEY,
            title TEXT NOT NULL,
            revision INTEGER NOT NULL,
            epoch TEXT NOT NULL,
            icons INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            head_digest BLOB NOT NULL,
            base_entry INTEGER NOT NULL,
            base_digest BLOB NOT NULL,
            row_digest BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE snapshots(
            board TEXT NOT NULL UNIQUE REFERENCES boards(id),
            entry INTEGER NOT NULL,
            digest BLOB NOT NULL,
            state BLOB NOT NULL,
            limits BLOB NOT NULL
        ) STRICT;
        CREATE TABLE log(
            board TEXT NOT NULL REFERENCES boards(id),
            entry INTEGER NOT NULL,
            revision INTEGER,
            digest BLOB NOT NULL,
            record BLOB NOT NULL,
            PRIMARY KEY(board, entry)
        ) STRICT, WITHOUT ROWID;
        \(createPoints)
        COMMIT;
        """

    static let createPoints = """
        CREATE TABLE points(
            number INTEGER PRIMARY KEY,
            board TEXT NOT NULL REFERENCES boards(id),
            id TEXT NOT NULL,
            name TEXT NOT NULL,
            at INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            icons INTEGER NOT NULL,
            automatic INTEGER NOT NULL,
            content BLOB NOT NULL,
            digest BLOB NOT NULL,
            UNIQUE(board, id)
        ) STRICT;
        """

    /// Set on each connection. Checkpoints are made by the store itself, which must see them fail:
    /// SQLite's automatic ones keep their errors to themselves.
    static let configure = """
        PRAGMA busy_timeout = 2000;
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        PRAGMA wal_autocheckpoint = 0;
        """

    /// From format 1, which did not hash the rows of `boards` and had no points; the digests are
    /// filled in after it, in the same transaction.
    static let fromFormat1 = """
        ALTER TABLE boards ADD COLUMN row_digest BLOB NOT NULL DEFAULT x'';
        \(createPoints)
        """
}
