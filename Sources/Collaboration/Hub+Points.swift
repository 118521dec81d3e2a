internal import BoardModel
package import BoardWire

/// Restore points: made of what is stored, and brought back as one commit like any other.
extension Hub {
    /// Who restores which point.
    struct Restoring {
        var point: PointID
        var client: ClientID?
        var seq: Int?
        var base: Int?
    }

    /// How many restore points people may make of a board.
    package static let pointsMax = 100

    func performOnPoints(
        _ request: BoardRequest, _ token: RequestToken, in room: Room, into effects: inout [Effect]
    ) {
        let storeToken = takeToken()
        switch request {
        case .points:
            storeRequests[storeToken] = .points(token)
            effects.append(.listPoints(room.id, token: storeToken))
        case .makePoint(let name):
            storeRequests[storeToken] = .makePoint(room, name: name, token)
            effects.append(.listPoints(room.id, token: storeToken))
        case .restore(let point, let client, let seq, let base):
            let restoring = Restoring(point: point, client: client, seq: seq, base: base)
            storeRequests[storeToken] = .restore(room, restoring, token)
            effects.append(.readPoint(point, room.id, token: storeToken))
        case .deletePoint(let point):
            storeRequests[storeToken] = .deletePoint(token)
            effects.append(.deletePoint(point, room.id, token: storeToken))
        case .get, .put, .delete, .edit, .commits:
            preconditionFailure("no request about points")
        }
    }

    // MARK: - Answers of the store

    /// The points of a board, the newest first; `nil` when they can't be read.
    package func pointsListed(
        token: Int, _ points: [RestorePoint]?, time: EventTime, into effects: inout [Effect]
    ) {
        switch storeRequests.removeValue(forKey: token) {
        case .points(let request):
            effects.append(
                .respond(points.map { .json(encodePoints($0)) } ?? Self.storageProblem, to: request)
            )
        case .makePoint(let room, let name, let request):
            guard let points else {
                effects.append(.respond(Self.storageProblem, to: request))
                return
            }
            guard points.count(where: { !$0.isAutomatic }) < Self.pointsMax else {
                effects.append(.respond(Self.pointsProblem, to: request))
                return
            }
            keepPoint(of: room, name: name, request, time: time, into: &effects)
        default: return
        }
    }

    /// Keeps the board as everyone knows it. The board may have gone meanwhile, which the store
    /// tells.
    private func keepPoint(
        of room: Room, name: String, _ request: RequestToken, time: EventTime,
        into effects: inout [Effect]
    ) {
        let point = makePoint(of: room.announced, name: name, isAutomatic: false, time: time)
        let token = takeToken()
        storeRequests[token] = .keepPoint(point.point, request)
        let batch = BoardBatch(
            id: room.id, snapshotEntry: room.entryOfSnapshot, head: BoardHead(room.state),
            points: [point])
        effects.append(.append([batch], token: token))
    }

    func makePoint(
        of state: BoardState, name: String, isAutomatic: Bool, time: EventTime
    ) -> StoredPoint {
        StoredPoint(
            RestorePoint(
                id: makeBoardID(), name: name, at: time.wallMs, revision: state.revision,
                iconCount: state.iconCount, isAutomatic: isAutomatic), state.board)
    }

    func pointKept(
        _ point: RestorePoint, isStored: Bool, _ request: RequestToken, into effects: inout [Effect]
    ) {
        var writer = JSONWriter()
        point.write(into: &writer)
        effects.append(
            .respond(isStored ? .created(writer.bytes) : Self.storageProblem, to: request))
    }

    /// A point was read; `nil` when there is none of that name, failure when it can't be read.
    package func pointRead(
        token: Int, _ found: Result<StoredPoint?, LoadFailure>, time: EventTime,
        into effects: inout [Effect]
    ) {
        guard
            case .restore(let room, let restoring, let request) =
                storeRequests
                .removeValue(forKey: token)
        else { return }
        switch found {
        case .failure: effects.append(.respond(Self.storageProblem, to: request))
        case .success(nil): effects.append(.respond(Self.missingPoint, to: request))
        case .success(let stored?):
            guard case .loaded(let now) = slots[room.id], now === room else {
                effects.append(.respond(Self.missingProblem, to: request))
                return
            }
            restore(stored, restoring, request, in: room, time: time, into: &effects)
            touch(room)
        }
    }

    private func restore(
        _ stored: StoredPoint, _ restoring: Restoring, _ request: RequestToken, in room: Room,
        time: EventTime, into effects: inout [Effect]
    ) {
        room.inTurn(time: time, into: &effects, request: request) { [self] room, time, effects in
            let client = restoring.client ?? Self.nobody
            let submission = Submission(
                client: client, seq: restoring.seq ?? room.state.lastSeq(of: client) + 1,
                base: restoring.base, intent: .restore(BoardContent(stored.board)),
                at: time.wallMs)
            // Kept with the commit or not at all, so that it can be taken back.
            let before = makePoint(
                of: room.state, name: stored.point.name, isAutomatic: true, time: time)
            room.decide(submission, from: .request(request), keeping: before, into: &effects)
        }
    }

    /// Whose edit a restoring is that names no client.
    static let nobody = UniqueID(high: 0, low: 1)

    package func pointDeleted(token: Int, _ existed: Bool?, into effects: inout [Effect]) {
        guard case .deletePoint(let request) = storeRequests.removeValue(forKey: token) else {
            return
        }
        let answer: Answer =
            switch existed {
            case true?: .noContent
            case false?: Self.missingPoint
            case nil: Self.storageProblem
            }
        effects.append(.respond(answer, to: request))
    }

    static let missingPoint = Answer.problem(
        status: 404, title: "no such point", detail: "the board has no restore point of this id",
        field: nil)
    private static let pointsProblem = Answer.problem(
        status: 409, title: "too many points",
        detail: "a board has at most \(pointsMax) restore points; delete one", field: nil)
}
