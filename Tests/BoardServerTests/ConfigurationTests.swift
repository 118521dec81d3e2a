import BoardServer
import Foundation
import Testing

@Suite("Configuration")
struct ConfigurationTests {
    private static let example = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "config/homeboard.json5")

    private static func reading(
        _ text: String
    ) -> (configuration: ServerConfiguration, problems: [String]) {
        var configuration = ServerConfiguration()
        let problems = ConfigurationFile.apply(text: text.utf8, to: &configuration)
        return (configuration, problems.map(\.description))
    }

    // MARK: - The example

    @Test("config/homeboard.json5 sets every key to its default")
    func example() throws {
        var configuration = ServerConfiguration()
        // A default that the file leaves out, or states otherwise, would show as this value.
        configuration.listenAddress = "other"
        configuration.listenPort = 1
        configuration.listenOrigins = ["https://other.example"]
        configuration.storageDirectory = "other"
        configuration.limitsMessageBytes = 1_024
        configuration.limitsBoardIcons = 1
        configuration.limitsLabelCharacters = 1
        configuration.limitsLabelBytes = 4
        configuration.timingTickMsMin = 5
        configuration.timingTickMsMax = 5
        configuration.timingDragLeaseS = 1
        configuration.timingPeerGraceS = 1
        configuration.timingBoardUnloadS = 1
        configuration.logLevel = .error
        let problems = ConfigurationFile.apply(path: Self.example.path, to: &configuration)
        #expect(problems.isEmpty)
        #expect(configuration == ServerConfiguration())
        #expect(configuration.problems.isEmpty)
    }

    @Test("each key has its own environment name, and each field of the configuration a key")
    func keys() {
        let names = Setting.all.map(\.environmentName)
        #expect(Set(names).count == names.count)
        #expect(names.contains("HOMEBOARD_TIMING_TICK_MS_MIN"))
        #expect(Mirror(reflecting: ServerConfiguration()).children.count == Setting.all.count)
    }

    @Test("the example explains every key", arguments: Setting.all.map(\.path))
    func explained(path: String) throws {
        let lines = try String(contentsOf: Self.example, encoding: .utf8).split(separator: "\n")
        let key = try #require(path.split(separator: ".").last)
        let isKey: (Substring) -> Bool = { line in
            line.drop(while: { $0 == " " }).hasPrefix("\(key):")
        }
        let place = try #require(lines.firstIndex(where: isKey), "\(path) is missing")
        let before = lines[..<place].last { line in
            !Setting.all.contains { setting in
                line.drop(while: { $0 == " " }).hasPrefix(
                    "\(setting.path.split(separator: ".")[1]):")
            }
        }
        #expect(before?.contains("//") == true, "\(path) has no comment above it")
    }

    // MARK: - Files

    @Test(
        "a key that isn't known is refused by its path",
        arguments: [
            ("{ listen: { prot: 1 } }", "listen.prot: is not a known key"),
            ("{ port: 1 }", "port: is not a known key"),
            ("{ listen: 1 }", "listen: is not a known key"),
            ("{ listen: { port: { deep: 1 } } }", "listen.port.deep: is not a known key"),
            ("{ Listen: { port: 1 } }", "Listen.port: is not a known key"),
        ])
    func unknownKeys(text: String, problem: String) {
        let (configuration, problems) = Self.reading(text)
        #expect(problems == [problem])
        #expect(configuration == ServerConfiguration())
    }

    @Test(
        "a value of another type, or out of range, is refused by its path",
        arguments: [
            ("{ listen: { port: 65536 } }", "listen.port"),
            ("{ listen: { port: -1 } }", "listen.port"),
            ("{ listen: { port: 1.5 } }", "listen.port"),
            ("{ listen: { port: true } }", "listen.port"),
            ("{ listen: { port: null } }", "listen.port"),
            ("{ listen: { port: [1] } }", "listen.port"),
            ("{ listen: { address: 1 } }", "listen.address"),
            ("{ listen: { address: \"\" } }", "listen.address"),
            ("{ listen: { origins: 1 } }", "listen.origins"),
            ("{ listen: { origins: [\"boards.example\"] } }", "listen.origins"),
            ("{ listen: { origins: [\"https://a.example/\"] } }", "listen.origins"),
            ("{ listen: { origins: [\"*\"] } }", "listen.origins"),
            ("{ storage: { directory: [] } }", "storage.directory"),
            ("{ limits: { message_bytes: 1023 } }", "limits.message_bytes"),
            ("{ limits: { board_icons: 2001 } }", "limits.board_icons"),
            ("{ timing: { tick_ms_min: 3 } }", "timing.tick_ms_min"),
            ("{ log: { level: \"loud\" } }", "log.level"),
        ])
    func wrongValues(text: String, path: String) {
        let (configuration, problems) = Self.reading(text)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("\(path): ") == true, "\(problems)")
        #expect(configuration == ServerConfiguration())
    }

    @Test("every problem is told at once, and what is right is taken")
    func several() {
        let (configuration, problems) = Self.reading(
            "{ a: 1, listen: { port: 0, address: 2 }, log: { level: 'debug', }, }")
        #expect(problems.map { $0.prefix { $0 != ":" } } == ["a", "listen.address"])
        #expect(configuration.listenPort == 0)
        #expect(configuration.logLevel == .debug)
    }

    @Test(
        "what is no JSON5 object is refused as a whole",
        arguments: ["", "[", "[]", "1", "\"text\"", "{ listen: ", "listen.port = 1"])
    func malformed(text: String) {
        let (configuration, problems) = Self.reading(text)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("(file): ") == true)
        #expect(configuration == ServerConfiguration())
    }

    @Test("a file that can't be read is named")
    func missingFile() {
        var configuration = ServerConfiguration()
        let problems = ConfigurationFile.apply(path: "/nowhere/at/all", to: &configuration)
        #expect(problems.map(\.path) == ["/nowhere/at/all"])
    }

    // MARK: - Environment and flags

    @Test("a variable wins over the file, an empty one counts as unset")
    func environment() {
        var configuration = ServerConfiguration()
        #expect(
            ConfigurationFile.apply(
                environment: [
                    "HOMEBOARD_LISTEN_PORT": "9", "HOMEBOARD_LOG_LEVEL": "",
                    "HOMEBOARD_LISTEN_ORIGINS": "https://a.example,https://b.example", "HOME": "x",
                ], to: &configuration
            ).isEmpty)
        #expect(configuration.listenPort == 9)
        #expect(configuration.listenOrigins == ["https://a.example", "https://b.example"])
        #expect(configuration.logLevel == .info)
    }

    @Test("a mistyped or mistaken variable is a problem, not a default")
    func badEnvironment() {
        var configuration = ServerConfiguration()
        let problems = ConfigurationFile.apply(
            environment: [
                "HOMEBOARD_LISTEN_PROT": "9", "HOMEBOARD_LISTEN_PORT": "many",
                "HOMEBOARD_LIMITS_LABEL_BYTES": "4001",
            ], to: &configuration)
        #expect(
            problems.map(\.path) == [
                "limits.label_bytes", "listen.port", "HOMEBOARD_LISTEN_PROT",
            ])
        #expect(configuration == ServerConfiguration())
    }

    @Test("a flag is read like a variable")
    func flags() {
        var configuration = ServerConfiguration()
        let good = ConfigurationFile.apply(flag: "listen.port", value: "0", to: &configuration)
        #expect(good.isEmpty)
        let bad = ConfigurationFile.apply(flag: "listen.port", value: "x", to: &configuration)
        #expect(bad.map(\.path) == ["listen.port"])
        #expect(configuration.listenPort == 0)
    }

    @Test("the shortest tick must not be above the longest")
    func ticks() {
        let (configuration, problems) = Self.reading(
            "{ timing: { tick_ms_min: 20, tick_ms_max: 10 } }")
        #expect(problems.isEmpty)
        #expect(configuration.problems.map(\.path) == ["timing.tick_ms_max"])
    }
}
