package import BoardModel
internal import BoardWire

/// The store of a single server: one SQLite database in a directory of its own.
///
/// Write-ahead log with a sync at every commit. A directory has one server at a time.
package final class SQLiteBoardStore: BoardStore {
    let database: Database
    let limits: BoardLimits
    let directory: DataDirectory
    private(set) var headsFile: HeadsFile
    /// Why nothing may be asked of the store any more.
    private var failure: String?
    private var isClosed = false
    let isReadOnly: Bool
    /// Bytes stored since the write-ahead log was last copied into the database.
    var uncheckedBytes = 0

    /// Opens the boards of `directory`, or makes an empty store where there is none.
    ///
    /// - Parameters:
    ///   - directory: created with mode 0700 when missing; a symbolic link to one will do.
    ///   - limits: given to each board that is read.
    ///   - lockPatienceMs: how long to wait for another server that is just going.
    /// - Throws: `locked`, or `unusable` with the reason, which names the file.
    package init(
        directory: String, limits: BoardLimits, lockPatienceMs: Int = 1_000
    ) throws(StoreError) {
        self.limits = limits
        self.directory = try DataDirectory(directory, patienceMs: lockPatienceMs)
        do {
            database = try Self.open(in: self.directory)
            headsFile = try HeadsFile(in: self.directory)
        } catch {
            self.directory.release()
            throw error
        }
        isReadOnly = false
        // What a killed server left in the log is put away at the first quiet moment.
        uncheckedBytes = self.directory.size(of: DataDirectory.databaseName + "-wal") ?? 0
    }

    /// Opens the boards of `directory` to look at them as they are at this moment, whether a server
    /// has them or not. Nothing is changed, and what is committed later is not seen.
    ///
    /// - Parameters:
    ///   - directory: has to be there.
    ///   - file: the database's name in it, for one that is a backup.
    /// - Throws: `unusable` with the reason, which names the file.
    package init(
        reading directory: String, file: String = DataDirectory.databaseName
    ) throws(StoreError) {
        limits = BoardLimits()
        self.directory = try DataDirectory(reading: directory)
        isReadOnly = true
        // Before the database, which then has all that the file tells of.
        headsFile =
            file == DataDirectory.databaseName
            ? try HeadsFile(in: self.directory, isReadOnly: true) : HeadsFile(of: self.directory)
        database = try Self.openReading(self.directory.path + "/" + file)
    }

    package func heads() throws(StoreError) -> BoardList {
        try checkUsable()
        let rows = try attempt(about: nil) { () throws(SQLiteError) in
            try Self.boardRows(of: database)
        }
        var list = BoardList()
        if let damage = headsFile.damage { list.remarks.append(damage) }
        var missing = Set(headsFile.heads.keys)
        for row in rows {
            // Only damage makes an identifier that nobody could ask for.
            guard let id = BoardID(row.id) else {
                list.remarks.append("the table of boards has an identifier that no board has")
                continue
            }
            missing.remove(id)
            if let damage = try damage(to: row, of: id) {
                list.damaged.append((id, damage))
            } else {
                list.heads.append(
                    BoardHead(
                        id: id, title: row.title, revision: row.log.revision,
                        epoch: row.log.epoch, iconCount: row.icons))
            }
        }
        for id in missing.sorted() {
            if let damage = try damage(to: nil, of: id) { list.damaged.append((id, damage)) }
        }
        return list
    }

    /// What speaks against a row of `boards`, or against there being none.
    func damage(to row: BoardRow?, of id: BoardID) throws(StoreError) -> String? {
        if let row, !row.isWhole {
            return "its row in the table of boards does not match its digest"
        }
        return try headsFile.loss(of: id, now: row?.log.known) { entry throws(StoreError) in
            try attempt(about: id) { () throws(SQLiteError) in try digest(of: entry, on: id) }
        }
    }

    package func create(_ state: BoardState) throws(StoreError) {
        let id = state.id
        // Taken, be it by a board that was lost.
        guard headsFile.heads[id] == nil else { throw .exists(id) }
        let snapshot = try SnapshotCodec.encode(state)
        try transaction(about: id) { () throws(StoreError) in
            try attempt(about: id) { () throws(SQLiteError) in
                try insert(state, snapshot)
            }
        }
        uncheckedBytes += snapshot.state.count
    }

    private func insert(
        _ state: BoardState, _ snapshot: SnapshotCodec.Encoded
    ) throws(SQLiteError) {
        let id = state.id
        let start = LogDigest.start(id)
        let log = LogHead(
            revision: state.revision, epoch: state.epoch, entry: 0, digest: start, baseEntry: 0,
            baseDigest: start)
        try database.run(
            "INSERT INTO boards VALUES(?, '', 0, '', 0, 0, x'', 0, x'', x'')", .text(id.text))
        try setLogHead(log, of: BoardHead(state))
        try database.run(
            "INSERT INTO snapshots(board, entry, digest, state, limits) VALUES(?, 0, ?, ?, ?)",
            .text(id.text), .blob(LogDigest.snapshot(id, entry: 0, snapshot)),
            .blob(snapshot.state), .blob(snapshot.limits))
    }

    package func delete(_ id: BoardID) throws(StoreError) -> Bool {
        try checkUsable()
        // Before the database lets go of it: what isn't there any more would count as lost.
        try headsFile.remove(id)
        var rows = 0
        try transaction(about: id) { () throws(StoreError) in
            rows = try attempt(about: id) { () throws(SQLiteError) in
                try database.run("DELETE FROM points WHERE board = ?", .text(id.text))
                    + database.run("DELETE FROM log WHERE board = ?", .text(id.text))
                    + database.run("DELETE FROM snapshots WHERE board = ?", .text(id.text))
                    + database.run("DELETE FROM boards WHERE id = ?", .text(id.text))
            }
        }
        return rows > 0
    }

    package func tidy() {
        checkpoint(whenOver: 1 << 20)
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        if failure == nil, !isReadOnly {
            noteHeads()
            // Whether it works or not, the write-ahead log keeps what the file hasn't got.
            _ = try? database.checkpoint(truncating: true)
        }
        database.close()
        directory.release()
    }

    /// Copies the write-ahead log back once enough has gathered. Failing to is no loss, unless it
    /// is a sync that failed: then the next request is refused.
    func checkpoint(whenOver bytes: Int) {
        guard uncheckedBytes > bytes, failure == nil, !isClosed else { return }
        uncheckedBytes = 0
        noteHeads()
        do {
            try database.checkpoint(truncating: false)
        } catch {
            _ = storeError(error, about: nil)
        }
    }

    /// Writes down how far each board is stored. What is known to be lost stays known. Failing to
    /// is no loss: what the file said is true still.
    private func noteHeads() {
        var heads = headsFile.heads
        do {
            let rows = try attempt(about: nil) { () throws(SQLiteError) in
                try Self.boardRows(of: database)
            }
            for row in rows {
                guard let id = BoardID(row.id), try damage(to: row, of: id) == nil else { continue }
                heads[id] = row.log.known
            }
            try headsFile.write(heads)
        } catch {
            return
        }
    }

    /// Runs `body` in one transaction: all of it is on the disk afterwards, or none.
    func transaction(
        about id: BoardID?, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try checkUsable()
        do {
            try attempt(about: id) { () throws(SQLiteError) in
                try database.execute("BEGIN IMMEDIATE")
            }
            try body()
            try attempt(about: id) { () throws(SQLiteError) in try database.execute("COMMIT") }
        } catch {
            database.rollBack()
            throw error
        }
    }

    /// Runs `body`, with SQLite's errors put into ours.
    func attempt<Value>(
        about id: BoardID?, _ body: () throws(SQLiteError) -> Value
    ) throws(StoreError) -> Value {
        do {
            return try body()
        } catch {
            throw storeError(error, about: id)
        }
    }

    func checkUsable() throws(StoreError) {
        guard !isClosed else { throw .unusable("the store is closed") }
        if let failure { throw .unusable("the store failed before: \(failure)") }
    }

    /// What a failure of SQLite means to us; notes when it is the last.
    func storeError(_ error: SQLiteError, about id: BoardID?) -> StoreError {
        let what = "\(error.message) (SQLite \(error.code.raw), errno \(error.systemError))"
        switch StoreFailure(error) {
        case .noSpace, .busy:
            return .full(what)
        case .taken:
            if let id { return .exists(id) }
            return .failed(what)
        case .unreadable:
            if let id { return .damaged(id, what: what) }
            return .unusable("\(directory.databasePath) is damaged: \(what)")
        case .disk:
            failure = what
            database.abandon()
            return .failed(what)
        }
    }
}

@available(*, unavailable)
extension SQLiteBoardStore: Sendable {}
