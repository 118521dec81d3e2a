internal import BoardModel
internal import BoardWire

/// Deciding edits and drops, and telling what was decided once it is stored.
extension Room {
    /// What may wait behind a replacement of the board before its authors are read from no more.
    static let deferredMax = 256
    /// How many log entries a board may have on top of its snapshot; a start replays them.
    static let entriesMax = 256

    func submit(
        seq: Int, base: Int?, intent: Intent, by participant: Participant, _ session: Session,
        time: EventTime, into effects: inout [Effect]
    ) {
        inTurn(time: time, into: &effects) { room, time, effects in
            guard !session.isClosing else { return }
            let submission = Submission(
                client: participant.client, seq: seq, base: base, role: participant.role,
                intent: intent, at: time.wallMs)
            room.decide(submission, from: .session(session, participant), into: &effects)
        }
    }

    func submit(
        client: ClientID, seq: Int, base: Int?, intent: Intent, request: RequestToken,
        time: EventTime, into effects: inout [Effect]
    ) {
        inTurn(time: time, into: &effects, request: request) { room, time, effects in
            let submission = Submission(
                client: client, seq: seq, base: base, role: .owner, intent: intent,
                at: time.wallMs)
            room.decide(submission, from: .request(request), into: &effects)
        }
    }

    /// A drop: the plain edit it means, and the end of its drag once that is decided.
    func drop(
        _ message: DragDrop, newIDs: [IconID], by participant: Participant, _ session: Session,
        time: EventTime, into effects: inout [Effect]
    ) {
        inTurn(time: time, into: &effects) { room, time, effects in
            guard !session.isClosing else { return }
            let meant = room.meaning(of: message, newIDs: newIDs, by: participant)
            let submission = Submission(
                client: participant.client, seq: message.seq, base: meant.base,
                role: participant.role, intent: meant.intent, at: time.wallMs)
            room.decide(
                submission, from: .session(session, participant), drop: message.drag,
                into: &effects)
        }
    }

    /// A drop that could not be read but for its numbers: refused, and its drag ends.
    func drop(
        unreadable error: MessageError, seq: Int, by participant: Participant, _ session: Session,
        time: EventTime, into effects: inout [Effect]
    ) {
        inTurn(time: time, into: &effects) { room, time, effects in
            guard !session.isClosing else { return }
            let submission = Submission(
                client: participant.client, seq: seq, base: nil, role: participant.role,
                intent: .refused(.invalid, field: error.field), at: time.wallMs)
            room.decide(
                submission, from: .session(session, participant), drop: error.drag ?? 0,
                into: &effects)
        }
    }

    /// Runs something that decides now, or behind what has to be through first.
    func inTurn(
        time: EventTime, into effects: inout [Effect], needsSettled: Bool = false,
        request: RequestToken? = nil, _ run: @escaping (Room, EventTime, inout [Effect]) -> Void
    ) {
        guard deferred.isEmpty, exclusive == nil, !needsSettled || isSettled else {
            deferred.append(Deferred(needsSettled: needsSettled, request: request, run: run))
            return
        }
        run(self, time, &effects)
    }

    func runDeferred(time: EventTime, into effects: inout [Effect]) {
        while let next = deferred.first, exclusive == nil, !next.needsSettled || isSettled {
            deferred.removeFirst()
            next.run(self, time, &effects)
        }
        for session in members { resumeIfIdle(session, into: &effects) }
    }

    /// `drop`: the number of the drag whose drop this is. `point`: kept if it makes a commit.
    func decide(
        _ submission: Submission, from origin: Pending.Origin, drop: Int? = nil,
        keeping point: StoredPoint? = nil, into effects: inout [Effect]
    ) {
        let outcome = state.decide(submission)
        var pending = Pending(
            seq: submission.seq, outcome: outcome, origin: origin, isDrop: drop != nil)
        if case .applied = outcome { pending.point = point }
        if outcome.isDecision {
            entry += 1
            pending.record = DecisionRecord(entry: entry, submission: submission, outcome: outcome)
            if let drop, case .session(_, let participant) = origin {
                pending.drag = participant.beginDeciding(drag: drop)
                // Dropped once: a second drop of it means nothing.
                pending.lapsed = participant.lapsed.removeValue(forKey: drop).map { (drop, $0) }
            }
        }
        gathering.append(pending)
        guard case .session(let session, _) = origin else { return }
        session.undecided += 1
        pauseIfBusy(session, into: &effects)
    }

    /// Stops reading from who has much undecided, or doesn't read what it was answered.
    func pauseIfBusy(_ session: Session, into effects: inout [Effect]) {
        guard session.isBusy || deferred.count >= Self.deferredMax, !session.isPaused,
            !session.isClosing
        else { return }
        session.isPaused = true
        effects.append(.pauseReading(session.id))
    }

    func resumeIfIdle(_ session: Session, into effects: inout [Effect]) {
        guard session.isPaused, session.isIdle, deferred.count < Self.deferredMax,
            !session.isClosing
        else { return }
        session.isPaused = false
        effects.append(.resumeReading(session.id))
    }

    // MARK: - What a drop means

    private func meaning(
        of message: DragDrop, newIDs: [IconID], by participant: Participant
    ) -> (base: Int?, intent: Intent) {
        guard let dragged = participant.dragged(message.drag) else {
            let reason = participant.denied[message.drag] ?? .noDrag
            return (message.base, .refused(reason, field: reason == .noDrag ? "drag" : nil))
        }
        let target: Target
        let base: Int?
        switch message.target {
        case .nothing:
            return (message.base, .nothing)
        case .last:
            guard let last = dragged.target else { return (message.base, .nothing) }
            (target, base) = (last, dragged.base)
        case .place(let place):
            (target, base) = (place, message.base)
        }
        let copy = message.copy ?? dragged.copy
        let icons = dragged.icons
        guard copy || state.copiesOnDrop(icons) else {
            return (base, .edit(.iconMove(icons: icons, to: target)))
        }
        var place = target
        place.section = state.section(
            meantBy: target, moving: icons, base: base, client: participant.client)
        let twins = Array(newIDs.prefix(icons.count))
        return (base, .edit(.iconCopy(icons: icons, newIDs: twins, to: place)))
    }
}
