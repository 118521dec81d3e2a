package import BoardModel
package import BoardWire

/// What a request's path names.
package enum Route: Equatable {
    case start
    case page
    case asset(String)
    case boards
    case board(BoardID)
    case live(BoardID)
    case edits(BoardID)
    case commits(BoardID)
    case points(BoardID)
    case point(BoardID, PointID)
    case restore(BoardID, PointID)
    case health
    case ready
    case metrics
    /// A path of the right shape whose board id isn't one.
    case badBoard
    case unknown

    /// Reads a raw path. Board ids need no percent sign, so a path with one names no board, and
    /// there is nothing that `..` or `%2f` could turn into something else.
    package init(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        switch Array(parts) {
        case [""]: self = .start
        case ["healthz"]: self = .health
        case ["readyz"]: self = .ready
        case ["metrics"]: self = .metrics
        case ["v1", "boards"]: self = .boards
        case let parts where parts.count == 2 && parts[0] == "b":
            self = BoardID(parts[1]) == nil ? .badBoard : .page
        case let parts where parts.first == "assets": self = .asset(path)
        case let parts where parts.count >= 3 && parts[0] == "v1" && parts[1] == "boards":
            self = Self.ofBoard(parts[2], rest: parts.dropFirst(3))
        default: self = .unknown
        }
    }

    private static func ofBoard(_ id: Substring, rest: ArraySlice<Substring>) -> Route {
        guard let board = BoardID(id) else { return .badBoard }
        return switch Array(rest) {
        case []: .board(board)
        case ["live"]: .live(board)
        case ["edits"]: .edits(board)
        case ["commits"]: .commits(board)
        case ["points"]: .points(board)
        case let parts where parts.count <= 3 && parts[0] == "points":
            ofPoint(board, parts[1], rest: parts.dropFirst(2))
        default: .unknown
        }
    }

    private static func ofPoint(
        _ board: BoardID, _ id: Substring, rest: ArraySlice<Substring>
    ) -> Route {
        guard let point = PointID(id) else { return .unknown }
        return switch Array(rest) {
        case []: .point(board, point)
        case ["restore"]: .restore(board, point)
        default: .unknown
        }
    }

    /// The methods the path knows; empty for a path that is none.
    package var methods: [String] {
        switch self {
        case .start, .page, .asset, .live, .commits, .health, .ready, .metrics: ["GET", "HEAD"]
        case .boards: ["GET", "HEAD", "POST"]
        case .board: ["GET", "HEAD", "PUT", "DELETE"]
        case .points: ["GET", "HEAD", "POST"]
        case .point: ["DELETE"]
        case .edits, .restore: ["POST"]
        case .badBoard, .unknown: []
        }
    }
}

/// The query of a request, of which only whole numbers are ever wanted.
package enum Query {
    /// The number named `name`: `nil` when it is missing or isn't one.
    package static func number(_ name: String, in query: String) -> Int? {
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2, pair[0] == name { return Int(pair[1]) }
        }
        return nil
    }
}
