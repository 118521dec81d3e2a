import BoardModel
import BoardWire
import Collaboration
import Testing

/// What waits behind a replacement of the board, and behind what that waits for.
@Suite("Waiting for a replacement")
struct WaitingTests {
    private func move(_ world: Harness, seq: Int) {
        world.send(
            1,
            #"{"type":"edit","seq":\#(seq),"edit":{"kind":"icon.move","icons":["\#(id(1))"],"#
                + #""to":{"section":"t","at":"end"}}}"#)
    }

    private func putStale(_ world: Harness, _ token: UInt64) {
        world.request(
            token, board: BoardID("b")!,
            .put(
                ifMatch: "\"stale\"", title: "", presentation: Presentation(),
                sections: smallBoard().sections))
    }

    @Test("HT4, CM9: answers that need no storing hold up nothing that waits behind them")
    func answersWithoutRecord() throws {
        let world = try Harness.withMiaAndBen()
        world.holdsAppends = true
        move(world, seq: 1)
        putStale(world, 1)
        // A repeat: answered, but no decision that makes a batch.
        move(world, seq: 1)
        putStale(world, 2)
        move(world, seq: 2)
        world.holdsAppends = false
        world.releaseAppends()
        world.advance(.milliseconds(100))
        for token in [UInt64(1), 2] {
            guard case .problem(412, _, _, _)? = world.answers[token] else {
                Issue.record("request \(token): \(String(describing: world.answers[token]))")
                return
            }
        }
        let results = world.events(1, "result").compactMap { $0["status"] as? String }
        #expect(results == ["duplicate", "noop"])
        #expect(world.events(1, "commit").count == 1)
    }
}
