import Foundation

/// A word of code that only some places may hold.
struct TokenRule {
    /// Exact text; where it begins or ends with a letter, that is where a word begins or ends.
    var token: String
    /// Path beginnings where it is fine; none means nowhere.
    var allowed: [String]
    var instead: String

    func findings(in file: SourceFile, code: [Substring]) -> [Finding] {
        guard !allowed.contains(where: { file.path.hasPrefix($0) }) else { return [] }
        return code.enumerated().filter { Self.contains(token, in: $0.element) }.map { number, _ in
            Finding(path: file.path, line: number + 1, advice: "`\(token)`: \(instead)")
        }
    }

    /// Whether the line has the token as words of its own.
    static func contains(_ token: String, in line: Substring) -> Bool {
        var rest = line
        while let place = rest.range(of: token) {
            let before =
                place.lowerBound == line.startIndex
                ? nil
                : line[line.index(before: place.lowerBound)]
            let after = place.upperBound == line.endIndex ? nil : line[place.upperBound]
            if isEdge(token.first, before), isEdge(token.last, after) { return true }
            rest = rest[rest.index(after: place.lowerBound)...]
        }
        return false
    }

    private static func isEdge(_ inside: Character?, _ outside: Character?) -> Bool {
        guard let inside, let outside else { return true }
        return !(isWord(inside) && isWord(outside))
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}

extension TokenRule {
    static let fences = ["Sources/WebSocketTransport/", "Sources/BoardStore/"]
    private static let edges = [
        "Sources/BoardServer/", "Sources/WebSocketTransport/", "Sources/homeboard/",
        "Sources/homeboard-sim/",
    ]
    private static let composition = ["Sources/BoardServer/", "Sources/homeboard/"]

    /// All of them; each line is a line of docs/STYLE.md.
    static let all: [TokenRule] = [
        TokenRule(
            token: "unsafe", allowed: fences,
            instead: "C lives behind WebSocketTransport and BoardStore; use their API"),
        TokenRule(token: "Unmanaged", allowed: fences, instead: "keep pointers inside the fences"),
        TokenRule(
            token: "@unchecked Sendable", allowed: [],
            instead: "confine it to a thread, or hand values over by Mailbox"),
        TokenRule(
            token: "Task {", allowed: [], instead: "return an effect, or ask the store's thread"),
        TokenRule(token: "Task.detached", allowed: [], instead: "return an effect"),
        TokenRule(token: "async", allowed: [], instead: "events go in and effects come out"),
        TokenRule(token: "await", allowed: [], instead: "events go in and effects come out"),
        TokenRule(token: "actor", allowed: [], instead: "a plain class, confined to its thread"),
        TokenRule(token: "Date(", allowed: edges, instead: "take `EventTime` as an argument"),
        TokenRule(token: "ContinuousClock", allowed: edges, instead: "take `now` as an argument"),
        TokenRule(token: "SuspendingClock", allowed: edges, instead: "take `now` as an argument"),
        TokenRule(token: "clock_gettime", allowed: edges, instead: "take `now` as an argument"),
        TokenRule(
            token: "SystemRandomNumberGenerator", allowed: composition,
            instead: "take a generator as an argument"),
        TokenRule(
            token: "UUID(", allowed: composition, instead: "`UniqueID.random(using:)`"),
        TokenRule(
            token: "FileManager", allowed: composition, instead: "files are the store's affair"),
        TokenRule(
            token: "print(", allowed: ["Sources/homeboard/", "Sources/homeboard-sim/"],
            instead: "use LogWriter"),
        TokenRule(token: "NSLog", allowed: [], instead: "use LogWriter"),
        TokenRule(
            token: "fatalError(", allowed: [],
            instead: "throw a typed error, or `preconditionFailure` with what is broken"),
        TokenRule(token: "try!", allowed: [], instead: "handle the error"),
        TokenRule(token: "as!", allowed: [], instead: "use a type that says it"),
        TokenRule(
            token: "public", allowed: ["Sources/BoardModel/", "Sources/BoardWire/"],
            instead: "only what clients may build on is public; use `package`"),
    ]
}
