import BoardServer
import Collaboration
import Testing

@Suite("A store that says nothing is noticed")
struct StorePatienceTests {
    private func at(_ seconds: Int) -> Moment { Moment(.seconds(1_000 + seconds)) }

    @Test("once, after two seconds of silence, until it answers")
    func silence() {
        var patience = StorePatience()
        patience.asked(now: at(0))
        patience.asked(now: at(1))
        #expect(patience.deadline == at(2))
        let over = (1...3).map { patience.hasRunOut(now: at($0)) }
        #expect(over == [false, true, false])
        #expect(patience.isOver && patience.pending == 2 && patience.deadline == nil)
        #expect(patience.silence(now: at(7)) == .seconds(7))
        let waited = [9, 10].map { patience.answered(now: at($0)) }
        #expect(waited == [.seconds(9), nil])
        #expect(!patience.isOver && patience.pending == 0)
    }

    @Test("never while it answers or nothing is asked, however much waits")
    func busy() {
        var patience = StorePatience()
        for second in 0..<100 { patience.asked(now: at(second / 50)) }
        let over = (1...100).filter { second in
            patience.hasRunOut(now: at(second)) || patience.answered(now: at(second)) != nil
        }
        #expect(over.isEmpty && patience.pending == 0)
        #expect(patience.deadline == nil && patience.silence(now: at(500)) == .zero)
    }
}
