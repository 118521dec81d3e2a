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
        for (sections, pins) in [(4, 0), (4, 20), (1, 0), (1, 20)] {
            let start = try board(sections: sections, pins: pins)
            let anchored = measure(start, isIndexed: false)
            let indexed = measure(start, isIndexed: true)
            let proposed = measureProposals(start)
            print(
                "1,000 icons, \(sections) sections, \(pins) pins:",
                "move \(anchored) ns, by index alone \(indexed) ns,",
                "proposal \(proposed) ns")
            #expect(anchored < 50_000)
            #expect(indexed < 50_000)
        }
    }

    private func board(sections: Int, pins: Int) throws -> BoardState {
        let sections = (0..<sections).map { section in
            Section(
                id: .named("s\(section)"),
                icons: (0..<1_000 / sections).map { index in
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
    private func measure(_ board: BoardState, isIndexed: Bool) -> Int {
        var random = SeededGenerator(seed: 1)
        var state = board
        let sections = state.board.sections
        let ids = sections.flatMap { $0.icons.filter { $0.pinnedAt == nil }.map(\.id) }
        let client = ClientID.named("u1")
        // First the window fills with ghosts.
        var kept = state
        var applied = 0
        var edits: [Edit] = []
        for _ in 0..<6_000 {
            let section = sections[random.int(0...sections.count - 1)].id
            let anchor = random.pick(ids)
            let target =
                isIndexed
                ? Target(section: section, index: random.int(0...200))
                : Target(
                    section: state.position(of: anchor ?? ids[0])?.section, after: anchor,
                    index: random.int(0...200))
            edits.append(.iconMove(icons: [random.pick(ids) ?? ids[0]], to: target))
        }
        var start = clock()
        for (index, edit) in edits.enumerated() {
            if index % 16 == 0 { kept = state }
            let submission = Submission(
                client: client, seq: index + 1, base: state.revision, intent: .edit(edit))
            if index == 1_000 { start = clock() }
            if state.decide(submission).commit != nil { applied += 1 }
        }
        let spent = nanoseconds(since: start)
        #expect(applied > 5_000)
        #expect(kept.revision <= state.revision)
        return spent / 5_000
    }

    /// Processor time: others on the machine must not count.
    private func nanoseconds(since start: clock_t) -> Int {
        Int(clock() - start) * (1_000_000_000 / Int(CLOCKS_PER_SEC))
    }

    private func measureProposals(_ state: BoardState) -> Int {
        var random = SeededGenerator(seed: 2)
        let sections = state.board.sections
        let ids = sections.flatMap { $0.icons.filter { $0.pinnedAt == nil }.map(\.id) }
        var found = 0
        let start = clock()
        for _ in 0..<5_000 {
            let proposal = state.propose(
                icons: [random.pick(ids) ?? ids[0]],
                to: Target(
                    section: sections[random.int(0...sections.count - 1)].id,
                    after: random.pick(ids),
                    index: random.int(0...200)), copy: false, base: nil, client: .named("u1"),
                role: .owner)
            if proposal.position != nil { found += 1 }
        }
        let spent = nanoseconds(since: start)
        #expect(found > 4_000)
        return spent / 5_000
    }
}
