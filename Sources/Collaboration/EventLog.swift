/// The public events of a room in the order in which they happened, each encoded once.
///
/// Sessions hold no queue; each remembers only up to where it was sent. What everyone had the
/// chance to be sent is bounded, so a session that fell further behind gets the board instead.
struct EventLog {
    private let limits: EventLogLimits
    private var events: [[UInt8]] = []
    private var bytes = 0
    /// The position of the oldest event kept.
    private(set) var start = 0

    init(limits: EventLogLimits) { self.limits = limits }

    /// How many events are kept.
    var count: Int { events.count }

    /// The position after the newest event.
    var end: Int { start + events.count }

    subscript(position: Int) -> [UInt8] { events[position - start] }

    /// Appends an event. Those from position `untold` on are kept whatever they weigh: nobody had
    /// the chance to be sent them yet.
    mutating func append(_ event: [UInt8], untold: Int) {
        events.append(event)
        bytes += event.count
        guard events.count > limits.events || bytes > limits.bytes else { return }
        // Half of it at once, so that the cost of moving the rest is paid rarely.
        let trimmable = min(max(untold - start, 0), events.count)
        var surplus = 0
        while surplus < trimmable,
            events.count - surplus > limits.events / 2 || bytes > limits.bytes / 2
        {
            bytes -= events[surplus].count
            surplus += 1
        }
        events.removeFirst(surplus)
        start += surplus
    }

    /// Forgets everything, keeping the positions: whoever stood before is behind.
    mutating func clear() {
        start = end + 1
        events = []
        bytes = 0
    }
}

/// How much of what was told is kept, per board, for sessions that are behind.
package struct EventLogLimits: Sendable {
    package var events = 16_384
    package var bytes = 4 * 1_024 * 1_024

    package init() {}
}

/// The latest commits of a board, encoded as a returning client gets them.
struct CommitLog {
    static let countMax = 1_024
    static let bytesMax = 1_024 * 1_024

    private var events: [[UInt8]] = []
    private var bytes = 0
    /// The revision after which every commit is here.
    private(set) var completeSince: Int

    init(completeSince: Int) { self.completeSince = completeSince }

    mutating func append(_ event: [UInt8]) {
        events.append(event)
        bytes += event.count
        guard events.count > Self.countMax || bytes > Self.bytesMax else { return }
        let surplus = max(1, events.count / 4)
        for event in events[..<surplus] { bytes -= event.count }
        events.removeFirst(surplus)
        completeSince += surplus
    }

    /// Every commit after `revision`, oldest first; `nil` when some of them are gone or to come.
    func since(_ revision: Int) -> ArraySlice<[UInt8]>? {
        let skipped = revision - completeSince
        guard skipped >= 0, skipped <= events.count else { return nil }
        return events[skipped...]
    }
}
