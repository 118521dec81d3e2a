/// Who edits, as the functions that apply edits need it.
struct Author {
    var client: ClientNumber
    var role: Role
    var base: Int
    /// The revision that the edit will make.
    var next: Int

    var sender: Sender { Sender(base: base, client: client) }
}

extension BoardState {
    /// Decides one numbered intent: applies it, or tells why not.
    ///
    /// Each sequence number is decided once; what was decided is kept with the board, so that a
    /// repeat is known as one after a restart too. An answer that is no decision (a gap, a number
    /// below 1) leaves no trace. `submission.at` is taken for the time. O(slots).
    public mutating func decide(_ submission: Submission) -> Outcome {
        guard submission.seq >= 1 else { return .unnumbered(revision: revision) }
        let last = lastSeq(of: submission.client)
        if submission.seq <= last, let number = ledger.number(of: submission.client) {
            let answer = ledger[number].answer(to: submission.seq)
            return .duplicate(decided: answer?.decision, revision: answer?.revision ?? revision)
        }
        guard submission.seq == last + 1 else { return .gap(lastSeq: last, revision: revision) }
        let number = ledger.number(enrolling: submission.client)
        let outcome = judge(submission, by: number)
        if let decision = outcome.decision {
            ledger.record(
                decision, revision: revision, at: submission.at, for: number,
                keeping: limits.answers)
        }
        return outcome
    }

    /// The highest decided sequence number of a client; 0 when nothing is known of it.
    public func lastSeq(of client: ClientID) -> Int {
        ledger.number(of: client).map { ledger[$0].lastSeq } ?? 0
    }

    private mutating func judge(_ submission: Submission, by number: ClientNumber) -> Outcome {
        switch submission.intent {
        case .edit(let edit):
            return commit(submission, by: number, isUndo: edit == .undo) {
                (state, author) throws(Refusal) in try state.apply(edit, by: author)
            }
        case .restore(let content):
            return commit(submission, by: number) { (state, author) throws(Refusal) in
                try state.restore(content, by: author)
            }
        case .refused(let reason, let field):
            return .rejected(reason, field: field, revision: revision)
        case .nothing: return .noop(revision: revision)
        }
    }

    private mutating func commit(
        _ submission: Submission, by number: ClientNumber, isUndo: Bool = false,
        _ apply: (inout BoardState, Author) throws(Refusal) -> Change?
    ) -> Outcome {
        let author = Author(
            client: number, role: submission.role, base: submission.base ?? revision,
            next: revision + 1)
        do throws(Refusal) {
            guard let change = try apply(&self, author) else {
                return .noop(revision: revision)
            }
            revision = author.next
            if revision % Self.pruneInterval == 0 { prune() }
            return .applied(
                Commit(
                    revision: revision, client: submission.client, seq: submission.seq,
                    at: submission.at, change: change, isUndo: isUndo))
        } catch {
            return .rejected(error.reason, field: error.field, revision: revision)
        }
    }

    /// Applies one edit whole, or throws and has changed nothing that people see; `nil` when the
    /// edit makes no difference.
    private mutating func apply(_ edit: Edit, by author: Author) throws(Refusal) -> Change? {
        guard author.role != .viewer else { throw Refusal(.readOnly) }
        try check(base: author.base)
        switch edit {
        case .iconMove(let icons, let target): return try move(icons, to: target, by: author)
        case .iconAdd(let icon, let target): return try add(icon, to: target, by: author)
        case .iconCopy(let icons, let copies, let target):
            return try copy(icons, as: copies, to: target, by: author)
        case .iconUpdate(let icon, let patch): return try update(icon, patch, by: author)
        case .iconRemove(let icons): return try remove(icons, by: author)
        case .undo: return try takeBack(\.undo, \.redo, orThrow: .nothingToUndo, by: author)
        case .redo: return try takeBack(\.redo, \.undo, orThrow: .nothingToRedo, by: author)
        case .sectionAdd, .sectionUpdate, .sectionMove, .sectionRemove, .boardUpdate:
            guard author.role == .owner else { throw Refusal(.readOnly) }
            let change = try rearrange(edit, by: author)
            if change != nil { ledger[author.client].redo = [] }
            return change
        }
    }

    func check(base: Int) throws(Refusal) {
        guard base >= 0, base <= revision else { throw Refusal(.invalid, field: "base") }
    }
}

extension Outcome {
    /// What is remembered of a decision; `nil` for an answer that is none.
    var decision: Decision? {
        switch self {
        case .applied: .applied
        case .noop: .noop
        case .rejected: .rejected
        case .duplicate, .gap, .unnumbered: nil
        }
    }
}
