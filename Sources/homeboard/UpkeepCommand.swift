import BoardServer
import Foundation

/// The commands that do something with a store and end.
enum UpkeepCommand: String {
    case verify, backup, restore, export
    case importBoards = "import"

    /// The option that has to be given, by its name.
    var needed: String? {
        switch self {
        case .backup, .export: "--to"
        case .restore: "--from"
        case .verify, .importBoards: nil
        }
    }

    var takesNames: Bool { self == .export || self == .importBoards }
}

/// Takes out what is the command's own; the rest is read as for `serve`.
func keepUp(_ command: UpkeepCommand, _ arguments: [String]) -> Int32 {
    var place: String?
    var names: [String] = []
    var isDeep = false
    var rest: [String] = []
    var left = arguments[...]
    while let argument = left.popFirst() {
        if argument == command.needed {
            place = left.popFirst()
        } else if argument == "--deep", command == .verify {
            isDeep = true
        } else if argument.hasPrefix("--") {
            rest.append(argument)
            if !argument.contains("="), let value = left.popFirst() { rest.append(value) }
        } else {
            names.append(argument)
        }
    }
    if let needed = command.needed, place == nil {
        return refuse("\(command.rawValue) needs \(needed) and a value")
    }
    if let name = names.first, !command.takesNames {
        return refuse("\(command.rawValue) takes no \(name)\n\n\(usage)")
    }
    if command == .importBoards, names.isEmpty { return refuse("import needs a file") }
    switch Arguments.read(rest, environment: ProcessInfo.processInfo.environment) {
    case .failure(let error):
        complain(error.text)
        return error.exitCode
    case .success(let arguments):
        return carryOut(
            command, Upkeep(arguments.configuration), place ?? "", names, isDeep: isDeep)
    }
}

private func refuse(_ text: String) -> Int32 {
    complain(text)
    return 64
}

private func carryOut(
    _ command: UpkeepCommand, _ upkeep: Upkeep, _ place: String, _ names: [String], isDeep: Bool
) -> Int32 {
    do throws(Upkeep.Failure) {
        let lines =
            switch command {
            case .verify: try upkeep.verify(isDeep: isDeep)
            case .backup: try upkeep.backUp(to: place)
            case .restore: try upkeep.restore(from: place)
            case .export: try upkeep.export(names, to: place)
            case .importBoards: try upkeep.importBoards(names)
            }
        for line in lines { print(line) }
        return 0
    } catch {
        complain(error.text)
        return error.isData ? 65 : 74
    }
}
