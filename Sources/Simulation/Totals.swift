internal import BoardWire

/// What happened, counted: a run in which nothing did proves nothing.
struct Totals {
    var steps = 0
    var commits = 0
    var rejections = 0
    var undos = 0
    var performed = 0
    var crashes = 0
    var stops = 0
    var cuts = 0
    var halfOpens = 0
    var silences = 0
    var stalls = 0
    var takeOvers = 0
    /// Frames that a socket didn't take.
    var refusedFrames = 0
    var refusedBatches = 0
    var storageRefusals = 0
    var recoveries = 0
    var rewelcomes = 0
    var replacements = 0
    var errors = 0
    var posts = 0
    var points = 0
    var restores = 0
    /// Labels given, each another one.
    var labels = 0
    var closes: [CloseCode: Int] = [:]
    var ended: [DragOutcome: Int] = [:]

    static func += (left: inout Totals, right: Totals) {
        for path in Self.numbers { left[keyPath: path.1] += right[keyPath: path.1] }
        left.closes.merge(right.closes, uniquingKeysWith: +)
        left.ended.merge(right.ended, uniquingKeysWith: +)
    }

    /// Each number with its name.
    private static var numbers: [(String, WritableKeyPath<Totals, Int>)] {
        [
            ("steps", \.steps), ("edits", \.performed), ("commits", \.commits),
            ("rejections", \.rejections), ("undos", \.undos),
            ("crashes", \.crashes), ("stops", \.stops), ("cuts", \.cuts),
            ("half-open", \.halfOpens), ("silences", \.silences), ("stalls", \.stalls),
            ("takeovers", \.takeOvers), ("refused frames", \.refusedFrames),
            ("refused batches", \.refusedBatches), ("refused for storage", \.storageRefusals),
            ("recovered", \.recoveries), ("rewelcomed", \.rewelcomes),
            ("replaced boards", \.replacements), ("errors", \.errors), ("posts", \.posts),
            ("points", \.points), ("restores", \.restores),
        ]
    }

    /// Name and number of everything, in one order.
    var rows: [(name: String, count: Int)] {
        Self.numbers.map { ($0.0, self[keyPath: $0.1]) }
            + CloseCode.allCases.map { ("closed \($0.rawValue)", closes[$0, default: 0]) }
            + DragOutcome.allCases.map { ("drags \($0.rawValue)", ended[$0, default: 0]) }
    }
}
