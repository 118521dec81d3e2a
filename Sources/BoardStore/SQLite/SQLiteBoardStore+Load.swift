package import BoardModel
package import BoardWire

extension SQLiteBoardStore {
    package func load(_ id: BoardID) throws(StoreError) -> StoredBoard? {
        try checkUsable()
        let row = try attempt(about: id) { () throws(SQLiteError) -> BoardRow? in
            try boardRow(id)
        }
        if let what = try damage(to: row, of: id) { throw .damaged(id, what: what) }
        if let row { return try applyLimits(to: rebuild(id, head: row.log)) }
        let hasRemains = try attempt(about: id) { () throws(SQLiteError) in
            try self.hasRemains(id)
        }
        guard !hasRemains else {
            throw .damaged(id, what: "its row in the table of boards is gone")
        }
        return nil
    }

    private func rebuild(_ id: BoardID, head: LogHead) throws(StoreError) -> StoredBoard {
        let (state, snapshotEntry) = try readSnapshot(id)
        var replay = Replay(state, at: snapshotEntry, logAfter: head.baseEntry)
        var digest = head.baseDigest
        for row in try readLog(id) {
            try replay.expect(row.entry)
            digest = LogDigest.next(after: digest, entry: row.entry, record: row.record)
            guard row.digest == digest else {
                throw .damaged(id, what: "entry \(row.entry) does not match its digest")
            }
            try replay.add(decode(row.record, entry: row.entry, of: id))
        }
        guard digest == head.digest else {
            throw .damaged(id, what: "the log does not end with entry \(head.entry)")
        }
        return try replay.finish(entry: head.entry, revision: head.revision, epoch: head.epoch)
    }

    /// Puts the board under the store's limits. When they are new, so is the snapshot: from here on
    /// the log is decided under them.
    private func applyLimits(to board: StoredBoard) throws(StoreError) -> StoredBoard {
        guard board.state.limits != limits, !isReadOnly else { return board }
        var board = board
        board.state.limits = limits
        let (id, entry) = (board.state.id, board.entry)
        let snapshot = try SnapshotCodec.encode(board.state)
        try transaction(about: id) { () throws(StoreError) in
            try attempt(about: id) { () throws(SQLiteError) in
                try setSnapshot(snapshot, of: id, entry: entry)
            }
        }
        return board
    }

    private func readSnapshot(_ id: BoardID) throws(StoreError) -> (BoardState, entry: Int) {
        let found = try attempt(about: id) { () throws(SQLiteError) in
            try database.first(
                "SELECT entry, digest, state, limits FROM snapshots WHERE board = ?",
                .text(id.text)
            ) { row in
                let snapshot = SnapshotCodec.Encoded(state: row.blob(2), limits: row.blob(3))
                return (entry: row.integer(0), digest: row.blob(1), snapshot: snapshot)
            }
        }
        guard let found else { throw .damaged(id, what: "the snapshot is gone") }
        guard found.digest == LogDigest.snapshot(id, entry: found.entry, found.snapshot) else {
            throw .damaged(id, what: "the snapshot does not match its digest")
        }
        return (try SnapshotCodec.decode(found.snapshot, of: id), found.entry)
    }

    /// The digest of the chain at an entry; `nil` when the log doesn't have it any more.
    func digest(of entry: Int, on id: BoardID) throws(SQLiteError) -> [UInt8]? {
        try database.first(
            "SELECT digest FROM log WHERE board = ? AND entry = ?", .text(id.text),
            .integer(entry)
        ) { $0.blob(0) }
    }

    private struct LogRow {
        var entry: Int
        var digest: [UInt8]
        var record: [UInt8]
    }

    private func readLog(_ id: BoardID) throws(StoreError) -> [LogRow] {
        try attempt(about: id) { () throws(SQLiteError) in
            try database.all(
                "SELECT entry, digest, record FROM log WHERE board = ? ORDER BY entry",
                .text(id.text)
            ) { row in LogRow(entry: row.integer(0), digest: row.blob(1), record: row.blob(2)) }
        }
    }

    private func decode(
        _ bytes: [UInt8], entry: Int, of id: BoardID
    ) throws(StoreError) -> DecisionRecord {
        do {
            return try DecisionRecord.decode(bytes)
        } catch {
            throw .damaged(id, what: "entry \(entry) cannot be read: \(error)")
        }
    }

    /// Whether other tables still hold something of a board without a row of its own.
    private func hasRemains(_ id: BoardID) throws(SQLiteError) -> Bool {
        let sql = """
            SELECT EXISTS(SELECT 1 FROM snapshots WHERE board = ?1)
                OR EXISTS(SELECT 1 FROM log WHERE board = ?1)
            """
        return try database.first(sql, .text(id.text)) { $0.integer(0) != 0 } ?? false
    }
}
