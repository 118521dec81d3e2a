internal import BoardModel
internal import BoardStore
internal import BoardWire

/// A store that tells the judge what it did.
final class JudgedStore: BoardStore {
    private let store: MemoryBoardStore
    private let judge: Judge

    init(disk: MemoryDisk, judge: Judge) {
        store = MemoryBoardStore(disk: disk)
        self.judge = judge
    }

    func heads() throws(StoreError) -> BoardList { try store.heads() }

    func load(_ id: BoardID) throws(StoreError) -> StoredBoard? {
        do {
            let found = try store.load(id)
            judge.loaded(id, found)
            return found
        } catch {
            judge.complain("the store cannot read \(id): \(error)")
            throw error
        }
    }

    func create(_ state: BoardState) throws(StoreError) {
        try store.create(state)
        judge.created(state)
    }

    func append(_ batches: [BoardBatch]) throws(StoreError) {
        try store.append(batches)
        for batch in batches { judge.stored(batch) }
    }

    func delete(_ id: BoardID) throws(StoreError) -> Bool { try store.delete(id) }

    func points(of id: BoardID) throws(StoreError) -> [RestorePoint] { try store.points(of: id) }

    func point(_ point: PointID, of id: BoardID) throws(StoreError) -> StoredPoint? {
        try store.point(point, of: id)
    }

    func deletePoint(_ point: PointID, of id: BoardID) throws(StoreError) -> Bool {
        try store.deletePoint(point, of: id)
    }

    func tidy() { store.tidy() }

    func close() { store.close() }
}

@available(*, unavailable)
extension JudgedStore: Sendable {}
