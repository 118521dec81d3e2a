internal import BoardModel
internal import BoardWire

/// Knows what is on the disk, by its own account, and holds everybody to it.
///
/// It decides every record again on a board of its own that was never written nor read: a server
/// that forgot anything in a crash decides otherwise.
final class Judge {
    private struct Past {
        var board: BoardState
        /// By epoch and revision, since the beginning.
        var commits: [String: [Int: Commit]] = [:]
        var lastSeqs: [ClientID: Int] = [:]
        /// What applied edits carried that no other edit does.
        var tags: Set<String> = []
        var entry = 0
    }

    private var pasts: [BoardID: Past] = [:]
    private(set) var complaint: String?
    private(set) var commits = 0
    private(set) var rejections = 0
    private(set) var undos = 0

    func complain(_ text: String) {
        if complaint == nil { complaint = text }
    }

    // MARK: - The disk

    func created(_ state: BoardState) { pasts[state.id] = Past(board: state) }

    func stored(_ batch: BoardBatch) {
        guard var past = pasts.removeValue(forKey: batch.id) else {
            complain("a batch of \(batch.id), which was never created")
            return
        }
        for record in batch.records { take(record, into: &past) }
        if let snapshot = batch.snapshot {
            if batch.resetsLog {
                past.entry = batch.snapshotEntry
                past.board = snapshot
            } else if batch.snapshotEntry == past.entry, snapshot != past.board {
                complain("the snapshot of entry \(past.entry) is not what was decided")
            }
        }
        pasts[batch.id] = past
    }

    private func take(_ record: DecisionRecord, into past: inout Past) {
        past.entry += 1
        if record.entry != past.entry { complain("entry \(record.entry) after \(past.entry - 1)") }
        let submission = record.submission
        let last = past.lastSeqs[submission.client, default: 0]
        if submission.seq != last + 1 {
            complain("number \(submission.seq) of \(submission.client) decided after \(last)")
        }
        past.lastSeqs[submission.client] = submission.seq
        let outcome = past.board.decide(submission)
        if outcome != record.outcome { complain("decided \(record.outcome), not \(outcome)") }
        guard case .applied(let commit) = record.outcome else {
            if case .rejected = record.outcome { rejections += 1 }
            return
        }
        commits += 1
        if commit.isUndo { undos += 1 }
        past.commits[past.board.epoch, default: [:]][commit.revision] = commit
        for tag in Self.tags(of: submission) where !past.tags.insert(tag).inserted {
            complain("applied twice: \(tag)")
        }
    }

    /// What only this one edit of all carries: identifiers it made, a label that says whose it is.
    static func tags(of submission: Submission) -> [String] {
        guard case .edit(let edit) = submission.intent else { return [] }
        return switch edit {
        case .iconAdd(let icon, _): [icon.id.description]
        case .iconCopy(_, let copies, _): copies.map(\.description)
        case .iconUpdate(_, let patch):
            if case .set(let label) = patch.label { [label] } else { [] }
        default: []
        }
    }

    /// The same of a commit, unless it brings something back.
    static func tags(of commit: Commit) -> [String] {
        switch commit.change {
        case _ where commit.isUndo: []
        case .iconAdd(let adds, _): adds.map(\.icon.id.description)
        case .iconUpdate(_, let patch, _):
            if case .set(let label) = patch.label { [label] } else { [] }
        default: []
        }
    }

    /// A server read a board: it must be the one that was written.
    func loaded(_ id: BoardID, _ found: StoredBoard?) {
        guard let past = pasts[id], let found else {
            complain("\(id) is gone")
            return
        }
        if found.state != past.board {
            complain(
                "read back at revision \(found.state.revision), another board than was decided "
                    + "up to revision \(past.board.revision)")
        }
        let known = past.commits[past.board.epoch, default: [:]]
        for commit in found.commits where known[commit.revision] != commit {
            complain("read back another commit \(commit.revision) than was stored")
        }
    }

    // MARK: - What is said

    /// The revision on the disk.
    func durable(_ id: BoardID) -> Int { pasts[id]?.board.revision ?? 0 }

    func durableSeq(of client: ClientID, on id: BoardID) -> Int {
        pasts[id]?.lastSeqs[client] ?? 0
    }

    func board(_ id: BoardID) -> Board? { pasts[id]?.board.board }

    func has(tag: String, on id: BoardID) -> Bool { pasts[id]?.tags.contains(tag) ?? false }

    func heard(_ commit: Commit, epoch: String, on id: BoardID) {
        guard let stored = pasts[id]?.commits[epoch]?[commit.revision] else {
            complain("heard of commit \(commit.revision), which is not stored")
            return
        }
        if stored != commit { complain("heard another commit \(commit.revision) than is stored") }
    }
}

@available(*, unavailable)
extension Judge: Sendable {}
