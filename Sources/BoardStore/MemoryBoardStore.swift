package import BoardModel
package import BoardWire

/// A store that keeps its boards in memory, for tests: on a `MemoryDisk` that outlives it, as the
/// same bytes that would be in a database.
package final class MemoryBoardStore: BoardStore {
    private let disk: MemoryDisk
    private let limits: BoardLimits

    package init(disk: MemoryDisk = MemoryDisk(), limits: BoardLimits = BoardLimits()) {
        self.disk = disk
        self.limits = limits
    }

    package func heads() throws(StoreError) -> BoardList {
        BoardList(heads: try disk.read().values.map(\.head).sorted { $0.id < $1.id })
    }

    package func load(_ id: BoardID) throws(StoreError) -> StoredBoard? {
        guard let board = try disk.read()[id] else { return nil }
        let snapshot = try SnapshotCodec.decode(board.snapshot, of: id)
        var replay = Replay(snapshot, at: board.snapshotEntry, logAfter: board.baseEntry)
        for item in board.log { try replay.add(item.decoded(of: id)) }
        var found = try replay.finish(
            entry: board.entry, revision: board.head.revision, epoch: board.head.epoch)
        guard found.state.limits != limits else { return found }
        found.state.limits = limits
        let (newSnapshot, entry) = (try SnapshotCodec.encode(found.state), found.entry)
        try disk.change { boards throws(StoreError) in
            boards[id]?.snapshot = newSnapshot
            boards[id]?.snapshotEntry = entry
        }
        return found
    }

    package func create(_ state: BoardState) throws(StoreError) {
        try disk.change { boards throws(StoreError) in
            guard boards[state.id] == nil else { throw .exists(state.id) }
            boards[state.id] = try MemoryDisk.Board(state)
        }
    }

    package func append(_ batches: [BoardBatch]) throws(StoreError) {
        let window = limits.window
        try disk.change { boards throws(StoreError) in
            for batch in batches {
                guard var board = boards[batch.id] else { throw .missing(batch.id) }
                try board.append(batch, window: window)
                boards[batch.id] = board
            }
        }
    }

    package func delete(_ id: BoardID) throws(StoreError) -> Bool {
        var existed = false
        try disk.change { boards throws(StoreError) in
            existed = boards.removeValue(forKey: id) != nil
        }
        return existed
    }

    package func points(of id: BoardID) throws(StoreError) -> [RestorePoint] {
        try disk.read()[id]?.points.map(\.point).reversed() ?? []
    }

    package func point(_ point: PointID, of id: BoardID) throws(StoreError) -> StoredPoint? {
        try disk.read()[id]?.points.first { $0.point.id == point }
    }

    package func deletePoint(_ point: PointID, of id: BoardID) throws(StoreError) -> Bool {
        var existed = false
        try disk.change { boards throws(StoreError) in
            existed = boards[id]?.points.contains { $0.point.id == point } ?? false
            boards[id]?.points.removeAll { $0.point.id == point }
        }
        return existed
    }

    package func tidy() {}

    package func close() {}
}

@available(*, unavailable)
extension MemoryBoardStore: Sendable {}

extension MemoryDisk {
    /// One board as the store has it.
    package struct Board: Sendable {
        /// One record of the log, with the revision that it made, if any.
        struct Item: Sendable {
            var entry: Int
            var revision: Int?
            var record: [UInt8]
        }

        var snapshot: SnapshotCodec.Encoded
        var snapshotEntry = 0
        var baseEntry = 0
        var log: [Item] = []
        var entry = 0
        var head: BoardHead
        /// The oldest first.
        var points: [StoredPoint] = []

        init(_ state: BoardState) throws(StoreError) {
            snapshot = try SnapshotCodec.encode(state)
            head = BoardHead(state)
        }

        mutating func append(_ batch: BoardBatch, window: Int) throws(StoreError) {
            if !batch.records.isEmpty || batch.snapshot != nil {
                head.title = batch.head.title
                head.iconCount = batch.head.iconCount
            }
            points += batch.points
            for surplus in PointLimits.surplus(of: points.map(\.point)) {
                points.removeAll { $0.point.id == surplus }
            }
            for record in batch.records {
                guard record.entry == entry + 1 else {
                    throw .outOfSequence(batch.id, expected: entry + 1)
                }
                entry = record.entry
                var item = Item(entry: entry, record: record.encode())
                if case .applied(let commit) = record.outcome {
                    head.revision = commit.revision
                    item.revision = commit.revision
                }
                log.append(item)
            }
            guard let snapshot = batch.snapshot else {
                precondition(!batch.resetsLog, "a log is only reset by a snapshot")
                return
            }
            try take(snapshot, of: batch, window: window)
        }

        private mutating func take(
            _ snapshot: BoardState, of batch: BoardBatch, window: Int
        ) throws(StoreError) {
            let taken = batch.snapshotEntry
            guard taken >= baseEntry, taken <= entry || batch.resetsLog else {
                throw .outOfSequence(batch.id, expected: entry)
            }
            entry = max(entry, taken)
            head.epoch = snapshot.epoch
            if taken == entry { head.revision = snapshot.revision }
            self.snapshot = try SnapshotCodec.encode(snapshot)
            snapshotEntry = taken
            let last = batch.resetsLog ? taken : lastToTrim(window: window)
            guard last > baseEntry else { return }
            baseEntry = last
            log.removeAll { $0.entry <= last }
        }

        private func lastToTrim(window: Int) -> Int {
            let old = log.last { item in
                guard let revision = item.revision else { return false }
                return item.entry <= snapshotEntry && revision <= head.revision - window
            }
            return max(old?.entry ?? baseEntry, snapshotEntry - 4 * window)
        }
    }
}

extension MemoryDisk.Board.Item {
    fileprivate func decoded(of id: BoardID) throws(StoreError) -> DecisionRecord {
        do {
            return try DecisionRecord.decode(record)
        } catch {
            throw .damaged(id, what: "entry \(entry) cannot be read: \(error)")
        }
    }
}
