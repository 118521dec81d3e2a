import BoardModel
import BoardWire
import Foundation

/// The real model behind a pipe: what other implementations of a board are held against.
///
/// A line in, a line out:
///
/// - `{"board":Board,"window"?:n}` begins with that board, also in the middle; answered with it.
/// - `{"client","seq","base"?,"edit","role"?,"at"?}` decides an edit; answered with the `commit`
///   event (`peer` null) or the `result` event.
/// - `{"board":true}` is answered with the board as it is now.
///
/// What it cannot read it answers `{"error":string,"field"?:path}`. Identifiers that an edit leaves
/// to the server come from a generator that begins anew with each board, so runs repeat exactly.
struct Oracle {
    private var state: BoardState?
    private var generator = CountingGenerator()

    mutating func answer(to line: [UInt8]) -> [UInt8] {
        do {
            let value = try JSONParser().parse(line)
            switch value["board"] {
            case .bool(true): return encode(board: try current().board)
            case .some: return try begin(line)
            case nil: return try decide(line, value)
            }
        } catch let error as MessageError {
            return complaint(error.message, field: error.field)
        } catch let error as JSONError {
            return complaint("\(error.message), at byte \(error.offset)", field: nil)
        } catch {
            return complaint("\(error)", field: nil)
        }
    }

    private mutating func begin(_ line: [UInt8]) throws -> [UInt8] {
        let start = try JSONDecoder().decode(Start.self, from: Data(line))
        var limits = BoardLimits()
        if let window = start.window { limits.window = window }
        let state = try BoardState(board: start.board, limits: limits)
        self.state = state
        generator = CountingGenerator()
        return encode(board: state.board)
    }

    private mutating func decide(_ line: [UInt8], _ value: JSONValue) throws -> [UInt8] {
        let (client, seq, base, intent) = try read(line)
        var role = Role.owner
        if case .string(let name) = value["role"] {
            guard let known = Role(rawValue: name) else {
                return complaint("not a role", field: "role")
            }
            role = known
        }
        var at = 0
        if case .number(let number) = value["at"] { at = number.integer ?? 0 }
        var state = try current()
        let outcome = state.decide(
            Submission(client: client, seq: seq, base: base, role: role, intent: intent, at: at))
        self.state = state
        if case .applied(let commit) = outcome {
            return ServerEvent.commit(commit, peer: nil).encoded
        }
        guard let result = ResultEvent(seq: seq, outcome: outcome) else {
            return complaint("no answer", field: nil)
        }
        return ServerEvent.result(result).encoded
    }

    /// An ill edit whose `seq` is known is decided as the server decides it: refused.
    private mutating func read(
        _ line: [UInt8]
    ) throws -> (client: ClientID, seq: Int, base: Int?, intent: Intent) {
        do throws(MessageError) {
            let (client, message) = try decodeEditRequest(line, using: &generator)
            return (client, message.seq, message.base, .edit(message.edit))
        } catch {
            guard let client = error.client, let seq = error.seq else { throw error }
            return (client, seq, error.base, .refused(.invalid, field: error.field))
        }
    }

    private func current() throws(MessageError) -> BoardState {
        guard let state else { throw MessageError(.invalid, "no board yet", field: "board") }
        return state
    }

    private func complaint(_ message: String, field: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("error", message)
        writer.field(ifPresent: "field", field)
        writer.endObject()
        return writer.bytes
    }
}

private struct Start: Decodable {
    var board: Board
    /// Revisions for which ghosts are kept; the model's own when left out.
    var window: Int?
}

/// Numbers that spread well and repeat exactly (SplitMix64).
private struct CountingGenerator: RandomNumberGenerator {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
