import BoardModel
import Foundation
import Testing

@Suite("Optimistic replicas")
struct ReplicaFuzzTests {
    /// `HOMEBOARD_ROUNDS` changes how many rounds are played.
    static let rounds =
        ProcessInfo.processInfo.environment["HOMEBOARD_ROUNDS"].flatMap(Int.init) ?? 3_000
    static let parts = 30

    @Test(
        "ORD: three replicas never diverge, and what nobody raced is as it was shown",
        arguments: 0..<parts)
    func fuzz(part: Int) throws {
        var unraced = 0
        for seed in stride(from: part, to: Self.rounds, by: Self.parts) {
            var fuzz = try ReplicaFuzz(seed: seed)
            do {
                try fuzz.run()
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
            unraced += fuzz.unraced
        }
        #expect(unraced > 0, "no edit was unraced, nothing was compared")
    }
}
