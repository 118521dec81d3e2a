import BoardModel
import Foundation
import Testing

/// Run by hand, in release:
/// `HOMEBOARD_BENCH=1 swift test -c release --filter MoveCostTests`.
@Suite("Cost of a move")
struct MoveCostTests {
    static let isWanted = ProcessInfo.processInfo.environment["HOMEBOARD_BENCH"] != nil

    @Test("One move on a board of 1,000 icons takes under 50 us", .enabled(if: isWanted))
    func cost() throws {
        for pins in [0, 20] {
            let anchored = try measure(pins: pins, isIndexed: false)
            let indexed = try measure(pins: pins, isIndexed: true)
            let proposed = try measureProposals(pins: pins)
            print(
                "1,000 icons, \(pins) pins: move \(anchored) ns, by index alone \(indexed) ns,",
                "proposal \(proposed) ns")
            #expect(anchored < 50_000)
            #expect(indexed < 50_000)
        }
    }

    private func board(pins: Int) throws -> BoardState {
        let sections = (0..<4).map { section in
            Section(
                id: .named("s\(section)"),
                icons: (0..<250).map { index in
                    var icon = Icon(
                        id: .named("\(section)-\(index)"), red: 0, green: 0.5, blue: 1,
                        label: "Icon \(index)")
                    if pins > 0 && index % (1_000 / pins) == 7 { icon.pinnedAt = index }
                    return icon
                })
        }
        return try BoardState(
            board: Board(id: .named("bench"), title: "", epoch: "e", sections: sections))
    }

    /// Nanoseconds a move; a copy of the state is kept for each batch of 16, as a server does.
    private func measure(pins: Int, isIndexed: Bool) throws -> Int {
        var random = SeededGenerator(seed: 1)
        var state = try board(pins: pins)
        let ids = state.board.sections.flatMap { $0.icons.filter { $0.pinnedAt == nil }.map(\.id) }
        let client = ClientID.named("u1")
        // First the window fills with ghosts.
        var kept = state
        var applied = 0
        var edits: [Edit] = []
        for _ in 0..<6_000 {
            let section = SectionID.named("s\(random.int(0...3))")
            let anchor = random.pick(ids)
            let target =
                isIndexed
                ? Target(section: section, index: random.int(0...200))
                : Target(
                    section: state.position(of: anchor ?? ids[0])?.section, after: anchor,
                    index: random.int(0...200))
            edits.append(.iconMove(icons: [random.pick(ids) ?? ids[0]], to: target))
        }
        let clock = ContinuousClock()
        var spent = Duration.zero
        for (index, edit) in edits.enumerated() {
            if index % 16 == 0 { kept = state }
            let submission = Submission(
                client: client, seq: index + 1, base: state.revision, intent: .edit(edit))
            let start = clock.now
            let outcome = state.decide(submission)
            if index >= 1_000 {
                spent += clock.now - start
                if outcome.commit != nil { applied += 1 }
            }
        }
        #expect(applied > 4_000)
        #expect(kept.revision <= state.revision)
        return Int(spent / .nanoseconds(1)) / 5_000
    }

    private func measureProposals(pins: Int) throws -> Int {
        var random = SeededGenerator(seed: 2)
        let state = try board(pins: pins)
        let ids = state.board.sections.flatMap { $0.icons.filter { $0.pinnedAt == nil }.map(\.id) }
        let clock = ContinuousClock()
        var found = 0
        let start = clock.now
        for _ in 0..<5_000 {
            let proposal = state.propose(
                icons: [random.pick(ids) ?? ids[0]],
                to: Target(
                    section: .named("s\(random.int(0...3))"), after: random.pick(ids),
                    index: random.int(0...200)), copy: false, base: nil, client: .named("u1"),
                role: .owner)
            if proposal.position != nil { found += 1 }
        }
        let spent = clock.now - start
        #expect(found > 4_000)
        return Int(spent / .nanoseconds(1)) / 5_000
    }
}
