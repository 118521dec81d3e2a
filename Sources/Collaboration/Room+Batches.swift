internal import BoardModel
internal import BoardWire

/// From decided to stored to told.
extension Room {
    /// Closes the batch of everything decided since the last one; `nil` when there is nothing to
    /// store. Answers that need no storing are given at once when nothing is before them.
    func closeBatch(time: EventTime, into effects: inout [Effect]) -> BoardBatch? {
        guard writing.isEmpty else { return nil }
        var records = gathering.compactMap(\.record)
        while !gathering.isEmpty, records.isEmpty {
            let answers = gathering
            gathering = []
            for pending in answers { announce(pending, time: time, into: &effects) }
            sayGoodbyes(time: time, into: &effects)
            // A replacement of the board may have waited for them, and others behind it.
            runDeferred(time: time, into: &effects)
            records = gathering.compactMap(\.record)
        }
        guard !records.isEmpty else { return nil }
        writing = gathering
        gathering = []
        let points = writing.compactMap(\.point)
        writtenNext = state
        let isSnapshotDue = entry - entryOfSnapshot >= Self.entriesMax
        if isSnapshotDue {
            entryOfSnapshot = entry
            isSnapshotKnown = true
        }
        return BoardBatch(
            id: id, records: records, snapshot: isSnapshotDue ? state : nil,
            snapshotEntry: entryOfSnapshot, head: BoardHead(state), points: points)
    }

    /// The batch is stored: its decisions become known.
    func batchStored(time: EventTime, into effects: inout [Effect]) {
        let stored = writing
        writing = []
        let after = writtenNext
        writtenNext = nil
        let before = announced
        if let after { announced = after }
        targetsAreStale = true
        var removed: Set<IconID> = []
        for pending in stored {
            switch pending.change {
            case .iconRemove(let removes, _):
                removed.formUnion(removes.map(\.icon))
                endDrags(of: removed, before: before)
            case .boardRestore(_, _, let sections):
                let now = Set(sections.flatMap { $0.icons.map(\.id) })
                let gone = participants.compactMap(\.drag).flatMap(\.icons)
                removed.formUnion(gone.filter { !now.contains($0) })
                endDrags(of: removed, before: before)
            default: break
            }
            announce(pending, time: time, into: &effects)
        }
        if stored.contains(where: { $0.changesRules }) { endForbiddenDrags() }
        sayGoodbyes(time: time, into: &effects)
        needsFlush = true
    }

    /// The batch could not be stored: everything resolved on it is as if it had never come.
    func batchFailed(time: EventTime, into effects: inout [Effect]) {
        let undone = writing + gathering
        writing = []
        gathering = []
        writtenNext = nil
        state = announced
        entry -= undone.count(where: { $0.record != nil })
        entryOfSnapshot = min(entryOfSnapshot, entry)
        isSnapshotKnown = false
        for var pending in undone {
            pending.outcome = .rejected(.storage, field: nil, revision: announced.revision)
            announce(pending, time: time, into: &effects)
        }
        sayGoodbyes(time: time, into: &effects)
        runDeferred(time: time, into: &effects)
    }

    /// Tells the outcome to whom it concerns: a commit to everyone, the rest to its author.
    private func announce(_ pending: Pending, time: EventTime, into effects: inout [Effect]) {
        count(pending.outcome, into: &effects)
        var peer: Int?
        if case .session(_, let participant) = pending.origin { peer = participant.number }
        if case .applied(let commit) = pending.outcome {
            tell(.commit(commit, peer: peer))
            commits.append(pending.answer(peer: nil).encoded)
        }
        switch pending.origin {
        case .session(let session, let participant):
            answer(pending, to: session, into: &effects)
            if case .rejected(.storage, _, _) = pending.outcome {
                // Not decided: the same drop comes again, and means what it meant.
                if let drag = pending.drag { participant.remember(lapsed: drag) }
                if let lapsed = pending.lapsed { participant.lapsed[lapsed.number] = lapsed.drag }
            }
            if let drag = pending.drag {
                finish(drag, of: participant, pending.outcome, time: time)
            }
        case .request(let token):
            effects.append(.respond(.json(pending.answer(peer: nil).encoded), to: token))
        }
    }

    private func answer(_ pending: Pending, to session: Session, into effects: inout [Effect]) {
        session.undecided -= 1
        if case .applied = pending.outcome {} else { tell(pending.answer(peer: nil), to: session) }
        resumeIfIdle(session, into: &effects)
        pauseIfBusy(session, into: &effects)
    }

    /// Closes those that wait for it and have been answered by now.
    func sayGoodbyes(time: EventTime, into effects: inout [Effect]) {
        for session in members where session.undecided == 0 && !session.isClosing {
            guard let goodbye = session.goodbye else { continue }
            while sendOwn(to: session, time: time, into: &effects) {}
            effects.append(.close(session.id, goodbye.code, reason: goodbye.reason))
            session.isClosing = true
        }
    }

    private func finish(
        _ drag: Drag, of participant: Participant, _ outcome: Outcome, time: EventTime
    ) {
        participant.deciding.removeAll { $0 === drag }
        var ended = DragOutcome.rejected
        var revision: Int?
        switch outcome {
        case .applied(let commit): (ended, revision) = (.dropped, commit.revision)
        case .noop: ended = .cancelled
        case .rejected, .duplicate, .gap, .unnumbered: ended = .rejected
        }
        tell(
            .dragEnded(
                peer: participant.number, drag: drag.number, outcome: ended, revision: revision))
        if participant.isLeaving, participant.deciding.isEmpty { leave(participant, time: time) }
    }

    private func count(_ outcome: Outcome, into effects: inout [Effect]) {
        switch outcome {
        case .applied: effects.append(.count(.commit))
        case .noop: effects.append(.count(.noop))
        case .rejected(let reason, _, _): effects.append(.count(.rejection(reason)))
        case .duplicate: effects.append(.count(.duplicate))
        case .gap: effects.append(.count(.rejection(.seqGap)))
        case .unnumbered: effects.append(.count(.rejection(.invalid)))
        }
    }
}

extension Pending {
    /// What its author is told.
    fileprivate func answer(peer: Int?) -> ServerEvent {
        if case .applied(let commit) = outcome { return .commit(commit, peer: peer) }
        guard var result = ResultEvent(seq: seq, outcome: outcome) else {
            preconditionFailure("whatever is not applied has a result")
        }
        if isDrop, let field = result.field { result.field = Self.fieldOfDrop(field) }
        return .result(result)
    }

    /// The edit that a drop means has its parts elsewhere than the message.
    private static func fieldOfDrop(_ field: String) -> String {
        if field.hasPrefix("edit.to") { return "target" + field.dropFirst("edit.to".count) }
        if field.hasPrefix("edit.newIDs") { return String(field.dropFirst("edit.".count)) }
        return field == "edit.icons" ? "drag" : field
    }

    fileprivate var change: Change? {
        guard case .applied(let commit) = outcome else { return nil }
        return commit.change
    }

    /// What may be lifted may have changed by it.
    fileprivate var changesRules: Bool {
        switch change {
        case .iconUpdate, .sectionUpdate, .boardRestore, .iconMove, .iconAdd: true
        case .iconRemove, .sectionAdd, .sectionMove, .sectionRemove, .boardUpdate, nil: false
        }
    }
}
