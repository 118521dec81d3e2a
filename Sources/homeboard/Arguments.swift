import BoardServer
import Foundation

let version = "0.1.0"

let usage = """
    Usage: homeboard COMMAND [OPTIONS]

    Commands
      serve         serve boards until SIGTERM or SIGINT
      check-config  read the configuration as serve would, and say what is wrong with it
      verify [--deep]
                    read every board and check it, whether a server runs or not
      backup --to FILE
                    copy the store, whether a server runs or not, into a new file
      restore --from FILE
                    make a data directory of a backup; clients begin a new history
      export --to FOLDER [BOARD...]
                    write each board to FOLDER/BOARD.json; --to - prints one
      import FILE...
                    make boards of such files; no server may run
      version       print the version
      help          print this text

    Options of all but version and help
      --config FILE           read a JSON5 file; see config/homeboard.json5 for every key
      --address ADDRESS       listen here (listen.address)
      --port N                listen on this port, 0 for any free one (listen.port)
      --data DIR              keep boards here (storage.directory)
      --log-level LEVEL       error, warning, info or debug (log.level)
      --create-board ID[=TEMPLATE]
                              serve: create this board if there is none (template home unless named:
                              home, grid, channels, row, empty)

    A flag wins over HOMEBOARD_... variables, those over the file, the file over the defaults.
    """

/// What was asked for, read and checked.
struct Arguments {
    var configuration: ServerConfiguration
    var createBoard: (name: String, template: String)?

    struct Failure: Error {
        var text: String
        var exitCode: Int32
    }

    static func read(
        _ arguments: [String], environment: [String: String]
    ) -> Result<Arguments, Failure> {
        var flags: [(name: String, value: String)] = []
        var rest = arguments[...]
        while let name = rest.popFirst() {
            let known = [
                "--config", "--address", "--port", "--data", "--log-level", "--create-board",
            ]
            let parts = name.split(separator: "=", maxSplits: 1).map(String.init)
            if let first = parts.first, parts.count == 2, known.contains(first) {
                flags.append((first, parts[1]))
                continue
            }
            guard known.contains(name) else {
                return .failure(Failure(text: "unknown option \(name)\n\n\(usage)", exitCode: 64))
            }
            guard let value = rest.popFirst() else {
                return .failure(Failure(text: "\(name) needs a value", exitCode: 64))
            }
            flags.append((name, value))
        }
        return resolve(flags, environment: environment)
    }

    private static func resolve(
        _ flags: [(name: String, value: String)], environment: [String: String]
    ) -> Result<Arguments, Failure> {
        var configuration = ServerConfiguration()
        var problems: [ConfigurationProblem] = []
        for flag in flags where flag.name == "--config" {
            problems += ConfigurationFile.apply(path: flag.value, to: &configuration)
        }
        problems += ConfigurationFile.apply(environment: environment, to: &configuration)
        var createBoard: (name: String, template: String)?
        let paths = [
            "--address": "listen.address", "--port": "listen.port", "--data": "storage.directory",
            "--log-level": "log.level",
        ]
        for flag in flags {
            if let path = paths[flag.name] {
                problems += ConfigurationFile.apply(
                    flag: path, value: flag.value, to: &configuration)
            } else if flag.name == "--create-board" {
                let parts = flag.value.split(separator: "=", maxSplits: 1).map(String.init)
                let wanted = (parts.first ?? "", parts.count == 2 ? parts[1] : "home")
                guard Server.canMakeBoard(wanted.0, template: wanted.1) else {
                    let text = "--create-board \(flag.value): no board id, or no such template"
                    return .failure(Failure(text: text, exitCode: 64))
                }
                createBoard = wanted
            }
        }
        problems += configuration.problems
        guard problems.isEmpty else {
            let lines = problems.map(\.description).joined(separator: "\n")
            return .failure(Failure(text: lines, exitCode: 78))
        }
        return .success(Arguments(configuration: configuration, createBoard: createBoard))
    }
}
