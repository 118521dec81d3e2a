package import BoardModel
package import BoardWire

/// How boards survive: the contract every store keeps, tried by one suite.
///
/// Synchronous, and for one thread. What a call returned from without an error is on the disk.
package protocol BoardStore: AnyObject {
    /// Every board, by identifier, the ones that turn out to be damaged included.
    func heads() throws(StoreError) -> [BoardHead]

    /// Reads a board and decides again what its log holds beyond the snapshot.
    ///
    /// `nil` means that there is no such board, which is never the same as one that cannot be read.
    func load(_ id: BoardID) throws(StoreError) -> StoredBoard?

    /// Stores a new board; its log begins after entry 0. Throws `exists`.
    func create(_ state: BoardState) throws(StoreError)

    /// Stores all batches or none of them, in one transaction with one sync. A board may occur more
    /// than once.
    func append(_ batches: [BoardBatch]) throws(StoreError)

    /// Removes a board and its log, damaged or not; `false` when there was none.
    func delete(_ id: BoardID) throws(StoreError) -> Bool

    /// Does what can wait until nobody waits. A failure shows in the next call.
    func tidy()

    /// Puts everything in order and lets the files go. The store must not be used again.
    func close()
}

/// What the list of boards says of one.
package struct BoardHead: Sendable, Hashable {
    package var id: BoardID
    package var title: String
    package var revision: Int
    package var epoch: String
    package var iconCount: Int

    package init(id: BoardID, title: String, revision: Int, epoch: String, iconCount: Int) {
        self.id = id
        self.title = title
        self.revision = revision
        self.epoch = epoch
        self.iconCount = iconCount
    }

    package init(_ state: BoardState) {
        self.init(
            id: state.id, title: state.title, revision: state.revision, epoch: state.epoch,
            iconCount: state.iconCount)
    }
}

/// A board as read from the store.
package struct StoredBoard: Sendable, Equatable {
    package var state: BoardState
    /// The number of the last log entry in `state`; the next one is `entry + 1`.
    package var entry: Int
    /// The commits that are still kept, oldest first, without a gap up to the state's revision.
    package var commits: [Commit]

    package init(state: BoardState, entry: Int, commits: [Commit]) {
        self.state = state
        self.entry = entry
        self.commits = commits
    }
}

/// What one turn of the loop did to one board.
package struct BoardBatch: Sendable {
    package var id: BoardID
    /// The decisions, numbered without a gap from the board's last stored entry.
    package var records: [DecisionRecord]
    /// The state after entry `snapshotEntry`, to be written in place of the snapshot before; the
    /// log is then trimmed to what a resume may ask for.
    package var snapshot: BoardState?
    /// An entry from the last stored one up to the last of `records`.
    package var snapshotEntry: Int
    /// The board was replaced: the log up to `snapshotEntry` goes, commits included. Needs a
    /// snapshot.
    package var resetsLog: Bool
    /// The list entry after the batch. Title and icons are taken from it; revision and epoch follow
    /// from the records and the snapshot.
    package var head: BoardHead

    package init(
        id: BoardID, records: [DecisionRecord] = [], snapshot: BoardState? = nil,
        snapshotEntry: Int = 0, resetsLog: Bool = false, head: BoardHead
    ) {
        self.id = id
        self.records = records
        self.snapshot = snapshot
        self.snapshotEntry = snapshotEntry
        self.resetsLog = resetsLog
        self.head = head
    }
}
