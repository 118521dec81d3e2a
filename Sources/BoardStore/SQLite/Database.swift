internal import CSQLite

/// One connection to one database file, on one thread.
///
/// SQLite says: "In multi-thread mode, SQLite can be safely used by multiple threads provided that
/// no single database connection nor any object derived from database connection, such as a
/// prepared statement, is used in two or more threads at the same time." The class is not Sendable,
/// so the compiler holds us to that, and the connection is opened without mutexes.
@safe
final class Database {
    private let connection: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var isOpen = true

    /// Opens an existing file. Fails when it isn't there: a database is only ever created under
    /// another name and moved into place whole. `isReadOnly`: nothing of it will be changed.
    init(path: String, isReadOnly: Bool = false) throws(SQLiteError) {
        var connection: OpaquePointer?
        // NOFOLLOW: a link in place of our file would take the boards to where its maker wants.
        let flags =
            (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX
            | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &connection, flags, nil)
        guard let connection = unsafe connection else {
            throw SQLiteError(code: ResultCode(raw: code), systemError: 0, message: "no memory")
        }
        guard code == SQLITE_OK else {
            let error = unsafe SQLiteError(code: ResultCode(raw: code), connection: connection)
            unsafe sqlite3_close_v2(connection)
            throw error
        }
        unsafe self.connection = connection
        _ = unsafe homeboard_make_defensive(connection)
    }

    deinit {
        close()
    }

    /// Frees everything. Does nothing the second time.
    func close() {
        guard isOpen else { return }
        isOpen = false
        for statement in statements.values { statement.finalize() }
        statements = [:]
        unsafe sqlite3_close_v2(connection)
    }

    /// Whether SQLite found that it may only read the file.
    var isReadOnly: Bool {
        unsafe sqlite3_db_readonly(connection, "main") == 1
    }

    /// Runs statements without parameters, not kept.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw unsafe SQLiteError(code: ResultCode(raw: code), connection: connection)
        }
    }

    /// Runs a statement that gives no rows; returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) -> Int {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() != nil {}
        return Int(unsafe sqlite3_changes(connection))
    }

    /// What `read` makes of the first row; `nil` when there is none.
    func first<Value>(
        _ sql: String, _ values: SQLiteValue..., read: (Row) -> Value
    ) throws(SQLiteError) -> Value? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        guard let row = try statement.step() else { return nil }
        return read(row)
    }

    /// What `read` makes of every row.
    func all<Value>(
        _ sql: String, _ values: SQLiteValue..., read: (Row) -> Value
    ) throws(SQLiteError) -> [Value] {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        var found: [Value] = []
        while let row = try statement.step() { found.append(read(row)) }
        return found
    }

    /// Takes back the open transaction, if the failure hasn't done so already.
    ///
    /// "If the transaction has already been rolled back automatically by the error response, then
    /// the ROLLBACK command will fail with an error, but no harm is caused by this."
    func rollBack() {
        guard unsafe sqlite3_get_autocommit(connection) == 0 else { return }
        _ = unsafe sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
    }

    /// Keeps `close` from copying the write-ahead log back, after a failure of the disk: the next
    /// process recovers from what is there.
    func abandon() {
        _ = unsafe homeboard_skip_checkpoint_on_close(connection)
    }

    /// Copies the write-ahead log into the database file; `truncating` also empties the log.
    ///
    /// Returns the number of pages the log held.
    @discardableResult
    func checkpoint(truncating: Bool) throws(SQLiteError) -> Int {
        var pages: Int32 = 0
        let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = unsafe sqlite3_wal_checkpoint_v2(connection, nil, mode, &pages, nil)
        guard code == SQLITE_OK else {
            throw unsafe SQLiteError(code: ResultCode(raw: code), connection: connection)
        }
        return Int(pages)
    }

    private func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let kept = statements[sql] { return kept }
        let made = try unsafe Statement(sql, on: connection)
        statements[sql] = made
        return made
    }
}
