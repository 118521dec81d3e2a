internal import BoardModel
internal import Collaboration

/// Counters of the process, in the Prometheus text format.
///
/// Plain integers owned by the loop thread. No label ever holds a board, a client or a person.
package struct Metrics {
    package init() {}

    private var counters: [String: Int] = [:]

    package mutating func count(_ name: String, by amount: Int = 1) {
        counters[name, default: 0] += amount
    }

    mutating func count(_ event: Counted) {
        switch event {
        case .commit: count("homeboard_commits_total{result=\"applied\"}")
        case .noop: count("homeboard_commits_total{result=\"noop\"}")
        case .duplicate: count("homeboard_commits_total{result=\"duplicate\"}")
        case .rejection(let reason):
            count("homeboard_commits_total{result=\"rejected\"}")
            count("homeboard_rejections_total{reason=\"\(reason.rawValue)\"}")
        case .error(let code): count("homeboard_message_errors_total{code=\"\(code)\"}")
        case .drag: count("homeboard_drags_total")
        case .boardLoaded: count("homeboard_board_loads_total")
        case .boardUnloaded: count("homeboard_board_unloads_total")
        case .boardUnreadable: count("homeboard_board_unreadable_total")
        case .frameShared: count("homeboard_frames_encoded_total{kind=\"shared\"}")
        case .frameOwn: count("homeboard_frames_encoded_total{kind=\"own\"}")
        }
    }

    /// The page for a scraper. `gauges` are read now: name and value.
    package func text(gauges: [(name: String, value: Int)]) -> String {
        var lines: [String] = []
        var described = Set<Substring>()
        for (name, value) in counters.sorted(by: { $0.key < $1.key }) {
            let family = name.prefix { $0 != "{" }
            if described.insert(family).inserted { lines.append("# TYPE \(family) counter") }
            lines.append("\(name) \(value)")
        }
        for gauge in gauges {
            lines.append("# TYPE \(gauge.name) gauge")
            lines.append("\(gauge.name) \(gauge.value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
