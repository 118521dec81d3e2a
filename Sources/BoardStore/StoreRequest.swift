package import BoardModel
package import BoardWire

/// What the loop asks of the store's thread. Each request gets exactly one reply.
package enum StoreRequest: Sendable {
    case load(BoardID)
    case create(BoardState, token: Int)
    case append([BoardBatch], token: Int)
    case delete(BoardID, token: Int)
    case heads(token: Int)
    case points(BoardID, token: Int)
    case point(PointID, BoardID, token: Int)
    case deletePoint(PointID, BoardID, token: Int)
}

/// What the store's thread answers; `token` is the request's.
package enum StoreReply: Sendable {
    case loaded(BoardID, Result<StoredBoard?, StoreError>)
    case created(BoardID, token: Int, StoreError?)
    case appended(token: Int, StoreError?)
    case deleted(BoardID, token: Int, Result<Bool, StoreError>)
    case heads(token: Int, Result<BoardList, StoreError>)
    case points(token: Int, Result<[RestorePoint], StoreError>)
    case point(token: Int, Result<StoredPoint?, StoreError>)
    case pointDeleted(token: Int, Result<Bool, StoreError>)
}

extension StoreRequest {
    /// The reply to a request that nobody carried out.
    func refused(_ error: StoreError) -> StoreReply {
        switch self {
        case .load(let id): .loaded(id, .failure(error))
        case .create(let state, let token): .created(state.id, token: token, error)
        case .append(_, let token): .appended(token: token, error)
        case .delete(let id, let token): .deleted(id, token: token, .failure(error))
        case .heads(let token): .heads(token: token, .failure(error))
        case .points(_, let token): .points(token: token, .failure(error))
        case .point(_, _, let token): .point(token: token, .failure(error))
        case .deletePoint(_, _, let token): .pointDeleted(token: token, .failure(error))
        }
    }
}
