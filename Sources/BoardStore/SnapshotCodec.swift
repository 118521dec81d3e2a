internal import BoardModel
internal import Foundation

/// The stored form of a whole board: JSON with sorted keys, so that equal boards have equal bytes.
enum SnapshotCodec {
    /// A board as stored, and apart from it the limits it does not hold itself.
    struct Encoded: Sendable {
        var state: [UInt8]
        var limits: [UInt8]
    }

    static func encode(_ state: BoardState) throws(StoreError) -> Encoded {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Encoded(
                state: [UInt8](try encoder.encode(state)),
                limits: [UInt8](try encoder.encode(StoredLimits(state.limits))))
        } catch {
            throw .damaged(state.id, what: "the board has no JSON form: \(error)")
        }
    }

    static func decode(_ encoded: Encoded, of id: BoardID) throws(StoreError) -> BoardState {
        let decoder = JSONDecoder()
        var state: BoardState
        do {
            state = try decoder.decode(BoardState.self, from: Data(encoded.state))
            state.limits = try decoder.decode(StoredLimits.self, from: Data(encoded.limits)).limits
        } catch {
            throw .damaged(id, what: "the snapshot is no board: \(error)")
        }
        guard state.id == id else {
            throw .damaged(id, what: "the snapshot is of the board \(state.id)")
        }
        return state
    }
}
