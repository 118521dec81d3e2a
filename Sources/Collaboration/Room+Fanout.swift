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
        let shared = portion(cursor: lastCursor, version: lastVersion, answers: [])
        if shared != nil { effects.append(.count(.frameShared)) }
        for session in members where !session.isBehind && !session.isClosing {
            let missedNothing = session.cursor == lastCursor && session.dragVersion == lastVersion
            guard missedNothing, session.answers.isEmpty, !session.needsWelcome else {
                sendOwn(to: session, time: time, into: &effects)
                continue
            }
            guard let shared else { continue }
            effects.append(.send(shared.frame, to: session.id))
            session.sent(shared, now: time.now)
        }
        guard let shared else { return }
        lastCursor = shared.cursor
        lastVersion = shared.dragVersion
        if shared.isPartial { needsFlush = true }
    }

    /// Sends a session what it lacks: the welcome, or every event since it was sent one, its
    /// private answers in their places, and the newest targets. One frame; says whether there is
    /// more, which waits a tick unless it is asked for.
    @discardableResult
    func sendOwn(to session: Session, time: EventTime, into effects: inout [Effect]) -> Bool {
        guard !session.isClosing, !session.isBehind, let participant = session.participant else {
            return false
        }
        resolveTargets()
        let own: Portion?
        if session.needsWelcome || session.cursor < log.start {
            own = welcome(for: session, participant)
        } else {
            own = portion(
                cursor: session.cursor, version: session.dragVersion, answers: session.answers)
        }
        guard let own else { return false }
        effects.append(.send(own.frame, to: session.id))
        effects.append(.count(.frameOwn))
        session.sent(own, now: time.now)
        if own.isPartial { needsFlush = true }
        resumeIfIdle(session, into: &effects)
        return own.isPartial
    }

    /// Resolves again every live target that is new, or that a commit may have moved.
    func resolveTargets() {
        for participant in participants {
            guard let drag = participant.drag, drag.hasTarget,
                drag.isUnsent || targetsAreStale
            else { continue }
            let proposal = proposal(for: drag, of: participant)
            if drag.resolve(to: proposal, version: dragVersion + 1) { dragVersion += 1 }
        }
        targetsAreStale = false
    }

    /// What a drop of the drag would do to the board as everyone knows it.
    private func proposal(for drag: Drag, of participant: Participant) -> Proposal {
        announced.propose(
            icons: drag.icons, to: drag.target, copy: drag.copy, base: drag.base,
            client: participant.client, role: participant.role)
    }

    /// What somebody who stands at a cursor and a drag version is to be told next; `nil` when that
    /// is nothing. Answers come before the event at their position.
    private func portion(
        cursor: Int, version: Int, answers: [(position: Int, event: [UInt8])]
    ) -> Portion? {
        var builder = FrameBuilder()
        var reached = cursor
        var answered = 0
        func isTold() -> Bool {
            while reached < log.end || answered < answers.count {
                if answered < answers.count, answers[answered].position <= reached {
                    guard builder.append(answers[answered].event) else { return false }
                    answered += 1
                } else {
                    guard builder.append(log[reached]) else { return false }
                    reached += 1
                }
            }
            return participants.allSatisfy { participant in
                guard let drag = participant.drag, drag.version > version else { return true }
                let target = ServerEvent.dragTarget(drag.state(peer: participant.number))
                return builder.append(target.encoded)
            }
        }
        let isComplete = isTold()
        guard let frame = builder.finish() else { return nil }
        return Portion(
            frame: frame, cursor: reached, dragVersion: isComplete ? dragVersion : version,
            answers: answered, isPartial: !isComplete)
    }

    /// The welcome in a frame of its own; answers that wait follow it.
    private func welcome(for session: Session, _ participant: Participant) -> Portion {
        let text = snapshot()
        let missed = session.resume.flatMap { commitsSince($0, shorterThan: text.count) }
        var welcome = Welcome(
            peer: participant.number, role: participant.role, epoch: announced.epoch,
            revision: announced.revision, lastSeq: announced.lastSeq(of: participant.client),
            recovered: missed != nil, boardJSON: missed == nil ? text : nil, commits: missed,
            limits: limits)
        let content = missed.map { $0.reduce(0) { $0 + $1.count + 1 } } ?? text.count
        let late = addPeople(to: &welcome, participant, bytes: FrameBuilder.welcomeMax - content)
        let frame = [UInt8(ascii: "[")] + ServerEvent.welcome(welcome).encoded + [UInt8(ascii: "]")]
        return Portion(
            frame: Frame(frame), cursor: log.end, dragVersion: dragVersion,
            // Of what didn't fit it hears as if it had just happened.
            sequel: late.map { (log.end, $0.encoded) },
            isPartial: !late.isEmpty || !session.answers.isEmpty)
    }

    /// Lists who is here and what is dragged, `own` first, for as long as there is room. Answers
    /// the events that tell of the rest.
    private func addPeople(
        to welcome: inout Welcome, _ own: Participant, bytes: Int
    ) -> [ServerEvent] {
        var room = bytes
        var late: [ServerEvent] = []
        for other in [own] + participants.filter({ $0 !== own }) {
            let joined = ServerEvent.peerJoined(other.peer, replaces: nil)
            room -= joined.encoded.count
            if room > 0 { welcome.peers.append(other.peer) } else { late.append(joined) }
            // No target of a drag that is decided is told any more, but commits may have moved it.
            let drags =
                other.deciding.map {
                    $0.state(peer: other.number, now: proposal(for: $0, of: other))
                }
                + (other.drag.map { [$0.state(peer: other.number)] } ?? [])
            for drag in drags {
                let began = ServerEvent.dragBegan(
                    peer: drag.peer, drag: drag.drag, icons: drag.icons)
                let target = ServerEvent.dragTarget(drag)
                room -= began.encoded.count + target.encoded.count
                if room > 0 {
                    welcome.drags.append(drag)
                } else {
                    late += [began, target]
                }
            }
        }
        welcome.peers.sort { $0.number < $1.number }
        welcome.drags.sort { ($0.peer, $0.drag) < ($1.peer, $1.drag) }
        return late
    }

    /// Every commit after the position, when all are known and that is shorter than the board.
    private func commitsSince(_ resume: Hello.Resume, shorterThan length: Int) -> [[UInt8]]? {
        guard resume.epoch == announced.epoch, let missed = commits.since(resume.revision),
            missed.reduce(0, { $0 + $1.count + 1 }) <= length
        else { return nil }
        return Array(missed)
    }
}
