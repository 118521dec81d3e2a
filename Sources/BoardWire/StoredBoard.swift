public import BoardModel

/// What the list of boards says of one.
public struct BoardHead: Sendable, Hashable {
    public var id: BoardID
    public var title: String
    public var revision: Int
    public var epoch: String
    public var iconCount: Int

    public init(id: BoardID, title: String, revision: Int, epoch: String, iconCount: Int) {
        self.id = id
        self.title = title
        self.revision = revision
        self.epoch = epoch
        self.iconCount = iconCount
    }

    public init(_ state: BoardState) {
        self.init(
            id: state.id, title: state.title, revision: state.revision, epoch: state.epoch,
            iconCount: state.iconCount)
    }
}

/// A board as read from the store.
public struct StoredBoard: Sendable, Equatable {
    public var state: BoardState
    /// The number of the last log entry in `state`; the next one is `entry + 1`.
    public var entry: Int
    /// The commits that are still kept, oldest first, without a gap up to the state's revision.
    public var commits: [Commit]

    public init(state: BoardState, entry: Int, commits: [Commit]) {
        self.state = state
        self.entry = entry
        self.commits = commits
    }
}

/// A board as it was at some time, kept to be brought back.
public struct RestorePoint: Sendable, Hashable {
    public var id: PointID
    public var name: String
    /// Milliseconds since 1970.
    public var at: Int
    /// The board's when the point was made.
    public var revision: Int
    public var iconCount: Int
    /// Made by the server, before another was restored.
    public var isAutomatic: Bool

    public init(
        id: PointID, name: String, at: Int, revision: Int, iconCount: Int, isAutomatic: Bool
    ) {
        self.id = id
        self.name = name
        self.at = at
        self.revision = revision
        self.iconCount = iconCount
        self.isAutomatic = isAutomatic
    }
}

/// Names a restore point of its board.
public typealias PointID = Slug

/// A restore point with what it holds.
public struct StoredPoint: Sendable, Hashable {
    public var point: RestorePoint
    public var board: Board

    public init(_ point: RestorePoint, _ board: Board) {
        self.point = point
        self.board = board
    }
}

/// What one turn of the loop did to one board.
public struct BoardBatch: Sendable {
    public var id: BoardID
    /// The decisions, numbered without a gap from the board's last stored entry.
    public var records: [DecisionRecord]
    /// The state after entry `snapshotEntry`, to be written in place of the snapshot before; the
    /// log is then trimmed to what a resume may ask for.
    public var snapshot: BoardState?
    /// An entry from the last stored one up to the last of `records`.
    public var snapshotEntry: Int
    /// The board was replaced: the log up to `snapshotEntry` goes, commits included. Needs a
    /// snapshot.
    public var resetsLog: Bool
    /// The list entry after the batch. Title and icons are taken from it; revision and epoch follow
    /// from the records and the snapshot.
    public var head: BoardHead
    /// To be kept as well; of automatic ones the latest are.
    public var points: [StoredPoint]

    public init(
        id: BoardID, records: [DecisionRecord] = [], snapshot: BoardState? = nil,
        snapshotEntry: Int = 0, resetsLog: Bool = false, head: BoardHead,
        points: [StoredPoint] = []
    ) {
        self.id = id
        self.records = records
        self.snapshot = snapshot
        self.snapshotEntry = snapshotEntry
        self.resetsLog = resetsLog
        self.head = head
        self.points = points
    }
}
