/// A client's board: what the server confirmed, with the client's own undecided edits on top.
///
/// The client shows `shown`, hands what the person does to `perform`, sends what `outgoing`
/// returns, and passes on what it hears: `welcomed`, `heard`, `answered`. A plain value without I/O
/// or clock.
public struct BoardReplica: Hashable, Sendable {
    /// An edit that is not decided yet.
    public struct Pending: Hashable, Sendable {
        public internal(set) var seq: Int
        /// The revision that was confirmed when the person acted.
        public internal(set) var base: Int
        public internal(set) var edit: Edit
        public internal(set) var isSent = false
    }

    public let client: ClientID
    /// The board as of the last commit heard.
    public private(set) var confirmed: Board
    /// The confirmed board with the pending edits put on top.
    public private(set) var shown: Board
    /// The client's own undecided edits, in the order of their sequence numbers.
    public private(set) var pending: [Pending] = []
    /// The highest sequence number that is known to be decided.
    public private(set) var lastSeq: Int

    /// A replica of a board that was received as a whole.
    public init(client: ClientID, board: Board, lastSeq: Int = 0) {
        self.client = client
        confirmed = board
        shown = board
        self.lastSeq = lastSeq
    }

    private var nextSeq: Int { max(lastSeq, pending.last?.seq ?? 0) + 1 }

    /// Puts the pending edits on top of the confirmed board again. O(pending * icons).
    private mutating func rebase() {
        shown = confirmed
        for item in pending { shown.preview(item.edit) }
    }
}

// MARK: - What the person does

extension BoardReplica {
    /// Shows an edit at once and queues it for sending; its sequence number.
    ///
    /// An index in its target counts in the list that `shown` has, pins included, without the
    /// moving icons; it is sent as the neighbours there.
    @discardableResult
    public mutating func perform(_ edit: Edit) -> Int {
        let edit = shown.anchored(edit, keepsIndex: pending.isEmpty)
        pending.append(Pending(seq: nextSeq, base: confirmed.revision, edit: edit))
        shown.preview(edit)
        return pending[pending.count - 1].seq
    }

    /// The edits to send now, in order; they count as sent from here on.
    ///
    /// What builds on an undo or redo that is not answered is held back: only the answer tells what
    /// that did.
    public mutating func outgoing() -> [Pending] {
        var messages: [Pending] = []
        for index in pending.indices {
            if !pending[index].isSent {
                pending[index].isSent = true
                messages.append(pending[index])
            }
            if pending[index].edit == .undo || pending[index].edit == .redo { break }
        }
        return messages
    }
}

// MARK: - What the server says

extension BoardReplica {
    /// The connection is up again: takes the snapshot, or the commits since `confirmed`.
    ///
    /// Edits up to `lastSeq` are decided and leave the queue; the others are numbered anew and will
    /// be sent. When the history they were made in is lost, their indices mean nothing any more.
    /// Throws when the commits do not lead to `revision`: then ask for the snapshot.
    public mutating func welcomed(
        epoch: String, revision: Int, lastSeq: Int, board: Board?, commits: [Commit] = []
    ) throws(ReplicaError) {
        let isOtherHistory = epoch != confirmed.epoch || confirmed.revision > revision
        if let board {
            confirmed = board
        } else {
            guard !isOtherHistory else {
                throw ReplicaError(.revision, "epoch \(epoch) without its board")
            }
            for commit in commits { try hear(commit) }
        }
        guard confirmed.revision == revision else {
            throw ReplicaError(
                .revision, "welcome at \(revision) leads to \(confirmed.revision)")
        }
        decided(upTo: lastSeq)
        self.lastSeq = lastSeq
        resend(after: lastSeq)
        if isOtherHistory { moveToNewHistory() }
        rebase()
    }

    /// A commit, anybody's. Throws when it is not the next one or does not fit: then ask for the
    /// snapshot. One that is in the confirmed board already does nothing.
    public mutating func heard(_ commit: Commit) throws(ReplicaError) {
        try hear(commit)
        rebase()
    }

    /// The answer to an own edit that was not applied.
    ///
    /// Undecided ones (`seq_gap`, `storage`) will be sent again, and all after them; a stale one is
    /// queued again under a new number. Returns an edit that was refused for good.
    @discardableResult
    public mutating func answered(seq: Int, _ outcome: Outcome) -> Edit? {
        let edit = pending.first { $0.seq == seq }?.edit
        var refused: Edit?
        switch outcome {
        case .applied, .noop, .duplicate: decided(upTo: seq)
        case .gap(let lastSeq, _):
            decided(upTo: lastSeq)
            self.lastSeq = lastSeq
            resend(after: lastSeq)
        case .unnumbered, .rejected(.storage, _, _), .rejected(.seqGap, _, _):
            for index in pending.indices where pending[index].seq >= seq {
                pending[index].isSent = false
            }
        case .rejected(let reason, _, _):
            decided(upTo: seq)
            if reason == .staleBase, let edit { requeue(edit) } else { refused = edit }
        }
        rebase()
        return refused
    }

    private mutating func hear(_ commit: Commit) throws(ReplicaError) {
        guard commit.revision > confirmed.revision else { return }
        try confirmed.apply(commit)
        if commit.client == client { decided(upTo: commit.seq) }
    }

    /// Edits are answered in the order of their numbers: with one, all before it are decided.
    private mutating func decided(upTo seq: Int) {
        lastSeq = max(lastSeq, seq)
        pending.removeAll { $0.seq <= seq }
    }

    private mutating func resend(after seq: Int) {
        for index in pending.indices {
            pending[index].seq = seq + 1 + index
            pending[index].isSent = false
        }
    }

    /// Queues an edit again, behind those that are on their way.
    private mutating func requeue(_ edit: Edit) {
        rebase()
        let index = pending.firstIndex { !$0.isSent } ?? pending.count
        let seq = pending[..<index].last.map { $0.seq + 1 } ?? lastSeq + 1
        pending.insert(
            Pending(seq: seq, base: confirmed.revision, edit: shown.surviving(edit)), at: index)
        for later in pending.indices.dropFirst(index + 1) { pending[later].seq += 1 }
    }

    private mutating func moveToNewHistory() {
        var board = confirmed
        for index in pending.indices {
            pending[index].base = confirmed.revision
            pending[index].edit = board.surviving(pending[index].edit)
            board.preview(pending[index].edit)
        }
    }
}
