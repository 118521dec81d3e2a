package import BoardModel
internal import BoardWire

/// What sockets do.
extension Hub {
    /// A socket opened for `board`. `offersProtocol`: the client named `homeboard.v1`.
    package func opened(
        _ id: SessionID, board: BoardID, offersProtocol: Bool, time: EventTime,
        into effects: inout [Effect]
    ) {
        noteActivity(time: time)
        let session = Session(id: id, board: board, now: time.now, timing: timing)
        sessions[id] = session
        guard !isDraining else {
            close(session, .restarting, reason: "the server is stopping", into: &effects)
            return
        }
        guard offersProtocol else {
            close(
                session, .badHello, reason: "the subprotocol is homeboard.v1", into: &effects)
            return
        }
    }

    /// A whole text message came; it is read during the call and not kept.
    package func received(
        _ id: SessionID, text: Span<UInt8>, time: EventTime, into effects: inout [Effect]
    ) {
        guard let session = sessions[id], !session.isClosing, session.goodbye == nil else { return }
        // Who goes on editing would keep the server from ever having told all that is decided.
        guard !isDraining else { return }
        switch session.stage {
        case .awaitingHello:
            greet(session, text: text, time: time, into: &effects)
        case .joining(let hello, let waiting, let bytes):
            wait(session, hello, waiting, bytes, text: text, into: &effects)
        case .live(let participant):
            guard case .loaded(let room) = slots[session.board] else { return }
            hear(session, participant, in: room, text: text, time: time, into: &effects)
            touch(room)
        }
    }

    package func receivedBinary(
        _ id: SessionID, time: EventTime, into effects: inout [Effect]
    ) {
        guard let session = sessions[id], !session.isClosing else { return }
        dismiss(session, .unsupportedData, reason: "text frames only", time: time, into: &effects)
    }

