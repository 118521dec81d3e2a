import BoardServer
import Foundation

// Exit codes follow sysexits.h: 0 ok, 64 usage, 65 damaged data, 69 the port can't be had, 74 the
// store failed, 78 configuration.

exit(run(Array(CommandLine.arguments.dropFirst())))

func run(_ arguments: [String]) -> Int32 {
    switch arguments.first {
    case "serve": return serve(Array(arguments.dropFirst()))
    case "check-config": return checkConfiguration(Array(arguments.dropFirst()))
    case let verb? where UpkeepCommand(rawValue: verb) != nil:
        return keepUp(UpkeepCommand(rawValue: verb) ?? .verify, Array(arguments.dropFirst()))
    case "version", "--version":
        print("homeboard \(version)")
        return 0
    case "help", "--help", "-h", nil:
        print(usage)
        return arguments.isEmpty ? 64 : 0
    case let verb?:
        complain("unknown command \(verb)\n\n\(usage)")
        return 64
    }
}

func serve(_ arguments: [String]) -> Int32 {
    switch Arguments.read(arguments, environment: ProcessInfo.processInfo.environment) {
    case .failure(let error):
        complain(error.text)
        return error.exitCode
    case .success(let arguments):
        for name in ConfigurationFile.unknownVariables(in: ProcessInfo.processInfo.environment) {
            complain("warning: \(name) is not a known variable and sets nothing")
        }
        do throws(StartError) {
            let server = try Server(arguments.configuration)
            if let board = arguments.createBoard {
                server.ensureBoard(board.name, template: board.template)
            }
            announce(server, arguments)
            server.run()
            return server.storeFailure == nil ? 0 : 74
        } catch {
            complain(error.message)
            return error.kind == .unavailable ? 69 : 74
        }
    }
}

func checkConfiguration(_ arguments: [String]) -> Int32 {
    switch Arguments.read(arguments, environment: ProcessInfo.processInfo.environment) {
    case .failure(let error):
        complain(error.text)
        return error.exitCode
    case .success:
        print("the configuration is valid")
        return 0
    }
}

/// Tells a person where to go. Flushed at once, because a pipe would keep it back.
func announce(_ server: Server, _ arguments: Arguments) {
    let host = arguments.configuration.listenAddress
    let path = arguments.createBoard.map { "b/\($0.name)" } ?? ""
    print("Homeboard is at http://\(host):\(server.port)/\(path)")
    fflush(nil)
}

func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
}
