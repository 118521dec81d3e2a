internal import CSQLite
internal import Glibc

/// A value bound to a parameter of a statement.
enum SQLiteValue {
    case integer(Int)
    case text(String)
    case blob([UInt8])
    case null
}

/// A prepared statement, kept for the life of its database and reset after every use.
///
/// Not thread-safe: its connection is opened without SQLite's mutexes and belongs to one thread.
@safe
final class Statement {
    private let handle: OpaquePointer

    fileprivate init(handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    /// Compiles `sql`, which is one statement.
    convenience init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
        var handle: OpaquePointer?
        // "SQLITE_PREPARE_PERSISTENT: a hint that the statement will be retained for a long time."
        let code = unsafe sqlite3_prepare_v3(
            connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            throw unsafe SQLiteError(code: ResultCode(raw: code), connection: connection)
        }
        unsafe self.init(handle: handle)
    }

    /// Frees the statement; it must not be used again.
    func finalize() {
        unsafe sqlite3_finalize(handle)
    }

    /// Binds `values` to the parameters 1, 2, 3 ...; the bytes are copied.
    func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        for (offset, value) in values.enumerated() {
            let code = bind(value, at: Int32(offset + 1))
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .integer(let number):
            return unsafe sqlite3_bind_int64(handle, index, Int64(number))
        case .null:
            return unsafe sqlite3_bind_null(handle, index)
        case .text(let text):
            var text = text
            return text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    unsafe homeboard_bind_text(
                        handle, index, characters.baseAddress, Int32(characters.count))
                }
            }
        case .blob(let bytes):
            // Without an address SQLite would bind NULL.
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe homeboard_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count))
            }
        }
    }

    /// Runs up to the next row; `nil` when there is none left.
    func step() throws(SQLiteError) -> Row? {
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return unsafe Row(handle: handle)
        case SQLITE_DONE: return nil
        default: throw error(code)
        }
    }

    /// Makes the statement ready for its next use and forgets the bound values.
    func reset() {
        // Both report only what `step` has reported before.
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    private func error(_ code: Int32) -> SQLiteError {
        guard let connection = unsafe sqlite3_db_handle(handle) else {
            return SQLiteError(code: ResultCode(raw: code), systemError: 0, message: "")
        }
        return unsafe SQLiteError(code: ResultCode(raw: code), connection: connection)
    }
}

/// The row a statement stands on; valid until the statement moves.
@safe
struct Row {
    private let handle: OpaquePointer

    fileprivate init(handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    func integer(_ column: Int32) -> Int {
        Int(unsafe sqlite3_column_int64(handle, column))
    }

    /// Text, as UTF-8; ill-formed bytes are replaced. Empty for NULL.
    func text(_ column: Int32) -> String {
        String(decoding: blob(column), as: UTF8.self)
    }

    /// A copy of the bytes; empty for NULL.
    func blob(_ column: Int32) -> [UInt8] {
        // "The safest policy is to invoke sqlite3_column_blob() followed by
        // sqlite3_column_bytes()."
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension SQLiteError {
    /// Reads what the connection knows of its last failure.
    init(code: ResultCode, connection: OpaquePointer) {
        // SQLite keeps the system's error for some failures only; then it is still where the system
        // put it.
        let lastError = errno
        let kept = unsafe sqlite3_system_errno(connection)
        let message = unsafe sqlite3_errmsg(connection)
        unsafe self.init(
            code: code,
            systemError: kept == 0 && code.primary == .ioError ? lastError : kept,
            message: message.map { unsafe String(cString: $0) } ?? "")
    }
}
