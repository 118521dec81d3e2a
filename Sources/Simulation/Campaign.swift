internal import BoardWire
internal import Dispatch
internal import Synchronization

/// Many seeds, on all cores, each of them twice.
package struct Campaign: Sendable {
    /// What the first seed that failed did.
    package struct Failure: Sendable {
        package let seed: UInt64
        package let complaint: String
        package let trace: [String]
    }

    package private(set) var seeds = 0
    package private(set) var failure: Failure?
    /// Of the hashes of all seeds: the same in every process.
    package private(set) var hash: UInt64 = 0
    var totals = Totals()

    /// Runs `seeds`, each twice to see that both go the same way; ends early at a failure, the
    /// lowest one that was found. `progress` hears now and then how many are done, on any thread.
    package static func run(
        seeds: Range<UInt64>, steps: Int = 300, threads: Int,
        progress: @Sendable (Int) -> Void = { _ in }
    ) -> Campaign {
        let shared = Mutex((next: seeds.lowerBound, campaign: Campaign()))
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while let seed = shared.withLock({ state -> UInt64? in
                guard state.campaign.failure == nil, state.next < seeds.upperBound else {
                    return nil
                }
                defer { state.next += 1 }
                return state.next
            }) {
                let (run, failure) = runTwice(seed, steps: steps)
                let count = shared.withLock { state in
                    state.campaign.add(run, failure)
                    return state.campaign.seeds
                }
                if count % 500 == 0 { progress(count) }
            }
        }
        return shared.withLock { $0.campaign }
    }

    private mutating func add(_ run: Simulation, _ failure: Failure?) {
        seeds += 1
        totals += run.totals
        // In whatever order they end.
        hash ^= run.hash &* (run.seed | 1)
        if let failure, failure.seed < self.failure?.seed ?? .max { self.failure = failure }
    }

    private static func runTwice(_ seed: UInt64, steps: Int) -> (Simulation, Failure?) {
        let first = Simulation(seed: seed, steps: steps)
        let second = Simulation(seed: seed, steps: steps)
        var complaint = first.complaint
        if complaint == nil, first.hash != second.hash {
            complaint = "the same seed went two ways: \(first.hash), \(second.hash)"
        }
        guard let complaint else { return (first, nil) }
        let told = Simulation(seed: seed, steps: steps, lines: 50)
        return (first, Failure(seed: seed, complaint: complaint, trace: told.trace))
    }

    /// Name and number of everything that happened.
    package var rows: [(name: String, count: Int)] { totals.rows }

    /// What should have happened in so many seeds and didn't.
    package var missing: [String] {
        let must = [
            "commits", "rejections", "undos", "crashes", "stops", "cuts", "half-open", "silences",
            "stalls", "takeovers", "refused frames", "refused batches", "refused for storage",
            "recovered", "rewelcomed", "replaced boards", "errors", "posts", "points",
            "restores", "closed 1012",
            "drags dropped", "drags cancelled", "drags expired", "drags disconnected",
            "drags removed", "drags forbidden",
        ]
        return must.filter { name in rows.first { $0.name == name }?.count ?? 0 == 0 }
    }
}
