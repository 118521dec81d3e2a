internal import BoardModel
internal import Foundation

/// The stored form of a whole board: JSON with sorted keys, so that equal boards have equal bytes.
enum SnapshotCodec {
    static func encode(_ state: BoardState) throws(StoreError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(state))
        } catch {
            throw .damaged(state.id, what: "the board has no JSON form: \(error)")
        }
    }

    static func decode(_ bytes: [UInt8], of id: BoardID) throws(StoreError) -> BoardState {
        let state: BoardState
        do {
            state = try JSONDecoder().decode(BoardState.self, from: Data(bytes))
        } catch {
            throw .damaged(id, what: "the snapshot is no board: \(error)")
        }
        guard state.id == id else {
            throw .damaged(id, what: "the snapshot is of the board \(state.id)")
        }
        return state
    }
}
