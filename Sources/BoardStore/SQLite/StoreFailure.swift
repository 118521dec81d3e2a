internal import Glibc

/// The kinds of failure that lead to different answers.
enum StoreFailure {
    /// Nothing was stored for want of space.
    case noSpace
    /// Another program holds the database.
    case busy
    /// A row of that key is there already.
    case taken
    /// What is in the file is not what was put there.
    case unreadable
    /// The disk, the system or our own SQL is at fault: not to be tried again.
    case disk

    init(_ error: SQLiteError) {
        let code = error.code
        if code == .syncFailed || code == .directorySyncFailed {
            // The kernel may have dropped the pages and cleared the error: whatever the reason, a
            // second try would report a success that isn't one.
            self = .disk
        } else if code.primary == .full || error.isOutOfSpace {
            self = .noSpace
        } else if code.primary == .busy {
            self = .busy
        } else if code.primary == .constraint {
            self = .taken
        } else if [.corrupt, .notADatabase, .format].contains(code.primary)
            || code == .readFailed || code == .shortRead
        {
            self = .unreadable
        } else {
            self = .disk
        }
    }
}

extension SQLiteError {
    /// SQLite has a code of its own for ENOSPC alone, and not in all places.
    fileprivate var isOutOfSpace: Bool {
        code.primary == .ioError && (systemError == ENOSPC || systemError == EDQUOT)
    }
}
