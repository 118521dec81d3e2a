/// Everything an operator can set: each with its unit, default, range and reason.
///
/// The order of precedence is flag, then environment, then file, then the default here. The one
/// table `Setting.all` feeds the file reader, the environment reader and the documentation test.
package struct ServerConfiguration: Sendable, Equatable {
    /// Where to listen. Loopback by default, because without a proxy there is no TLS.
    package var listenAddress = "127.0.0.1"
    /// 0...65,535; 0 takes any free port, which the start message names.
    package var listenPort = 8_787
    /// Origins of web pages that may connect besides the server's own.
    package var listenOrigins: [String] = []
    /// Where boards are kept; made when missing, readable by its owner only.
    package var storageDirectory = "/var/lib/homeboard"
    /// The longest message a client may send, in bytes, 1,024...1,048,576.
    package var limitsMessageBytes = 65_536
    /// Icons on one board, 1...2,000; more would not fit a frame that app clients take.
    package var limitsBoardIcons = 2_000
    /// Characters of a label, 1...1,000.
    package var limitsLabelCharacters = 100
    /// UTF-8 bytes of a label, 4...4,000.
    package var limitsLabelBytes = 400
    /// The least time between two frames to one peer while the server has time, in milliseconds,
    /// 4...33.
    package var timingTickMsMin = 8
    /// The same while the server is busy; fewer frames are what saves time.
    package var timingTickMsMax = 33
    /// How long a drag lives without a message about it, in seconds, 1...600.
    package var timingDragLeaseS = 30
    /// How long a peer whose socket was lost is kept, in seconds, 1...60.
    package var timingPeerGraceS = 5
    /// How long a board without peers stays in memory, in seconds, 1...86,400.
    package var timingBoardUnloadS = 60
    /// What is logged: `error`, `warning`, `info` or `debug`.
    package var logLevel = LogLevel.info

    package init() {}
}

package enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case error, warning, info, debug

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension ServerConfiguration {
    /// What is wrong with the values as a whole, once all have been applied.
    package var problems: [ConfigurationProblem] { Setting.problems(of: self) }
}

/// What is wrong with a setting.
package struct ConfigurationProblem: Error, Equatable, CustomStringConvertible {
    /// Like `limits.message_bytes`.
    package var path: String
    package var message: String

    package var description: String { "\(path): \(message)" }
}

/// A value as a file, an environment variable or a flag gives it.
enum SettingValue {
    case integer(Int)
    case text(String)
    case list([String])
    case other
}

/// One key of the configuration.
package struct Setting {
    /// Like `listen.port`.
    package var path: String
    /// Puts a value in; throws what is wrong with it.
    var apply:
        @Sendable (SettingValue, inout ServerConfiguration) throws(ConfigurationProblem) ->
            Void

    /// `HOMEBOARD_LISTEN_PORT` for `listen.port`.
    package var environmentName: String {
        "HOMEBOARD_" + path.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
    }

    /// What no single value shows.
    static func problems(of configuration: ServerConfiguration) -> [ConfigurationProblem] {
        guard configuration.timingTickMsMin > configuration.timingTickMsMax else { return [] }
        return [
            ConfigurationProblem(
                path: "timing.tick_ms_max", message: "must not be below timing.tick_ms_min")
        ]
    }

    package static let all: [Setting] = [
        text("listen.address") { $1.listenAddress = $0 },
        integer("listen.port", 0...65_535) { $1.listenPort = $0 },
        list("listen.origins") { $1.listenOrigins = $0 },
        text("storage.directory") { $1.storageDirectory = $0 },
        integer("limits.message_bytes", 1_024...1_048_576) { $1.limitsMessageBytes = $0 },
        integer("limits.board_icons", 1...2_000) { $1.limitsBoardIcons = $0 },
        integer("limits.label_characters", 1...1_000) { $1.limitsLabelCharacters = $0 },
        integer("limits.label_bytes", 4...4_000) { $1.limitsLabelBytes = $0 },
        integer("timing.tick_ms_min", 4...33) { $1.timingTickMsMin = $0 },
        integer("timing.tick_ms_max", 4...33) { $1.timingTickMsMax = $0 },
        integer("timing.drag_lease_s", 1...600) { $1.timingDragLeaseS = $0 },
        integer("timing.peer_grace_s", 1...60) { $1.timingPeerGraceS = $0 },
        integer("timing.board_unload_s", 1...86_400) { $1.timingBoardUnloadS = $0 },
        level("log.level"),
    ]

    private static func integer(
        _ path: String, _ range: ClosedRange<Int>,
        _ set: @escaping @Sendable (Int, inout ServerConfiguration) -> Void
    ) -> Setting {
        Setting(path: path) {
            (value, configuration: inout ServerConfiguration) throws(ConfigurationProblem) in
            var given: Int?
            switch value {
            case .integer(let number): given = number
            case .text(let text): given = Int(text)
            case .list, .other: given = nil
            }
            guard let given, range.contains(given) else {
                throw ConfigurationProblem(
                    path: path,
                    message: "must be a whole number from \(range.lowerBound) to "
                        + "\(range.upperBound)")
            }
            set(given, &configuration)
        }
    }

    private static func text(
        _ path: String, _ set: @escaping @Sendable (String, inout ServerConfiguration) -> Void
    ) -> Setting {
        Setting(path: path) {
            (value, configuration: inout ServerConfiguration) throws(ConfigurationProblem) in
            guard case .text(let text) = value, !text.isEmpty else {
                throw ConfigurationProblem(path: path, message: "must be text, and not empty")
            }
            set(text, &configuration)
        }
    }

    private static func list(
        _ path: String, _ set: @escaping @Sendable ([String], inout ServerConfiguration) -> Void
    ) -> Setting {
        Setting(path: path) {
            (value, configuration: inout ServerConfiguration) throws(ConfigurationProblem) in
            let given: [String]
            switch value {
            case .list(let texts): given = texts
            case .text(let text): given = text.split(separator: ",").map(String.init)
            case .integer, .other:
                throw ConfigurationProblem(path: path, message: "must be a list of texts")
            }
            for origin in given where OriginPolicy.normal(origin) == nil {
                throw ConfigurationProblem(
                    path: path, message: "each must be like https://boards.example")
            }
            set(given, &configuration)
        }
    }

    private static func level(_ path: String) -> Setting {
        Setting(path: path) {
            (value, configuration: inout ServerConfiguration) throws(ConfigurationProblem) in
            guard case .text(let text) = value, let level = LogLevel(rawValue: text) else {
                let names = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationProblem(path: path, message: "must be one of \(names)")
            }
            configuration.logLevel = level
        }
    }
}
