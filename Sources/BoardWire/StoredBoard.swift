public import BoardModel

/// What a list of boards shows of one, without loading it.
public struct BoardHead: Hashable, Sendable {
    public var id: BoardID
    public var title: String
    public var revision: Int
    public var epoch: String
    /// How many icons the board has.
    public var icons: Int

    public init(id: BoardID, title: String, revision: Int, epoch: String, icons: Int) {
        self.id = id
        self.title = title
        self.revision = revision
        self.epoch = epoch
        self.icons = icons
    }

    public init(_ state: BoardState) {
        self.init(
            id: state.id, title: state.title, revision: state.revision, epoch: state.epoch,
            icons: state.iconCount)
    }
}

/// A board as it came back from the store.
public struct StoredBoard: Sendable {
    public var state: BoardState
    /// The number of the last log entry that `state` includes.
    public var entry: Int
    /// The latest commits still kept, oldest first, without a gap up to `state.revision`.
    public var commits: [Commit]

    public init(state: BoardState, entry: Int, commits: [Commit]) {
        self.state = state
        self.entry = entry
        self.commits = commits
    }
}

/// What one board adds to a batch, all of which is stored or nothing.
public struct BoardBatch: Sendable {
    public var head: BoardHead
    /// The decisions since the last batch, in order, numbered without a gap.
    public var records: [DecisionRecord]
    /// The whole board as of `snapshotEntry`, when the log should start anew from there.
    public var snapshot: BoardState?
    public var snapshotEntry: Int
    /// The history before this batch is gone (the board was replaced): no commit of it is served.
    public var resetsLog: Bool

    public init(
        head: BoardHead, records: [DecisionRecord] = [], snapshot: BoardState? = nil,
        snapshotEntry: Int, resetsLog: Bool = false
    ) {
        self.head = head
        self.records = records
        self.snapshot = snapshot
        self.snapshotEntry = snapshotEntry
        self.resetsLog = resetsLog
    }

    public var id: BoardID { head.id }
}
