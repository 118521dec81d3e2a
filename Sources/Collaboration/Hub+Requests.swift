package import BoardModel
package import BoardWire

/// What HTTP requests want of boards.
extension Hub {
    package func request(
        _ token: RequestToken, board: BoardID, _ request: BoardRequest, time: EventTime,
        into effects: inout [Effect]
    ) {
        guard !isDraining else {
            effects.append(.respond(Self.stoppingProblem, to: token))
            return
        }
        noteActivity(time: time)
        switch slots[board] {
        case .loaded(let room):
            perform(request, token, in: room, time: time, into: &effects)
            touch(room)
        case .loading(let waiters):
            slots[board] = .loading(waiters + [.request(token, request)])
        case nil:
            load(board, for: .request(token, request), into: &effects)
        }
    }

    package func create(
        _ state: BoardState, _ request: RequestToken, into effects: inout [Effect]
    ) {
        guard !isDraining else {
            effects.append(.respond(Self.stoppingProblem, to: request))
            return
        }
        let token = takeToken()
        storeRequests[token] = .create(state, request)
        effects.append(.create(state, token: token))
    }

    package func list(_ request: RequestToken, into effects: inout [Effect]) {
        guard !isDraining else {
            effects.append(.respond(Self.stoppingProblem, to: request))
            return
        }
        let token = takeToken()
        storeRequests[token] = .list(request)
        effects.append(.listHeads(token: token))
    }

    /// A random identifier; for a board that was given none.
    package func makeBoardID() -> BoardID {
        let text = UniqueID.random(using: &generator).description.filter { $0 != "-" }
        guard let id = BoardID(text.prefix(12)) else {
            preconditionFailure("hexadecimal digits are an identifier")
        }
        return id
    }

    package func makeID() -> UniqueID { UniqueID.random(using: &generator) }

    // MARK: - Answers of the store

    package enum CreateResult: Sendable {
        case created, exists, failed
    }

    package func created(token: Int, _ result: CreateResult, into effects: inout [Effect]) {
        guard case .create(let state, let request) = storeRequests.removeValue(forKey: token)
        else { return }
        let answer: Answer =
            switch result {
            case .created:
                .board(
                    encode(board: state.board), etag: "\"\(state.epoch):\(state.revision)\"",
                    created: true)
            case .exists:
                .problem(
                    status: 409, title: "the board exists",
                    detail: "another board has this id", field: "id")
            case .failed: Self.storageProblem
            }
        effects.append(.respond(answer, to: request))
    }

    package func listed(token: Int, _ heads: [BoardHead]?, into effects: inout [Effect]) {
        guard case .list(let request) = storeRequests.removeValue(forKey: token) else { return }
        guard let heads else {
            effects.append(.respond(Self.storageProblem, to: request))
            return
        }
        let entries = heads.map { head in
            BoardListEntry(
                id: head.id, title: head.title, revision: head.revision, icons: head.iconCount,
                peers: peerCount(on: head.id))
        }
        effects.append(.respond(.json(encodeBoardList(entries)), to: request))
    }

    package func deleted(
        token: Int, isDone: Bool, time: EventTime, into effects: inout [Effect]
    ) {
        guard case .delete(let board) = storeRequests.removeValue(forKey: token),
            case .loaded(let room) = slots[board], case .deleting(let request) = room.exclusive
        else { return }
        room.exclusive = nil
        guard isDone else {
            effects.append(.respond(Self.storageProblem, to: request))
            room.runDeferred(time: time, into: &effects)
            touch(room)
            return
        }
        endEverything(
            in: room, .boardDeleted, reason: "the board was deleted", time: time, into: &effects)
        // What waited behind the removal finds no board any more.
        for waiting in room.deferred.compactMap(\.request) {
            effects.append(.respond(Self.missingProblem, to: waiting))
        }
        room.deferred = []
        slots[board] = nil
        effects.append(.respond(.noContent, to: request))
    }

    // MARK: - On a board in memory

