import Foundation
import Simulation
import Testing

/// Whole boards with real clients and a hostile world; `make simulate` runs many more seeds.
@Suite("Simulation")
struct SimulationTests {
    private static let seeds =
        UInt64(ProcessInfo.processInfo.environment["SIMULATION_SEEDS"] ?? "") ?? 60

    @Test("nothing is lost and nothing doubled, whatever goes wrong: PER, RCN, LIFE, SEM")
    func asPromised() {
        let campaign = Campaign.run(seeds: 1..<1 + Self.seeds, threads: 2)
        if let failure = campaign.failure {
            Issue.record(
                """
                seed \(failure.seed): \(failure.complaint)
                \(failure.trace.joined(separator: "\n"))
                """)
        }
        #expect(campaign.failure != nil || campaign.seeds == Int(Self.seeds))
        // A run in which nothing goes wrong would pass as well.
        let happened = Dictionary(uniqueKeysWithValues: campaign.rows.map { ($0.name, $0.count) })
        for name in ["commits", "rejections", "undos", "crashes", "cuts", "stalls", "recovered"] {
            #expect(happened[name, default: 0] > 0, "\(name) never happened")
        }
    }

    @Test("a seed tells the last of what happened, the same each time")
    func traced() {
        let first = Simulation(seed: 7, lines: 50)
        let second = Simulation(seed: 7, lines: 50)
        #expect(first.trace.count == 50 && first.trace == second.trace)
        #expect(first.hash == Simulation(seed: 7).hash)
        #expect(first.hash != Simulation(seed: 8).hash)
    }
}
