package import BoardModel
package import BoardWire

/// What the store answers.
extension Hub {
    /// A board could not be read, which is never the same as that there is none. Why is for the
    /// operator's log, and the caller's to write.
    package struct LoadFailure: Error {
        package init() {}
    }

    func load(_ board: BoardID, for waiter: Waiter, into effects: inout [Effect]) {
        slots[board] = .loading([waiter])
        effects.append(.load(board))
    }

    /// A board was read; `nil` when there is none of that name.
    package func loaded(
        _ board: BoardID, _ result: Result<StoredBoard?, LoadFailure>, time: EventTime,
        into effects: inout [Effect]
    ) {
        guard case .loading(let waiters) = slots[board] else { return }
        switch result {
        case .success(let stored?):
            let room = Room(
                stored, timing: timing, pace: pace, limits: limits, log: logLimits, now: time.now)
            slots[board] = .loaded(room)
            noteActivity(time: time)
            effects.append(.count(.boardLoaded))
            for waiter in waiters { admit(waiter, to: room, time: time, into: &effects) }
            touch(room)
        case .success(nil):
            slots[board] = nil
            for waiter in waiters {
                refuse(waiter, .noSuchBoard, 404, "no such board", into: &effects)
            }
        case .failure:
            slots[board] = nil
            effects.append(.count(.boardUnreadable))
            for waiter in waiters {
                refuse(waiter, .storage, 503, "the board cannot be read", into: &effects)
            }
        }
    }

    private func admit(
        _ waiter: Waiter, to room: Room, time: EventTime, into effects: inout [Effect]
    ) {
        switch waiter {
        case .request(let token, let request):
            perform(request, token, in: room, time: time, into: &effects)
        case .session(let session):
            guard !session.isClosing,
                case .joining(let hello, let waiting, _) = session.stage
            else { return }
            room.join(session, hello: hello, role: .owner, time: time, into: &effects)
            for message in waiting {
                received(session.id, text: message.span, time: time, into: &effects)
            }
        }
    }

    private func refuse(
        _ waiter: Waiter, _ code: CloseCode, _ status: Int, _ reason: String,
        into effects: inout [Effect]
    ) {
        switch waiter {
        case .session(let session):
            close(session, code, reason: reason, into: &effects)
        case .request(let token, _):
            effects.append(
                .respond(
                    .problem(status: status, title: reason, detail: reason, field: nil), to: token)
            )
        }
    }

    /// A batch is stored, or is not and never will be (`isStored` false).
    package func appended(
        token: Int, isStored: Bool, time: EventTime, into effects: inout [Effect]
    ) {
        if let batch, batch.token == token {
            self.batch = nil
            for room in batch.rooms {
                if isStored {
                    room.batchStored(time: time, into: &effects)
                } else {
                    room.batchFailed(time: time, into: &effects)
                }
                room.runDeferred(time: time, into: &effects)
                touch(room)
            }
            return
        }
        switch storeRequests.removeValue(forKey: token) {
        case .replace(let room):
            replaced(room, isStored: isStored, time: time, into: &effects)
        case .unload(let room):
            room.unloadAnswered(isStored: isStored)
            // A server that stops goes without the snapshot: the log has everything.
            if isStored || isDraining, room.isEmpty, room.deferred.isEmpty {
                remove(room, into: &effects)
            } else {
                room.runDeferred(time: time, into: &effects)
                touch(room)
            }
        case .keepPoint(let point, let request):
            pointKept(point, isStored: isStored, request, into: &effects)
        case .create, .list, .delete, .points, .makePoint, .restore, .deletePoint, nil:
            return
        }
    }

    func remove(_ room: Room, into effects: inout [Effect]) {
        slots[room.id] = nil
        effects.append(.count(.boardUnloaded))
    }

    /// Forgets a board that nobody has been on for a while, once its snapshot is stored.
    func unloadIfIdle(_ room: Room, time: EventTime, into effects: inout [Effect]) {
        guard room.isEmpty, room.isSettled, room.deferred.isEmpty,
            let since = room.emptySince, isDraining || since + timing.unload <= time.now
        else { return }
        // A stop may be for an upgrade, whose rules might decide an old log differently: it leaves
        // snapshots only.
        let isStored = room.entry == room.entryOfSnapshot && (room.isSnapshotKnown || !isDraining)
        guard !isStored else {
            remove(room, into: &effects)
            return
        }
        // Tried again after another while, should the store refuse it.
        room.emptySince = time.now
        // On a copy: should the store refuse it, the log goes on from what the disk has.
        var snapshot = room.state
        snapshot.forgetClients(now: time.wallMs)
        room.exclusive = .unloading(snapshot)
        let token = takeToken()
        storeRequests[token] = .unload(room)
        let batch = BoardBatch(
            id: room.id, snapshot: snapshot, snapshotEntry: room.entry, head: BoardHead(snapshot))
        effects.append(.append([batch], token: token))
    }

    // MARK: - Stopping

    /// No new peers; everyone is sent away once what is decided is stored, to come back at once.
    package func drain(time: EventTime, into effects: inout [Effect]) {
        guard !isDraining else { return }
        isDraining = true
        noteActivity(time: time)
    }

    /// Sends everyone away as soon as nothing decided waits, and says when all is stored.
    func noteDrained(time: EventTime, into effects: inout [Effect]) {
        guard isDraining, batch == nil, touched.allSatisfy(\.gathering.isEmpty) else { return }
        for case .loaded(let room) in sortedSlots() {
            room.flush(time: time, into: &effects)
        }
        for session in sortedSessions() {
            close(session, .restarting, reason: "the server is restarting", into: &effects)
        }
        guard sessions.isEmpty else { return }
        for case .loaded(let room) in sortedSlots() {
            for participant in room.participants { room.leave(participant, time: time) }
            unloadIfIdle(room, time: time, into: &effects)
        }
        if slots.isEmpty, storeRequests.isEmpty { effects.append(.drained) }
    }
}
