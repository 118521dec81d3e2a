import Foundation
import Simulation

// Exit codes: 0 all as promised, 1 a seed failed or too little happened, 64 usage.

let usage = """
    Usage: homeboard-sim [--seeds N] [--first N] [--steps N] [--threads N] [--lines N] [--trace]

    Runs whole boards with real clients in a hostile world, each seed twice.

      --seeds N    how many seeds (1000)
      --first N    the first of them (1); a failure prints the seed that repeats it
      --steps N    what happens in each before the calm (300)
      --threads N  how many at a time (one a core)
      --lines N    how many lines of a trace are printed (50)
      --trace      print the last lines of the first seed, and run no other
    """

func fail(_ text: String) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    exit(64)
}

var numbers = [
    "--seeds": 1_000, "--first": 1, "--steps": 300, "--lines": 50,
    "--threads": ProcessInfo.processInfo.activeProcessorCount,
]
var isTraced = false
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst() {
    if name == "--trace" {
        isTraced = true
    } else if name == "--help" {
        print(usage)
        exit(0)
    } else {
        guard numbers[name] != nil else { fail("unknown option \(name)\n\n\(usage)") }
        guard let text = arguments.popFirst(), let number = Int(text), number >= 1 else {
            fail("\(name) needs a number from 1")
        }
        numbers[name] = number
    }
}
let first = UInt64(numbers["--first", default: 1])
let steps = numbers["--steps", default: 1]

if isTraced {
    let run = Simulation(seed: first, steps: steps, lines: numbers["--lines", default: 50])
    print(run.trace.joined(separator: "\n"))
    print("seed \(first), hash \(String(run.hash, radix: 16)): \(run.complaint ?? "as promised")")
    exit(run.complaint == nil ? 0 : 1)
}

let start = ContinuousClock.now
let campaign = Campaign.run(
    seeds: first..<first + UInt64(numbers["--seeds", default: 1]), steps: steps,
    threads: numbers["--threads", default: 1]
) { count in
    print("\(count) seeds, \(start.duration(to: .now))")
    fflush(nil)
}
for (name, count) in campaign.rows where count > 0 { print("\(count) \(name)") }
let seconds = start.duration(to: .now).components.seconds
print("\(campaign.seeds) seeds twice in \(seconds) s, hash \(String(campaign.hash, radix: 16))")
if let failure = campaign.failure {
    print(failure.trace.joined(separator: "\n"))
    print("seed \(failure.seed): \(failure.complaint)")
    print("repeat: homeboard-sim --first \(failure.seed) --steps \(steps) --trace")
    exit(1)
}
let missing = campaign.missing
guard campaign.seeds < 500 || missing.isEmpty else {
    print("it never happened: \(missing.joined(separator: ", "))")
    exit(1)
}
print("all as promised")