    /// The socket is gone. `isClean`: its peer said goodbye, or it was the server that closed it.
    package func closed(_ id: SessionID, isClean: Bool, time: EventTime) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        if case .loaded(let room) = slots[session.board] {
            room.left(session, isClean: isClean, time: time)
            touch(room)
        }
        session.isClosing = true
    }

    /// The frame sent last was not taken; `drained` will come.
    package func refused(_ id: SessionID) { sessions[id]?.refused() }

    package func drained(_ id: SessionID, time: EventTime, into effects: inout [Effect]) {
        guard let session = sessions[id], session.isBehind else { return }
        session.isBehind = false
        guard case .loaded(let room) = slots[session.board] else { return }
        room.sendOwn(to: session, time: time, into: &effects)
    }

    // MARK: - Hello

    private func greet(
        _ session: Session, text: Span<UInt8>, time: EventTime, into effects: inout [Effect]
    ) {
        let message: ClientMessage
        do throws(MessageError) {
            message = try ClientMessage.decode(text, using: &generator, limits: limits)
        } catch {
            let field = error.field.map { "\($0): " } ?? ""
            close(session, .badHello, reason: field + error.message, into: &effects)
            return
        }
        guard case .hello(let hello) = message else {
            close(session, .badHello, reason: "the first message is hello", into: &effects)
            return
        }
        switch slots[session.board] {
        case .loaded(let room):
            room.join(session, hello: hello, role: .owner, time: time, into: &effects)
            touch(room)
        case .loading(let waiters):
            session.stage = .joining(hello, waiting: [], bytes: 0)
            slots[session.board] = .loading(waiters + [.session(session)])
        case nil:
            session.stage = .joining(hello, waiting: [], bytes: 0)
            load(session.board, for: .session(session), into: &effects)
        }
    }

    private func wait(
        _ session: Session, _ hello: Hello, _ waiting: [[UInt8]], _ bytes: Int,
        text: Span<UInt8>, into effects: inout [Effect]
    ) {
        let total = bytes + text.count
        guard total <= Session.waitingBytesMax else {
            close(session, .overloaded, reason: "too much before the welcome", into: &effects)
            return
        }
        var message: [UInt8] = []
        message.reserveCapacity(text.count)
        for position in text.indices { message.append(text[position]) }
        session.stage = .joining(hello, waiting: waiting + [message], bytes: total)
    }

    // MARK: - Messages

    private func hear(
        _ session: Session, _ participant: Participant, in room: Room, text: Span<UInt8>,
        time: EventTime, into effects: inout [Effect]
    ) {
        do throws(MessageError) {
            let message = try ClientMessage.decode(text, using: &generator, limits: limits)
            guard message.isNumbered || session.allowsMessage(now: time.now) else {
                dismiss(
                    session, .tooMany, reason: "too many messages", time: time, into: &effects)
                return
            }
            act(on: message, session, participant, in: room, time: time, into: &effects)
        } catch {
            answer(error, session, participant, in: room, time: time, into: &effects)
        }
        room.pauseIfBusy(session, into: &effects)
    }

    private func act(
        on message: ClientMessage, _ session: Session, _ participant: Participant, in room: Room,
        time: EventTime, into effects: inout [Effect]
    ) {
        var fault: ErrorEvent?
        switch message {
        case .hello:
            fault = ErrorEvent(
                code: .invalid, message: "hello is said once", field: "type", drag: nil)
        case .dragBegin(let drag, let icons):
            fault = room.begin(
                drag: drag, icons: icons, by: participant, session, time: time, into: &effects)
        case .dragTarget(let target):
            fault = room.target(target, by: participant, session, time: time)
        case .dragCancel(let drag):
            room.cancel(drag: drag, by: participant, session)
        case .dragDrop(let drop):
            room.drop(
                drop, newIDs: completed(drop.newIDs, for: drop, by: participant),
                by: participant, session, time: time, into: &effects)
        case .edit(let edit):
            room.submit(
                seq: edit.seq, base: edit.base, intent: .edit(edit.edit), by: participant, session,
                time: time, into: &effects)
        case .presence(let isEditing):
            room.presence(isEditing: isEditing, of: participant)
        }
        if let fault { answer(fault, session, in: room, time: time, into: &effects) }
    }

    /// The new identifiers of a copying drop, with those made that the client left out.
    private func completed(
        _ newIDs: [IconID], for drop: DragDrop, by participant: Participant
    ) -> [IconID] {
        let icons = participant.dragged(drop.drag)?.icons.count ?? 0
        guard newIDs.count < icons else { return newIDs }
        return newIDs
            + (newIDs.count..<icons).map { _ in UniqueID.random(using: &generator) }
    }

    /// A message that could not be read: a result when its number could, else an error.
    private func answer(
        _ error: MessageError, _ session: Session, _ participant: Participant, in room: Room,
        time: EventTime, into effects: inout [Effect]
    ) {
        guard let seq = error.seq else {
            let fault = ErrorEvent(
                code: error.code, message: error.message, field: error.field, drag: error.drag)
            answer(fault, session, in: room, time: time, into: &effects)
            return
        }
        if error.kind == .dragDrop {
            room.drop(
                unreadable: error, seq: seq, by: participant, session, time: time, into: &effects)
        } else {
            room.submit(
                seq: seq, base: nil, intent: .refused(.invalid, field: error.field),
                by: participant, session, time: time, into: &effects)
        }
    }

    private func answer(
        _ fault: ErrorEvent, _ session: Session, in room: Room, time: EventTime,
        into effects: inout [Effect]
    ) {
        effects.append(.count(.error(fault.code.rawValue)))
        room.tell(.error(fault), to: session)
        guard session.allowsError(now: time.now) else {
            dismiss(session, .tooMany, reason: "too many errors", time: time, into: &effects)
            return
        }
    }

    /// Hears nothing more of a session, and closes it once all that it sent before is answered and
    /// those answers are on their way.
    private func dismiss(
        _ session: Session, _ code: CloseCode, reason: String, time: EventTime,
        into effects: inout [Effect]
    ) {
        guard session.participant != nil, case .loaded(let room) = slots[session.board] else {
            close(session, code, reason: reason, into: &effects)
            return
        }
        guard session.goodbye == nil else { return }
        session.goodbye = (code, reason)
        room.pauseIfBusy(session, into: &effects)
        room.sayGoodbyes(time: time, into: &effects)
    }

    /// Orders the socket closed and forgets the session's place in its room, for good.
    func close(
        _ session: Session, _ code: CloseCode, reason: String, into effects: inout [Effect]
    ) {
        guard !session.isClosing else { return }
        effects.append(.close(session.id, code, reason: reason))
        session.isClosing = true
    }
}

extension ClientMessage {
    /// An edit or drop: never refused for its rate, only read more slowly.
    fileprivate var isNumbered: Bool {
        switch self {
        case .edit, .dragDrop: true
        case .hello, .dragBegin, .dragTarget, .dragCancel, .presence: false
        }
    }
}