    func perform(
        _ request: BoardRequest, _ token: RequestToken, in room: Room, time: EventTime,
        into effects: inout [Effect]
    ) {
        switch request {
        case .get:
            effects.append(
                .respond(.board(room.snapshot(), etag: room.etag, created: false), to: token))
        case .commits(let since):
            effects.append(.respond(commits(since: since, in: room), to: token))
        case .edit(let client, let seq, let base, let intent):
            room.submit(
                client: client, seq: seq, base: base, intent: intent, request: token, time: time,
                into: &effects)
        case .points, .makePoint, .restore, .deletePoint:
            performOnPoints(request, token, in: room, into: &effects)
        case .put(let ifMatch, let title, let presentation, let sections):
            room.inTurn(time: time, into: &effects, needsSettled: true, request: token) {
                [self] room, _, effects in
                replace(
                    room, token, ifMatch: ifMatch, title, presentation, sections, into: &effects)
            }
        case .delete:
            room.inTurn(time: time, into: &effects, needsSettled: true, request: token) {
                [self] room, _, effects in
                room.exclusive = .deleting(token)
                let storeToken = takeToken()
                storeRequests[storeToken] = .delete(room.id)
                effects.append(.delete(room.id, token: storeToken))
            }
        }
    }

    private func commits(since: Int, in room: Room) -> Answer {
        guard let commits = room.commits.since(since) else {
            return .problem(
                status: 410, title: "commits are gone",
                detail: "the commits after this revision are not kept; read the board",
                field: "since")
        }
        return .json(encodeCommits(epoch: room.announced.epoch, Array(commits)))
    }

    private func replace(
        _ room: Room, _ request: RequestToken, ifMatch: String?, _ title: String,
        _ presentation: Presentation, _ sections: [Section], into effects: inout [Effect]
    ) {
        guard let ifMatch else {
            effects.append(
                .respond(
                    .problem(
                        status: 428, title: "If-Match is missing",
                        detail: "send the ETag of the board you read", field: "If-Match"),
                    to: request))
            return
        }
        let named = ifMatch.split(separator: ",").map { $0.drop { $0 == " " } }
        guard ifMatch == "*" || named.contains(where: { $0 == room.etag }) else {
            effects.append(
                .respond(
                    .problem(
                        status: 412, title: "the board has changed",
                        detail: "If-Match is not the board's ETag", field: "If-Match"),
                    to: request))
            return
        }
        var next = room.state
        do throws(BoardProblem) {
            try next.replace(
                title: title, presentation: presentation, sections: sections,
                epoch: makeID().description)
        } catch {
            effects.append(.respond(Self.problem(error), to: request))
            return
        }
        room.exclusive = .replacing(next, request)
        let token = takeToken()
        storeRequests[token] = .replace(room)
        let batch = BoardBatch(
            id: room.id, snapshot: next, snapshotEntry: room.entry, resetsLog: true,
            head: BoardHead(next))
        effects.append(.append([batch], token: token))
    }

    func replaced(
        _ room: Room, isStored: Bool, time: EventTime, into effects: inout [Effect]
    ) {
        guard case .replacing(let next, let request) = room.exclusive else { return }
        room.exclusive = nil
        if isStored {
            endEverything(
                in: room, .restarting, reason: "the board was replaced", time: time,
                into: &effects)
            room.become(next)
            effects.append(
                .respond(
                    .board(room.snapshot(), etag: room.etag, created: false), to: request))
        } else {
            effects.append(.respond(Self.storageProblem, to: request))
        }
        room.runDeferred(time: time, into: &effects)
        touch(room)
    }

    /// Ends every drag, tells it, and sends everyone away.
    private func endEverything(
        in room: Room, _ code: CloseCode, reason: String, time: EventTime,
        into effects: inout [Effect]
    ) {
        for participant in room.participants { room.endDrag(of: participant, .removed) }
        room.flush(time: time, into: &effects)
        for session in room.members { close(session, code, reason: reason, into: &effects) }
        for session in sortedSessions() where session.board == room.id {
            close(session, code, reason: reason, into: &effects)
        }
        for participant in room.participants where participant.session == nil {
            room.leave(participant, time: time)
        }
    }

    // MARK: - Problems

    static let storageProblem = Answer.problem(
        status: 503, title: "the store failed", detail: "nothing was changed; try again later",
        field: nil)
    static let stoppingProblem = Answer.problem(
        status: 503, title: "the server is stopping", detail: "nothing was changed; try again soon",
        field: nil)
    static let missingProblem = Answer.problem(
        status: 404, title: "no such board", detail: "no board has this id", field: nil)

    /// What is wrong with a board that someone wants to have.
    package static func problem(_ problem: BoardProblem) -> Answer {
        .problem(
            status: problem.reason == .limit ? 413 : 422, title: problem.reason.rawValue,
            detail: problem.message, field: problem.field)
    }
}
