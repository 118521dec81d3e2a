import BoardModel
import Foundation

@testable import BoardStore

/// Does to a closed store's files what a broken disk or a curious person does.
func tamper(_ directory: TemporaryDirectory, _ sql: String...) throws {
    let database = try Database(path: directory.file(DataDirectory.databaseName))
    defer { database.close() }
    for statement in sql { try database.execute(statement) }
    try database.checkpoint(truncating: true)
}

/// What is stored of a board, row by row.
func storedRows(_ directory: TemporaryDirectory, of id: BoardID) throws -> [[UInt8]] {
    let database = try Database(path: directory.file(DataDirectory.databaseName))
    defer { database.close() }
    return try database.all(
        "SELECT state FROM snapshots WHERE board = ?1", .text(id.text)
    ) { $0.blob(0) }
        + database.all(
            "SELECT record FROM log WHERE board = ?1 ORDER BY entry", .text(id.text)
        ) { $0.blob(0) }
}
