internal import CSQLite

/// An extended result code of SQLite.
struct ResultCode: Hashable, Sendable {
    let raw: Int32

    static let ok = ResultCode(raw: SQLITE_OK)
    static let row = ResultCode(raw: SQLITE_ROW)
    static let done = ResultCode(raw: SQLITE_DONE)
    static let full = ResultCode(raw: SQLITE_FULL)
    static let constraint = ResultCode(raw: SQLITE_CONSTRAINT)
    static let corrupt = ResultCode(raw: SQLITE_CORRUPT)
    static let notADatabase = ResultCode(raw: SQLITE_NOTADB)
    static let ioError = ResultCode(raw: SQLITE_IOERR)
    static let busy = ResultCode(raw: SQLITE_BUSY)
    static let format = ResultCode(raw: SQLITE_FORMAT)

    /// Extended: a sync of a file failed, so that nobody knows what of it is on the disk.
    static let syncFailed = ResultCode(raw: SQLITE_IOERR | 4 << 8)
    /// Extended: a sync of a directory failed.
    static let directorySyncFailed = ResultCode(raw: SQLITE_IOERR | 5 << 8)
    /// Extended: bytes could not be read.
    static let readFailed = ResultCode(raw: SQLITE_IOERR | 1 << 8)
    /// Extended: a file ends before the bytes that should be there.
    static let shortRead = ResultCode(raw: SQLITE_IOERR | 2 << 8)

    /// The code without its detail.
    var primary: ResultCode { ResultCode(raw: raw & 0xFF) }
}

/// What SQLite said when a call failed.
struct SQLiteError: Error, Sendable {
    let code: ResultCode
    /// `errno` of the system call below; 0 when there was none.
    let systemError: Int32
    /// SQLite's own words, for the operator.
    let message: String
}
