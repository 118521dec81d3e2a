internal import BoardModel
internal import BoardWire

/// Makes a board from its snapshot and the log behind and beyond it.
///
/// Entries up to the snapshot's only give their commits; later ones are decided again, and each has
/// to come out as it did the first time. Which is which is told by the entry's number alone.
struct Replay {
    private let id: BoardID
    private let snapshotEntry: Int
    private var state: BoardState
    private var entry: Int
    private var commits: [Commit] = []

    /// Begins with the board after entry `snapshotEntry` and a log whose oldest entry is the one
    /// after `baseEntry`.
    init(_ state: BoardState, at snapshotEntry: Int, logAfter baseEntry: Int) {
        self.id = state.id
        self.snapshotEntry = snapshotEntry
        self.state = state
        self.entry = baseEntry
    }

    /// Takes the next record of the log.
    mutating func add(_ record: DecisionRecord) throws(StoreError) {
        try expect(record.entry)
        entry += 1
        if case .applied(let commit) = record.outcome {
            if let last = commits.last, commit.revision != last.revision + 1 {
                throw damaged(
                    "entry \(entry) is revision \(commit.revision), after \(last.revision)")
            }
            commits.append(commit)
        }
        guard entry > snapshotEntry else { return }
        let outcome = state.decide(record.submission)
        guard outcome == record.outcome else {
            throw damaged("entry \(entry) is no longer decided as it was")
        }
    }

    /// Refuses an entry that isn't the next one.
    func expect(_ next: Int) throws(StoreError) {
        guard next == entry + 1 else {
            throw damaged("entry \(entry + 1) is missing: the next one is \(next)")
        }
    }

    /// The board, when the log ends where the store says it does.
    func finish(entry last: Int, revision: Int, epoch: String) throws(StoreError) -> StoredBoard {
        guard entry == last else {
            throw damaged("the log ends at entry \(entry), not \(last)")
        }
        guard snapshotEntry <= last else {
            throw damaged("the snapshot is of entry \(snapshotEntry), the log's last is \(last)")
        }
        guard state.revision == revision, state.epoch == epoch else {
            throw damaged("the board is at revision \(state.revision), not \(revision)")
        }
        if let commit = commits.last, commit.revision != revision {
            throw damaged("the last commit is revision \(commit.revision), not \(revision)")
        }
        return StoredBoard(state: state, entry: entry, commits: commits)
    }

    private func damaged(_ what: String) -> StoreError {
        .damaged(id, what: what)
    }
}
