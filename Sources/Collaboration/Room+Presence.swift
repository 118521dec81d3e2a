internal import BoardModel
internal import BoardWire

/// Who is here: joining, coming back, leaving.
extension Room {
    /// Lets a session in: its client takes over from an earlier socket of its own, if there is one.
    func join(
        _ session: Session, hello: Hello, role: Role, time: EventTime, into effects: inout [Effect]
    ) {
        emptySince = nil
        let name = cleanName(hello.name)
        let participant: Participant
        if let known = self.participant(of: hello.client) {
            let replaced = known.number
            if let old = known.session {
                expel(old)
                effects.append(.close(old.id, .replaced, reason: "replaced by the same client"))
            }
            known.beginConnection(session, number: takeNumber(), name: name)
            known.isLeaving = false
            participants.sort { $0.number < $1.number }
            participant = known
            tell(.peerJoined(known.peer, replaces: replaced))
        } else {
            participant = Participant(
                client: hello.client, name: name, role: role, number: takeNumber(),
                session: session)
            if let left = departed.firstIndex(where: { $0.client == hello.client }) {
                participant.lapsed = departed.remove(at: left).lapsed
            }
            participants.append(participant)
            tell(.peerJoined(participant.peer, replaces: nil))
        }
        session.stage = .live(participant)
        session.needsWelcome = true
        session.resume = hello.resume
        members.append(session)
        sendOwn(to: session, time: time, into: &effects)
    }

    /// What the person is doing now; told to everyone when it has changed.
    func presence(isEditing: Bool, of participant: Participant) {
        guard participant.isEditing != isEditing else { return }
        participant.isEditing = isEditing
        tell(.peerChanged(participant.peer))
    }

    /// The socket is gone. `isClean`: its peer said goodbye, or the server closed it for good.
    func left(_ session: Session, isClean: Bool, time: EventTime) {
        guard let participant = session.participant else { return }
        expel(session)
        guard participant.session === session else { return }
        participant.session = nil
        if isClean {
            leave(participant, time: time)
        } else {
            participant.leavesAt = time.now + timing.grace
        }
    }

    /// Takes the participant away, once nothing of it is being decided any more.
    func leave(_ participant: Participant, time: EventTime) {
        participant.leavesAt = nil
        endDrag(of: participant, .disconnected)
        guard participant.deciding.isEmpty else {
            participant.isLeaving = true
            return
        }
        if !participant.lapsed.isEmpty {
            if departed.count == Self.departedMax { departed.removeFirst() }
            departed.append((participant.client, participant.lapsed))
        }
        participants.removeAll { $0 === participant }
        tell(.peerLeft(participant.number))
        noteEmptiness(time: time)
    }

    func noteEmptiness(time: EventTime) {
        if isEmpty, emptySince == nil { emptySince = time.now }
    }

    /// Lost sockets whose grace is over, drags whose lease is over, sockets that heard nothing for
    /// long.
    func sweep(time: EventTime, into effects: inout [Effect]) {
        for participant in participants {
            if let leavesAt = participant.leavesAt, leavesAt <= time.now {
                leave(participant, time: time)
            } else if let drag = participant.drag, drag.touched + timing.lease <= time.now {
                endDrag(of: participant, .expired)
            }
        }
        for session in members
        where !session.isBehind && !session.isClosing
            && session.lastSent + timing.keepAlive <= time.now
        {
            effects.append(.send(.empty, to: session.id))
            session.sentNothing(now: time.now)
        }
    }

    private func expel(_ session: Session) {
        session.isClosing = true
        members.removeAll { $0 === session }
    }
}
