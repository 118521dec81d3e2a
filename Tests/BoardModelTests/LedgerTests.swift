import BoardModel
import Foundation
import Testing

@Suite("Sequences of clients")
struct LedgerTests {
    private let client = ClientID.named("u1")

    private func submission(_ seq: Int, _ intent: Intent = .nothing, at: Int = 0) -> Submission {
        Submission(client: client, seq: seq, base: nil, intent: intent, at: at)
    }

    @Test("Each number is decided once; a gap and a number below 1 are not decided")
    func numbers() throws {
        var state = try BoardState(board: .sample("AB"))
        #expect(state.lastSeq(of: client) == 0)
        let move = Intent.edit(.move("A", .index(1)))
        let fresh = state
        #expect(state.decide(submission(0, move)) == .unnumbered(revision: 0))
        #expect(state.decide(submission(-7, move)) == .unnumbered(revision: 0))
        #expect(state.decide(submission(2, move)) == .gap(lastSeq: 0, revision: 0))
        #expect(state == fresh)
        #expect(state.decide(submission(1, move)).commit?.revision == 1)
        #expect(state.decide(submission(2, .refused(.noDrag, field: "drag"))).field == "drag")
        #expect(state.decide(submission(3, .nothing)) == .noop(revision: 1))
        let after = state
        #expect(state.decide(submission(1)) == .duplicate(decided: .applied, revision: 1))
        #expect(state.decide(submission(2)) == .duplicate(decided: .rejected, revision: 1))
        #expect(state.decide(submission(3, move)) == .duplicate(decided: .noop, revision: 1))
        #expect(state.decide(submission(5)) == .gap(lastSeq: 3, revision: 1))
        #expect(state == after)
        #expect(state.lastSeq(of: client) == 3)
    }

    @Test("At least the last 32 answers are kept, older repeats are known as repeats only")
    func answers() throws {
        var state = try BoardState(board: .sample("AB"))
        for seq in 1...40 { _ = state.decide(submission(seq)) }
        #expect(state.decide(submission(9)) == .duplicate(decided: .noop, revision: 0))
        #expect(state.decide(submission(8)) == .duplicate(decided: nil, revision: 0))
        state = try state.restarted()
        #expect(state.decide(submission(9)) == .duplicate(decided: .noop, revision: 0))
        #expect(state.decide(submission(8)) == .duplicate(decided: nil, revision: 0))
    }

    @Test("A replaced board keeps the sequences and forgets ghosts and undo")
    func replaced() throws {
        var table = try Table(.sample("ABC"))
        try table.edit(.move("A", .at(.end, of: "s")))
        let icons = "XY".map { Icon.letter($0) }
        try table.state.replace(
            title: "New", presentation: Presentation(axis: .horizontal),
            sections: [Section(id: .named("n"), icons: icons)], epoch: "e2")
        #expect(table.state.revision == 2)
        #expect(table.state.epoch == "e2")
        #expect(table.state.visible(.named("n")) == icons.map(\.id))
        #expect(table.state.visible(.named("s")) == nil)
        #expect(table.state.lastSeq(of: client) == 1)
        #expect(table.state.liftRefusal(icons: [.named("A")], role: .owner) == .external)
        #expect(table.state.decide(submission(2, .edit(.undo))).reason == .nothingToUndo)
        #expect(table.state.jsonBytes == table.state.board.jsonBytes)
        #expect(try table.state.restarted() == table.state)
    }

    @Test("A client is forgotten a retention time after its last edit, its slots stay its own")
    func forgetting() throws {
        var state = try BoardState(board: .sample("ABCD"))
        state.limits.clientRetentionMs = 1_000
        let other = ClientID.named("u2")
        _ = state.decide(submission(1, .edit(.move("A", .index(2))), at: 500))
        _ = state.decide(
            Submission(client: other, seq: 1, base: nil, intent: .nothing, at: 1_200))
        let before = state
        state.forgetClients(now: 1_500)
        #expect(state == before)
        state.forgetClients(now: 1_501)
        #expect(state.lastSeq(of: client) == 0)
        #expect(state.lastSeq(of: other) == 1)
        #expect(try state.restarted() == state)
        // It has no number any more, but still knows the place that it made.
        let outcome = state.decide(
            Submission(
                client: client, seq: 1, base: 0, intent: .edit(.move("B", .after("A")))))
        #expect(outcome.commit != nil)
        #expect(state.visible(.named("s")) == "CABD".map { .named(String($0)) })
        #expect(state.decide(submission(2, .edit(.undo))).commit != nil)
        #expect(state.decide(submission(3, .edit(.undo))).reason == .nothingToUndo)
    }

    @Test("No more steps are kept than the limit says")
    func steps() throws {
        var table = try Table(.sample("AB"))
        table.state.limits.undoSteps = 3
        for icon in ["A", "B", "A", "B", "A"] {
            try table.edit(.move(icon, .at(.end, of: "s")))
        }
        for _ in 0..<3 { #expect(try table.edit(.undo).commit != nil) }
        #expect(try table.edit(.undo).reason == .nothingToUndo)
        #expect(table.isSound)
    }

    @Test("Forgotten ghosts do not pile up")
    func pruning() throws {
        var table = try Table(.sample("ABC"))
        table.state.limits.window = 10
        for round in 0..<2_000 {
            try table.edit(.move("ABC".map(String.init)[round % 3], .at(.end, of: "s")))
        }
        #expect(try JSONEncoder().encode(table.state).count < 40_000)
        #expect(table.isSound)
    }
}
