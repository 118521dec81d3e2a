package import BoardModel
package import BoardWire
internal import Foundation

/// Restore points: whole boards beside the log.
extension SQLiteBoardStore {
    private static let columns = "id, name, at, revision, icons, automatic, content, digest"

    private struct PointRow {
        var point: RestorePoint?
        var content: [UInt8]
        var digest: [UInt8]

        init(_ row: Row) {
            point = PointID(row.text(0)).map { id in
                RestorePoint(
                    id: id, name: row.text(1), at: row.integer(2), revision: row.integer(3),
                    iconCount: row.integer(4), isAutomatic: row.integer(5) != 0)
            }
            content = row.blob(6)
            digest = row.blob(7)
        }
    }

    package func points(of id: BoardID) throws(StoreError) -> [RestorePoint] {
        try checkUsable()
        let rows = try attempt(about: id) { () throws(SQLiteError) in
            try database.all(
                "SELECT \(Self.columns) FROM points WHERE board = ? ORDER BY number DESC",
                .text(id.text)
            ) { PointRow($0) }
        }
        var points: [RestorePoint] = []
        for row in rows { points.append(try whole(row, of: id)) }
        return points
    }

    package func point(_ point: PointID, of id: BoardID) throws(StoreError) -> StoredPoint? {
        try checkUsable()
        let row = try attempt(about: id) { () throws(SQLiteError) in
            try database.first(
                "SELECT \(Self.columns) FROM points WHERE board = ? AND id = ?", .text(id.text),
                .text(point.text)
            ) { PointRow($0) }
        }
        guard let row else { return nil }
        let found = try whole(row, of: id)
        do {
            let board = try JSONDecoder().decode(Board.self, from: Data(row.content))
            return StoredPoint(found, board)
        } catch {
            throw .damaged(id, what: "restore point \(point) cannot be read")
        }
    }

    private func whole(_ row: PointRow, of id: BoardID) throws(StoreError) -> RestorePoint {
        guard let point = row.point, row.digest == LogDigest.point(point, row.content, of: id)
        else {
            throw .damaged(id, what: "a restore point does not match its digest")
        }
        return point
    }

    package func deletePoint(_ point: PointID, of id: BoardID) throws(StoreError) -> Bool {
        var rows = 0
        try transaction(about: id) { () throws(StoreError) in
            rows = try attempt(about: id) { () throws(SQLiteError) in
                try deletePoint(row: point, of: id)
            }
        }
        return rows > 0
    }

    private func deletePoint(row point: PointID, of id: BoardID) throws(SQLiteError) -> Int {
        try database.run(
            "DELETE FROM points WHERE board = ? AND id = ?", .text(id.text), .text(point.text))
    }

    /// Adds points in the open transaction; answers about how many bytes that is.
    func keep(_ points: [StoredPoint], of id: BoardID) throws(StoreError) -> Int {
        guard !points.isEmpty else { return 0 }
        var bytes = 0
        for stored in points {
            let content = encode(board: stored.board)
            bytes += content.count
            let (point, digest) = (
                stored.point, LogDigest.point(stored.point, content, of: id)
            )
            try attempt(about: id) { () throws(SQLiteError) in
                _ = try database.run(
                    "INSERT INTO points(board, \(Self.columns)) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    .text(id.text), .text(point.id.text), .text(point.name), .integer(point.at),
                    .integer(point.revision), .integer(point.iconCount),
                    .integer(point.isAutomatic ? 1 : 0), .blob(content), .blob(digest))
            }
        }
        let surplus = PointLimits.surplus(of: try self.points(of: id).reversed())
        try attempt(about: id) { () throws(SQLiteError) in
            for point in surplus { _ = try deletePoint(row: point, of: id) }
        }
        return bytes
    }
}
