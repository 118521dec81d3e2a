/// The public events of a room in the order in which they happened, each encoded once.
///
/// Sessions hold no queue; each remembers only up to where it was sent. The log is bounded, so a
/// session that fell further behind gets the whole board instead.
struct EventLog {
    /// The most events kept.
    static let countMax = 16_384
    /// The most bytes kept, except that the newest event is always there.
    static let bytesMax = 4 * 1_024 * 1_024

    private var events: [[UInt8]] = []
    private var bytes = 0
    /// The position of the oldest event kept.
    private(set) var start = 0

    /// The position after the newest event.
    var end: Int { start + events.count }

    subscript(position: Int) -> [UInt8] { events[position - start] }

    mutating func append(_ event: [UInt8]) {
        events.append(event)
        bytes += event.count
        guard events.count > Self.countMax || bytes > Self.bytesMax else { return }
        // Half of it at once, so that the cost of moving the rest is paid rarely.
        while events.count > 1, events.count > Self.countMax / 2 || bytes > Self.bytesMax / 2 {
            let surplus = max(1, events.count / 2)
            for event in events[..<surplus] { bytes -= event.count }
            events.removeFirst(surplus)
            start += surplus
        }
    }

    /// Forgets everything, keeping the positions: whoever stood before is behind.
    mutating func clear() {
        start = end + 1
        events = []
        bytes = 0
    }
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
