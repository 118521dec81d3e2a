internal import BoardModel
internal import BoardWire

/// Who hears what, and when: cursors instead of queues.
extension Room {
    /// Tells everyone what they have not heard, once a tick.
    ///
    /// Sessions that missed nothing get one frame, encoded once. A session with private answers, or
    /// one that was behind, gets a frame made for where it stands.
    func flush(time: EventTime, into effects: inout [Effect]) {
        guard needsFlush else { return }
        needsFlush = false
        lastFlush = time.now
        resolveTargets()
        let end = log.end
        var shared: [Frame]?
        for session in members where !session.isBehind && !session.isClosing {
            let missedNothing = session.cursor == lastCursor && session.dragVersion == lastVersion
            guard missedNothing, session.answers.isEmpty, !session.needsWelcome else {
                sendOwn(to: session, time: time, into: &effects)
                continue
            }
            guard end != lastCursor || dragVersion != lastVersion else { continue }
            let frames = shared ?? sharedFrames()
            shared = frames
            for frame in frames { effects.append(.send(frame, to: session.id)) }
            session.sent(upTo: end, version: dragVersion, now: time.now)
        }
        if shared != nil { effects.append(.count(.frameShared)) }
        lastCursor = end
        lastVersion = dragVersion
    }

    /// Sends a session what it lacks: the welcome, or every event since it was sent one, its
    /// private answers in their places, and the newest targets.
    func sendOwn(to session: Session, time: EventTime, into effects: inout [Effect]) {
        guard !session.isClosing, !session.isBehind, let participant = session.participant else {
            return
        }
        var builder = FrameBuilder()
        resolveTargets()
        if session.needsWelcome || session.cursor < log.start {
            builder.append(welcome(for: session, participant).encoded)
            for answer in session.answers { builder.append(answer.event) }
        } else {
            appendEvents(for: session, to: &builder)
        }
        let frames = builder.finish()
        guard !frames.isEmpty else { return }
        for frame in frames { effects.append(.send(frame, to: session.id)) }
        effects.append(.count(.frameOwn))
        session.sent(upTo: log.end, version: dragVersion, now: time.now)
    }

    /// Resolves again every live target that is new, or that a commit may have moved.
    func resolveTargets() {
        for participant in participants {
            guard let drag = participant.drag, drag.hasTarget,
                drag.isUnsent || targetsAreStale
            else { continue }
            let proposal = announced.propose(
                icons: drag.icons, to: drag.target, copy: drag.copy, base: drag.base,
                client: participant.client, role: participant.role)
            if drag.resolve(to: proposal, version: dragVersion + 1) { dragVersion += 1 }
        }
        targetsAreStale = false
    }

    private func sharedFrames() -> [Frame] {
        var builder = FrameBuilder()
        for position in lastCursor..<log.end { builder.append(log[position]) }
        appendTargets(newerThan: lastVersion, to: &builder)
        return builder.finish()
    }

    private func appendEvents(for session: Session, to builder: inout FrameBuilder) {
        var answers = session.answers[...]
        for position in session.cursor..<log.end {
            while let answer = answers.first, answer.position <= position {
                builder.append(answer.event)
                answers.removeFirst()
            }
            builder.append(log[position])
        }
        for answer in answers { builder.append(answer.event) }
        appendTargets(newerThan: session.dragVersion, to: &builder)
    }

    private func appendTargets(newerThan version: Int, to builder: inout FrameBuilder) {
        for participant in participants {
            guard let drag = participant.drag, drag.version > version else { continue }
            builder.append(ServerEvent.dragTarget(drag.state(peer: participant.number)).encoded)
        }
    }

    private func welcome(for session: Session, _ participant: Participant) -> ServerEvent {
        let text = snapshot()
        let missed = session.resume.flatMap { commitsSince($0, shorterThan: text.count) }
        var drags: [DragState] = []
        for other in participants {
            for drag in other.deciding { drags.append(drag.state(peer: other.number)) }
            if let drag = other.drag { drags.append(drag.state(peer: other.number)) }
        }
        return .welcome(
            Welcome(
                peer: participant.number, role: participant.role, epoch: announced.epoch,
                revision: announced.revision, lastSeq: announced.lastSeq(of: participant.client),
                recovered: missed != nil, boardJSON: missed == nil ? text : nil,
                commits: missed, peers: participants.map(\.peer), drags: drags,
                limits: limits))
    }

    /// Every commit after the position, when all are known and that is shorter than the board.
    private func commitsSince(_ resume: Hello.Resume, shorterThan length: Int) -> [[UInt8]]? {
        guard resume.epoch == announced.epoch, let missed = commits.since(resume.revision),
            missed.reduce(0, { $0 + $1.count + 1 }) <= length
        else { return nil }
        return Array(missed)
    }
}
