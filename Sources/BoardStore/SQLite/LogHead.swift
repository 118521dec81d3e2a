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

extension LogHead {
    init(_ row: Row, from column: Int32) {
        self.init(
            revision: row.integer(column), epoch: row.text(column + 1),
            entry: row.integer(column + 2), digest: row.blob(column + 3),
            baseEntry: row.integer(column + 4), baseDigest: row.blob(column + 5))
    }

    /// How far the board is, for the file that is kept apart.
    var known: HeadsFile.Head {
        HeadsFile.Head(entry: entry, revision: revision, digest: digest)
    }
}

/// A row of `boards`.
struct BoardRow {
    var id: String
    var title: String
    var icons: Int
    var log: LogHead
    var digest: [UInt8]

    static let columns = """
        id, title, icons, row_digest, revision, epoch, entry, head_digest, base_entry, base_digest
        """

    init(_ row: Row) {
        id = row.text(0)
        title = row.text(1)
        icons = row.integer(2)
        digest = row.blob(3)
        log = LogHead(row, from: 4)
    }

    /// What `digest` has to be.
    var expectedDigest: [UInt8] {
        LogDigest.row(id: id, title: title, icons: icons, log)
    }

    var isWhole: Bool { digest == expectedDigest }
}

extension SQLiteBoardStore {
    /// `nil` when there is no such board.
    func boardRow(_ id: BoardID) throws(SQLiteError) -> BoardRow? {
        try database.first(
            "SELECT \(BoardRow.columns) FROM boards WHERE id = ?", .text(id.text)
        ) { BoardRow($0) }
    }

    static func boardRows(of database: Database) throws(SQLiteError) -> [BoardRow] {
        try database.all("SELECT \(BoardRow.columns) FROM boards ORDER BY id") { BoardRow($0) }
    }

    func setLogHead(_ head: LogHead, of board: BoardHead) throws(SQLiteError) {
        let sql = """
            UPDATE boards SET title = ?, revision = ?, epoch = ?, icons = ?, entry = ?,
                head_digest = ?, base_entry = ?, base_digest = ?, row_digest = ?
            WHERE id = ?
            """
        let digest = LogDigest.row(
            id: board.id.text, title: board.title, icons: board.iconCount, head)
        try database.run(
            sql, .text(board.title), .integer(head.revision), .text(head.epoch),
            .integer(board.iconCount), .integer(head.entry), .blob(head.digest),
            .integer(head.baseEntry), .blob(head.baseDigest), .blob(digest), .text(board.id.text))
    }
}
