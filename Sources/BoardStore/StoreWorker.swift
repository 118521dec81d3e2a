internal import BoardModel
internal import BoardWire

/// Carries out requests on a store, in their order, with appends that follow each other in one
/// transaction.
package struct StoreWorker {
    let store: any BoardStore

    package init(store: any BoardStore) {
        self.store = store
    }

    package func carryOut(_ requests: [StoreRequest], reply: (StoreReply) -> Void) {
        var appends: [(batches: [BoardBatch], token: Int)] = []
        for request in requests {
            if case .append(let batches, let token) = request {
                appends.append((batches, token))
                continue
            }
            carryOut(appends, reply: reply)
            appends = []
            carryOut(request, reply: reply)
        }
        carryOut(appends, reply: reply)
    }

    private func carryOut(
        _ appends: [(batches: [BoardBatch], token: Int)], reply: (StoreReply) -> Void
    ) {
        guard !appends.isEmpty else { return }
        let error = append(appends.flatMap(\.batches))
        switch error {
        case .missing, .outOfSequence, .damaged, .exists:
            // One board's own trouble is no reason to refuse what was asked for the others.
            guard appends.count > 1 else { fallthrough }
            for (batches, token) in appends { reply(.appended(token: token, append(batches))) }
        case nil, .full, .failed, .unusable, .locked:
            for (_, token) in appends { reply(.appended(token: token, error)) }
        }
    }

    private func append(_ batches: [BoardBatch]) -> StoreError? {
        do {
            try store.append(batches)
            return nil
        } catch {
            return error
        }
    }

    private func carryOut(_ request: StoreRequest, reply: (StoreReply) -> Void) {
        switch request {
        case .load(let id):
            reply(.loaded(id, Result { () throws(StoreError) in try store.load(id) }))
        case .create(let state, let token):
            let result = Result { () throws(StoreError) in try store.create(state) }
            reply(.created(state.id, token: token, result.error))
        case .append(let batches, let token):
            reply(.appended(token: token, append(batches)))
        case .delete(let id, let token):
            let result = Result { () throws(StoreError) in try store.delete(id) }
            reply(.deleted(id, token: token, result))
        case .heads(let token):
            reply(.heads(token: token, Result { () throws(StoreError) in try store.heads() }))
        case .points(let id, let token):
            let result = Result { () throws(StoreError) in try store.points(of: id) }
            reply(.points(token: token, result))
        case .point(let point, let id, let token):
            let result = Result { () throws(StoreError) in try store.point(point, of: id) }
            reply(.point(token: token, result))
        case .deletePoint(let point, let id, let token):
            let result = Result { () throws(StoreError) in try store.deletePoint(point, of: id) }
            reply(.pointDeleted(token: token, result))
        }
    }
}

extension Result {
    fileprivate var error: Failure? {
        switch self {
        case .success: nil
        case .failure(let error): error
        }
    }
}
