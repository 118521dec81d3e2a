internal import BoardModel
internal import BoardWire

/// Where the log of a board begins and ends, as its row in `boards` has it.
struct LogHead {
    var revision: Int
    var epoch: String
    /// The last entry, and the digest of the chain there.
    var entry: Int
    var digest: [UInt8]
    /// The entry before the oldest kept one, and the digest of the chain there.
    var baseEntry: Int
    var baseDigest: [UInt8]
}

extension SQLiteBoardStore {
    /// `nil` when there is no such board.
    func logHead(_ id: BoardID) throws(SQLiteError) -> LogHead? {
        let sql = """
            SELECT revision, epoch, entry, head_digest, base_entry, base_digest
            FROM boards WHERE id = ?
            """
        return try database.first(sql, .text(id.text)) { row in
            LogHead(
                revision: row.integer(0), epoch: row.text(1), entry: row.integer(2),
                digest: row.blob(3), baseEntry: row.integer(4), baseDigest: row.blob(5))
        }
    }

    func setLogHead(_ head: LogHead, of board: BoardHead) throws(SQLiteError) {
        let sql = """
            UPDATE boards SET title = ?, revision = ?, epoch = ?, icons = ?, entry = ?,
                head_digest = ?, base_entry = ?, base_digest = ?
            WHERE id = ?
            """
        try database.run(
            sql, .text(board.title), .integer(head.revision), .text(head.epoch),
            .integer(board.iconCount), .integer(head.entry), .blob(head.digest),
            .integer(head.baseEntry), .blob(head.baseDigest), .text(board.id.text))
    }
}
