internal import BoardModel
package import BoardWire

extension SQLiteBoardStore {
    package func append(_ batches: [BoardBatch]) throws(StoreError) {
        var bytes = 0
        try transaction(about: batches.first?.id) { () throws(StoreError) in
            for batch in batches { bytes += try store(batch) }
        }
        uncheckedBytes += bytes
        // Under a load that never pauses, nobody calls `tidy`.
        checkpoint(whenOver: 8 << 20)
    }

    /// Writes one batch in the open transaction; returns about how many bytes that is.
    private func store(_ batch: BoardBatch) throws(StoreError) -> Int {
        let id = batch.id
        let found = try attempt(about: id) { () throws(SQLiteError) in try boardRow(id) }
        guard var head = found?.log else { throw .missing(id) }
        var bytes = 4_096
        for record in batch.records {
            guard record.entry == head.entry + 1 else {
                throw .outOfSequence(id, expected: head.entry + 1)
            }
            bytes += try insert(record, of: id, behind: &head)
        }
        if let snapshot = batch.snapshot {
            bytes += try write(snapshot, of: batch, head: &head)
        } else {
            precondition(!batch.resetsLog, "a log is only reset by a snapshot")
        }
        bytes += try keep(batch.points, of: id)
        // Points alone change nothing of the board.
        guard !batch.records.isEmpty || batch.snapshot != nil else { return bytes }
        try attempt(about: id) { () throws(SQLiteError) in
            try setLogHead(head, of: batch.head)
        }
        return bytes
    }

    private func insert(
        _ record: DecisionRecord, of id: BoardID, behind head: inout LogHead
    ) throws(StoreError) -> Int {
        let bytes = record.encode()
        var revision = SQLiteValue.null
        if case .applied(let commit) = record.outcome {
            head.revision = commit.revision
            revision = .integer(commit.revision)
        }
        head.entry = record.entry
        head.digest = LogDigest.next(after: head.digest, entry: head.entry, record: bytes)
        let (entry, digest) = (head.entry, head.digest)
        try attempt(about: id) { () throws(SQLiteError) in
            _ = try database.run(
                "INSERT INTO log(board, entry, revision, digest, record) VALUES(?, ?, ?, ?, ?)",
                .text(id.text), .integer(entry), revision, .blob(digest), .blob(bytes))
        }
        return bytes.count + 64
    }

    private func write(
        _ snapshot: BoardState, of batch: BoardBatch, head: inout LogHead
    ) throws(StoreError) -> Int {
        let (id, entry) = (batch.id, batch.snapshotEntry)
        guard entry >= head.baseEntry, entry <= head.entry || batch.resetsLog else {
            throw .outOfSequence(id, expected: head.entry)
        }
        // A replaced board may take a number for itself, which no record has.
        head.entry = max(head.entry, entry)
        head.epoch = snapshot.epoch
        if entry == head.entry { head.revision = snapshot.revision }
        let encoded = try SnapshotCodec.encode(snapshot)
        let trimmed = head
        head = try attempt(about: id) { () throws(SQLiteError) in
            try setSnapshot(encoded, of: id, entry: entry)
            let last = batch.resetsLog ? entry : try lastToTrim(id, head: trimmed, upTo: entry)
            return try trim(id, head: trimmed, upTo: last)
        }
        return encoded.state.count
    }

    func setSnapshot(
        _ snapshot: SnapshotCodec.Encoded, of id: BoardID, entry: Int
    ) throws(SQLiteError) {
        let digest = LogDigest.snapshot(id, entry: entry, snapshot)
        try database.run(
            "UPDATE snapshots SET entry = ?, digest = ?, state = ?, limits = ? WHERE board = ?",
            .integer(entry), .blob(digest), .blob(snapshot.state), .blob(snapshot.limits),
            .text(id.text))
    }

    /// The last entry that neither the snapshot nor a client's resume needs.
    ///
    /// A resume may ask for the last `window` commits; of a log with many decisions that made no
    /// commit, four times as many entries are kept at most.
    private func lastToTrim(
        _ id: BoardID, head: LogHead, upTo snapshotEntry: Int
    ) throws(SQLiteError) -> Int {
        let sql = """
            SELECT entry FROM log WHERE board = ? AND entry <= ? AND revision <= ?
            ORDER BY entry DESC LIMIT 1
            """
        let old = try database.first(
            sql, .text(id.text), .integer(snapshotEntry), .integer(head.revision - limits.window)
        ) { $0.integer(0) }
        return max(old ?? head.baseEntry, snapshotEntry - 4 * limits.window)
    }

    private func trim(
        _ id: BoardID, head: LogHead, upTo last: Int
    ) throws(SQLiteError) -> LogHead {
        guard last > head.baseEntry else { return head }
        var head = head
        let digest = try digest(of: last, on: id)
        head.baseEntry = last
        head.baseDigest = digest ?? head.digest
        try database.run(
            "DELETE FROM log WHERE board = ? AND entry <= ?", .text(id.text), .integer(last))
        return head
    }
}
