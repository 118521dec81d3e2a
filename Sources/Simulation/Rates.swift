/// What one seed makes of the world: how large, how fast and how hostile it is. Times in
/// microseconds.
struct Rates {
    let people: Int
    let boards: Int
    let icons: Int
    /// One way through the network.
    let delay: ClosedRange<Int>
    /// What a socket takes before it takes no more, in bytes.
    let socketBytes: Int
    /// From a request of the store to its reply.
    let disk: ClosedRange<Int>
    /// Between one step and the next.
    let pause: ClosedRange<Int>
    /// How many events a board keeps for those who are behind.
    let logEvents: Int
    /// How often each kind of step is taken.
    let weights: [Int]

    init(_ dice: inout Dice) {
        people = dice.int(2...5)
        boards = dice.chance(300) ? 2 : 1
        icons = dice.int(3...14)
        let least = dice.pick([100, 1_000, 20_000, 80_000])
        delay = least...(least * dice.int(1...4))
        socketBytes = dice.pick([700, 4_000, 64_000])
        let fsync = dice.pick([50, 800, 12_000])
        disk = fsync...(fsync * dice.int(1...20))
        let mean = dice.pick([1_000, 15_000, 60_000])
        pause = 0...(2 * mean)
        logEvents = dice.pick([20, 60, 16_384])
        // Harms are rare in some worlds, common in others, and some never come.
        weights = Step.allCases.map { step in
            step.isHarm ? dice.pick([0, step.weight, 3 * step.weight]) : step.weight
        }
    }
}

/// What a run consists of.
enum Step: CaseIterable {
    case act, wait, cut, halfOpen, stall, unstall, leave, takeOver, crash, stop
    case slowDisk, fullDisk, mendDisk, clock, put, post, point, restore, rubbish

    var isHarm: Bool {
        switch self {
        case .act, .wait, .unstall, .mendDisk: false
        default: true
        }
    }

    /// Out of about a thousand.
    var weight: Int {
        switch self {
        case .act: 700
        case .wait, .unstall: 40
        case .mendDisk: 80
        case .cut, .stall: 20
        case .halfOpen, .leave, .takeOver, .slowDisk, .fullDisk, .post, .rubbish: 10
        case .crash: 8
        case .stop, .clock, .put, .restore: 4
        case .point: 6
        }
    }
}
