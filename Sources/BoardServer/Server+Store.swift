internal import BoardModel
internal import BoardStore
internal import BoardWire
internal import Collaboration
internal import WebSocketTransport

extension Server {
    package func woken() {
        for reply in store.takeReplies() {
            switch reply {
            case .loaded(let board, let result): loaded(board, result)
            case .appended(let token, let error):
                note(error)
                isStoreWritable = error == nil
                turn { hub, time, effects in
                    hub.appended(
                        token: token, isStored: error == nil, time: time, into: &effects)
                }
            case .created(let board, let token, let error):
                created(board, token: token, error)
            case .deleted(_, let token, let result):
                if case .failure(let error) = result { note(error) }
                let isDone = if case .success = result { true } else { false }
                turn { hub, time, effects in
                    hub.deleted(token: token, isDone: isDone, time: time, into: &effects)
                }
            case .heads(let token, let result):
                if case .failure(let error) = result { note(error) }
                let list = try? result.get()
                if let list { report(list) }
                turn { hub, _, effects in hub.listed(token: token, list?.heads, into: &effects) }
            }
        }
    }

    private func loaded(_ board: BoardID, _ result: Result<StoredBoard?, StoreError>) {
        let answer: Result<StoredBoard?, Hub.LoadFailure> = result.mapError { error in
            note(error)
            return Hub.LoadFailure()
        }
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
            note(error)
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
