package import BoardModel
package import BoardWire

/// How boards survive: the contract every store keeps, tried by one suite.
///
/// Synchronous, and for one thread. What a call returned from without an error is on the disk.
package protocol BoardStore: AnyObject {
    /// Every board, by identifier.
    func heads() throws(StoreError) -> BoardList

    /// Reads a board and decides again what its log holds beyond the snapshot.
    ///
    /// `nil` means that there is no such board, which is never the same as one that cannot be read.
    func load(_ id: BoardID) throws(StoreError) -> StoredBoard?

    /// Stores a new board; its log begins after entry 0. Throws `exists`.
    func create(_ state: BoardState) throws(StoreError)

    /// Stores all batches or none of them, in one transaction with one sync. A board may occur more
    /// than once.
    func append(_ batches: [BoardBatch]) throws(StoreError)

    /// The restore points of a board, the newest first, without what they hold.
    func points(of id: BoardID) throws(StoreError) -> [RestorePoint]

    /// A restore point; `nil` when there is none of that name. Throws `damaged` when it isn't what
    /// was written.
    func point(_ point: PointID, of id: BoardID) throws(StoreError) -> StoredPoint?

    /// Removes a restore point; `false` when there was none.
    func deletePoint(_ point: PointID, of id: BoardID) throws(StoreError) -> Bool

    /// Removes a board, its points and its log, damaged or not; `false` when there was none.
    func delete(_ id: BoardID) throws(StoreError) -> Bool

    /// Does what can wait until nobody waits. A failure shows in the next call.
    func tidy()

    /// Puts everything in order and lets the files go. The store must not be used again.
    func close()
}

/// What a store has.
package struct BoardList: Sendable {
    package var heads: [BoardHead] = []
    /// Boards whose entry in the list is not what was written, or is gone, with what is wrong.
    package var damaged: [(id: BoardID, what: String)] = []
    /// What else is wrong, in words for the operator.
    package var remarks: [String] = []

    package init(heads: [BoardHead] = []) {
        self.heads = heads
    }
}
