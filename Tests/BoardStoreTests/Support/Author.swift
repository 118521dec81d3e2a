import BoardModel
import BoardStore
import BoardWire

/// Somebody who edits a board and keeps what the store has to give back.
struct Author {
    private(set) var state: BoardState
    private(set) var entry: Int
    /// All commits so far, whatever the store keeps of them.
    private(set) var commits: [Commit]
    private var seq: Int
    static let client = ClientID(high: 7, low: 7)

    init(_ state: BoardState, entry: Int = 0, commits: [Commit] = [], seq: Int = 0) {
        self.state = state
        self.entry = entry
        self.commits = commits
        self.seq = seq
    }

    /// What a store that lost nothing says of the board.
    var stored: StoredBoard { StoredBoard(state: state, entry: entry, commits: commits) }

    /// Decides an edit as the next entry.
    mutating func decide(_ edit: Edit) -> DecisionRecord {
        seq += 1
        entry += 1
        let submission = Submission(
            client: Self.client, seq: seq, base: nil, intent: .edit(edit),
            at: 1_700_000_000_000 + seq)
        let outcome = state.decide(submission)
        if case .applied(let commit) = outcome { commits.append(commit) }
        return DecisionRecord(entry: entry, submission: submission, outcome: outcome)
    }

    /// Renames the board, which always makes a commit.
    mutating func rename() -> DecisionRecord {
        var set = BoardPatch()
        set.title = "Title \(entry + 1) 👩‍👩‍👧"
        return decide(.boardUpdate(set: set))
    }

    /// Asks for a redo of nothing, which is decided without a commit.
    mutating func askInVain() -> DecisionRecord {
        decide(.redo)
    }

    /// Counts an entry that the log does not have.
    mutating func skipEntry() { entry += 1 }

    mutating func addIcon(_ number: UInt64) -> DecisionRecord {
        let icon = Icon(id: IconID(high: 1, low: number), red: 0, green: 0, blue: 1)
        return decide(.iconAdd(icon: icon, to: Target(section: id("main"), at: .end)))
    }

    /// Goes on with what a store gave back.
    mutating func restart(from board: StoredBoard) {
        state = board.state
        entry = board.entry
        commits = board.commits
    }

    /// A batch of `count` commits.
    mutating func batch(_ count: Int = 1, snapshot: Bool = false) -> BoardBatch {
        let records = (0..<count).map { _ in rename() }
        return batch(records, snapshot: snapshot)
    }

    func batch(
        _ records: [DecisionRecord], snapshot: Bool = false, resetsLog: Bool = false
    ) -> BoardBatch {
        BoardBatch(
            id: state.id, records: records, snapshot: snapshot ? state : nil, snapshotEntry: entry,
            resetsLog: resetsLog, head: BoardHead(state))
    }

    /// Replaces the lists of the board, as `PUT` does; clients go on counting.
    mutating func replace(epoch: String) throws -> BoardBatch {
        try state.replace(
            title: "Replaced", presentation: Presentation(),
            sections: [Section(id: id("other"))], epoch: epoch)
        commits = []
        return batch([], snapshot: true, resetsLog: true)
    }
}
