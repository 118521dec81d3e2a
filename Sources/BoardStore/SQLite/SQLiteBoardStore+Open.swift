extension SQLiteBoardStore {
    /// Opens the database of a directory whose lock is held.
    static func open(in directory: DataDirectory) throws(StoreError) -> Database {
        let name = DataDirectory.databaseName
        let path = directory.databasePath
        if !directory.contains(name) {
            // Commits may be in there that are nowhere else.
            guard (directory.size(of: name + "-wal") ?? 0) == 0 else {
                throw .unusable("\(path) is missing, but its write-ahead log is there")
            }
            try makeDatabase(in: directory)
        }
        // SQLite takes an empty file for a new database. Ours never has this name while it is
        // empty.
        if directory.size(of: name) == 0 {
            throw .unusable("\(path) is damaged: it is empty")
        }
        if let log = try directory.contents(of: name + "-wal"),
            let damage = WriteAheadLog.damage(in: log)
        {
            throw .unusable("\(path)-wal is damaged: \(damage)")
        }
        let database: Database
        let objection: String?
        do {
            database = try Database(path: path)
            objection = try check(database)
        } catch {
            throw openError(error, at: path)
        }
        if let objection { throw .unusable("\(path) \(objection)") }
        return database
    }

    /// Writes the tables under another name first: what has the real name is whole.
    private static func makeDatabase(in directory: DataDirectory) throws(StoreError) {
        let newName = DataDirectory.databaseName + ".new"
        directory.remove(newName + "-journal")
        try directory.makeEmptyFile(newName)
        let path = directory.path + "/" + newName
        do {
            let database = try Database(path: path)
            defer { database.close() }
            try database.execute("PRAGMA synchronous = FULL")
            try database.execute(Schema.create)
        } catch {
            throw openError(error, at: path)
        }
        try directory.move(newName, to: DataDirectory.databaseName)
    }

    /// Tells our database from another and from a newer one before anything is written, then sets
    /// the connection up. Returns what speaks against the file.
    private static func check(_ database: Database) throws(SQLiteError) -> String? {
        if let objection = try objection(to: database) { return objection }
        let format = try database.first("PRAGMA user_version") { $0.integer(0) }
        try database.execute(Schema.configure)
        let mode = try database.first("PRAGMA journal_mode = WAL") { $0.text(0) }
        guard mode == "wal", !database.isReadOnly else { return "cannot be written to" }
        if format == 1 { try migrateFromFormat1(database) }
        // Opening does not look at the tables; a damaged one has to show now.
        _ = try database.first("SELECT count(*) FROM boards") { $0.integer(0) }
        return nil
    }

    /// All of it or nothing: a start that is cut off finds format 1 again.
    private static func migrateFromFormat1(_ database: Database) throws(SQLiteError) {
        do throws(SQLiteError) {
            try database.execute("BEGIN IMMEDIATE")
            try database.execute(Schema.fromFormat1)
            for row in try boardRows(of: database) {
                try database.run(
                    "UPDATE boards SET row_digest = ? WHERE id = ?",
                    .blob(row.expectedDigest), .text(row.id))
            }
            try database.execute("PRAGMA user_version = 2; COMMIT")
        } catch {
            database.rollBack()
            throw error
        }
    }

    /// Opens a database to look at it, at one moment of its life.
    static func openReading(_ path: String) throws(StoreError) -> Database {
        let objection: String?
        let database: Database
        do throws(SQLiteError) {
            database = try Database(path: path, isReadOnly: true)
            objection = try checkReading(database)
        } catch {
            throw openError(error, at: path)
        }
        if let objection { throw .unusable("\(path) \(objection)") }
        return database
    }

    private static func checkReading(_ database: Database) throws(SQLiteError) -> String? {
        if let objection = try objection(to: database) { return objection }
        let format = try database.first("PRAGMA user_version") { $0.integer(0) }
        guard format == Schema.format else {
            return "has an older store format; a start of the server makes it \(Schema.format)"
        }
        try database.execute("PRAGMA busy_timeout = 2000; PRAGMA trusted_schema = OFF; BEGIN")
        _ = try database.first("SELECT count(*) FROM boards") { $0.integer(0) }
        return nil
    }

    /// What speaks against a file that is no database of ours, or a newer one.
    private static func objection(to database: Database) throws(SQLiteError) -> String? {
        let application = try database.first("PRAGMA application_id") { $0.integer(0) }
        guard application == Schema.applicationID else { return "is another program's database" }
        let format = try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        guard format <= Schema.format else {
            return "has store format \(format); this program knows up to \(Schema.format)"
        }
        return format >= 1 ? nil : "has the unknown store format \(format)"
    }

    static func openError(_ error: SQLiteError, at path: String) -> StoreError {
        let what = "\(error.message) (SQLite \(error.code.raw), errno \(error.systemError))"
        switch StoreFailure(error) {
        case .noSpace: return .full("\(path): \(what)")
        case .unreadable: return .unusable("\(path) is damaged: \(what)")
        case .busy, .taken, .disk: return .unusable("cannot open \(path): \(what)")
        }
    }
}
