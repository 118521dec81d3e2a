internal import BoardModel
internal import BoardStore
internal import BoardWire
internal import Collaboration
internal import WebSocketTransport

extension Server {
    func ask(_ request: StoreRequest) {
        patience.asked(now: time.now)
        store.submit(request)
    }

    package func woken() {
        for reply in store.takeReplies() {
            if let waited = patience.answered(now: time.now) {
                log.write(.info, "store.answered", [("seconds", String(waited.components.seconds))])
            }
            note(reply.error)
            // Nobody knows what is stored now: not even a refusal would be true.
            guard storeFailure == nil else { return }
            if let isWritten = reply.isWritten { isStoreWritable = isWritten }
            switch reply {
            case .loaded(let board, let result): loaded(board, result)
            case .appended(let token, let error):
                turn { hub, time, effects in
                    hub.appended(
                        token: token, isStored: error == nil, time: time, into: &effects)
                }
            case .created(let board, let token, let error):
                created(board, token: token, error)
            case .deleted(_, let token, let result):
                let isDone = if case .success = result { true } else { false }
                turn { hub, time, effects in
                    hub.deleted(token: token, isDone: isDone, time: time, into: &effects)
                }
            case .heads(let token, let result):
                let list = try? result.get()
                if let list { report(list) }
                turn { hub, _, effects in hub.listed(token: token, list?.heads, into: &effects) }
            case .points(let token, let result):
                turn { hub, time, effects in
                    hub.pointsListed(
                        token: token, try? result.get(), time: time, into: &effects)
                }
            case .point(let token, let result):
                let found = result.mapError { _ in Hub.LoadFailure() }
                turn { hub, time, effects in
                    hub.pointRead(token: token, found, time: time, into: &effects)
                }
            case .pointDeleted(let token, let result):
                turn { hub, _, effects in
                    hub.pointDeleted(token: token, try? result.get(), into: &effects)
                }
            }
        }
    }

    private func loaded(_ board: BoardID, _ result: Result<StoredBoard?, StoreError>) {
        let answer = result.mapError { _ in Hub.LoadFailure() }
        turn { hub, time, effects in
            hub.loaded(board, answer, time: time, into: &effects)
        }
    }

    private func created(_ board: BoardID, token: Int, _ error: StoreError?) {
        let result: Hub.CreateResult
        switch error {
        case nil: result = .created
        case .exists: result = .exists
        case .damaged, .missing, .outOfSequence, .locked, .full, .failed, .unusable:
            result = .failed
        }
        turn { hub, _, effects in hub.created(token: token, result, into: &effects) }
    }

    /// Names the boards that a list had to leave out; each once, since lists are asked for often.
    private func report(_ list: BoardList) {
        for (board, what) in list.damaged where reported.insert(board.text).inserted {
            note(.damaged(board, what: what))
        }
        for remark in list.remarks where reported.insert(remark).inserted {
            log.write(.error, "store.damaged", [("what", remark)])
        }
    }

    /// Logs a failure of the store, and stops the server when the store can't be trusted any more.
    private func note(_ error: StoreError?) {
        guard let error else { return }
        switch error {
        case .exists: return
        case .damaged(let board, let what):
            log.write(.error, "board.damaged", [("board", board.text), ("what", what)])
        case .full(let what):
            metrics.count("homeboard_storage_errors_total{kind=\"full\"}")
            log.write(.error, "store.full", [("what", what)])
        case .missing, .outOfSequence:
            metrics.count("homeboard_storage_errors_total{kind=\"refused\"}")
            log.write(.error, "store.refused", [("what", Self.describe(error))])
        case .locked, .failed, .unusable:
            metrics.count("homeboard_storage_errors_total{kind=\"failed\"}")
            fail(Self.describe(error))
        }
    }

    static func describe(_ error: StoreError) -> String {
        switch error {
        case .exists(let board): "board \(board) exists"
        case .damaged(let board, let what): "board \(board) is damaged: \(what)"
        case .locked(let directory, let holder):
            "\(directory) is in use by another server, \(holder)"
        case .missing(let board): "board \(board) is not stored"
        case .outOfSequence(let board, let expected):
            "board \(board): entry \(expected) was expected"
        case .full(let what): "no space: \(what)"
        case .failed(let what): what
        case .unusable(let what): what
        }
    }
}

extension StoreReply {
    fileprivate var error: StoreError? {
        switch self {
        case .loaded(_, .failure(let error)), .deleted(_, _, .failure(let error)),
            .heads(_, .failure(let error)), .points(_, .failure(let error)),
            .point(_, .failure(let error)), .pointDeleted(_, .failure(let error)):
            error
        case .created(_, _, let error), .appended(_, let error): error
        case .loaded, .deleted, .heads, .points, .point, .pointDeleted: nil
        }
    }

    /// Whether a change was stored (true) or found no space (false); `nil` when it says neither.
    fileprivate var isWritten: Bool? {
        if case .full = error { return false }
        switch self {
        case .created(_, _, nil), .appended(_, nil), .deleted(_, _, .success),
            .pointDeleted(_, .success):
            return true
        case .created, .appended, .deleted, .loaded, .heads, .points, .point, .pointDeleted:
            return nil
        }
    }
}
