import BoardModel
import BoardWire
import Foundation
import Testing

@Suite("Round trips")
struct RoundTripTests {
    private func parsed(_ bytes: [UInt8]) throws -> JSONValue { try JSONParser().parse(bytes) }

    @Test("an edit that is written is read back equal", arguments: seeds)
    func edits(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let edit = generator.edit()
            let bytes = encode(edit: edit)
            var unused = SeededGenerator(seed: 0)
            #expect(
                try decodeEdit(try parsed(bytes), using: &unused) == edit,
                "seed \(seed): \(text(bytes))")
            let found = try disagreement(over: bytes)
            #expect(found == nil, "seed \(seed): \(found ?? "")")
        }
    }

    @Test("a change that is written is read back equal", arguments: seeds)
    func changes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let change = generator.change()
            let bytes = encode(change: change)
            #expect(
                try decodeChange(try parsed(bytes)) == change, "seed \(seed): \(text(bytes))")
            let found = try disagreement(over: bytes)
            #expect(found == nil, "seed \(seed): \(found ?? "")")
        }
    }

    @Test("a board is written as JSONEncoder means it, and JSONDecoder reads it", arguments: seeds)
    func boards(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<25 {
            let board = generator.board()
            let bytes = encode(board: board)
            let theirs = Array(try JSONEncoder().encode(board))
            #expect(try foundation(bytes) == (try foundation(theirs)), "seed \(seed)")
            #expect(
                try JSONDecoder().decode(Board.self, from: Data(bytes)) == board, "seed \(seed)")
            #expect(board.jsonBytes >= bytes.count, "seed \(seed): the model's bound is too low")
            let body = try decodeBoardBody(bytes)
            #expect(body.title == board.title, "seed \(seed)")
            #expect(body.presentation == board.presentation, "seed \(seed)")
            #expect(body.sections == board.sections, "seed \(seed)")
        }
    }

    @Test("no text makes a board longer than the model reckons")
    func bound() {
        for piece in [
            "\u{2028}", "\u{2029}", "\u{0}", "\"", "\\", "/", "\u{7f}", "é", "👨‍👩‍👧‍👦", "\u{2027}",
        ] {
            let title = String(repeating: piece, count: 1_000)
            let board = Board(id: home, title: title, epoch: "e")
            #expect(board.jsonBytes >= encode(board: board).count, "\(piece.debugDescription)")
        }
    }

    @Test("O-46: a decision record is one line and is read back equal", arguments: seeds)
    func records(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for entry in 0..<100 {
            let submission = generator.submission()
            let record = DecisionRecord(
                entry: entry, submission: submission, outcome: generator.outcome(of: submission))
            let bytes = record.encode()
            #expect(try DecisionRecord.decode(bytes) == record, "seed \(seed): \(text(bytes))")
            #expect(!bytes.contains(UInt8(ascii: "\n")), "seed \(seed)")
            let found = try disagreement(over: bytes)
            #expect(found == nil, "seed \(seed): \(found ?? "")")
        }
    }

    @Test("a damaged decision record is refused, never guessed at")
    func damagedRecords() throws {
        let submission = Submission(
            client: mia, seq: 1, base: 0, intent: .edit(.iconRemove(icons: [mail])), at: 5)
        let whole = text(
            DecisionRecord(entry: 1, submission: submission, outcome: .noop(revision: 3)).encode())
        for (from, to) in [
            ("\"entry\":1,", ""), ("\"seq\":1,", ""), ("\"role\":\"owner\",", ""), ("noop", "nope"),
            ("\"revision\":3", "\"revision\":3.5"), ("icon.remove", "icon.gone"), ("\"at\":5,", ""),
            ("\"edit\"", "\"tide\""), ("\"outcome\"", "\"comeout\""),
            ("{\"kind\":\"icon.remove\"", "{\"kind\":\"icon.copy\",\"to\":{\"section\":\"home\"}"),
        ] {
            let damaged = whole.replacing(from, with: to)
            #expect(damaged != whole)
            #expect(throws: MessageError.self, "\(damaged)") {
                try DecisionRecord.decode(Array(damaged.utf8))
            }
        }
        for length in 0..<whole.utf8.count {
            #expect(throws: MessageError.self) {
                try DecisionRecord.decode(Array(whole.utf8.prefix(length)))
            }
        }
    }
}
