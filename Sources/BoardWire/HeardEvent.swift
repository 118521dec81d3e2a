public import BoardModel

/// What a client hears; a frame is an array of these.
public enum HeardEvent: Hashable, Sendable {
    case welcome(HeardWelcome)
    /// Any event but a welcome.
    case told(ServerEvent)
    /// Of a later version of the protocol: to be ignored.
    case unknown(type: String)
}

/// A welcome, read.
public struct HeardWelcome: Hashable, Sendable {
    public var peer: Int
    public var role: Role
    public var epoch: String
    public var revision: Int
    public var lastSeq: Int
    /// The whole board; `nil` when `commits` lead to it.
    public var board: Board?
    public var commits: [Commit]
    public var peers: [Peer]
    public var drags: [DragState]
}

/// Reads one frame of the server: an array of events. Cost: linear in `text`.
///
/// Throws what a client has to take for a broken server, and never for an unknown type or member.
public func decodeFrame(_ text: [UInt8]) throws(MessageError) -> [HeardEvent] {
    let root: JSONValue
    do {
        root = try JSONParser().parse(text)
    } catch {
        throw MessageError(.malformed, "\(error.message) at byte \(error.offset)", field: nil)
    }
    guard case .array(let items) = root else {
        throw MessageError(.malformed, "expected an array of events", field: nil)
    }
    var events: [HeardEvent] = []
    events.reserveCapacity(items.count)
    for (position, item) in items.enumerated() {
        events.append(try Fields(item, at: "[\(position)]").heardEvent())
    }
    return events
}

extension Fields {
    fileprivate func heardEvent() throws(MessageError) -> HeardEvent {
        switch try require("type", .string) {
        case "welcome": .welcome(try welcome())
        case "commit": .told(.commit(try commit(), peer: try optional("peer", .natural)))
        case "result": .told(.result(try result()))
        case "drag.began":
            .told(
                .dragBegan(
                    peer: try require("peer", .natural), drag: try require("drag", .natural),
                    icons: try ids("icons", max: .max)))
        case "drag.denied":
            .told(
                .dragDenied(
                    drag: try require("drag", .natural), reason: try require("reason", .choice),
                    holder: try optionalObject("holder")?.peer()))
        case "drag.target": .told(.dragTarget(try drag(icons: [])))
        case "drag.ended":
            .told(
                .dragEnded(
                    peer: try require("peer", .natural), drag: try require("drag", .natural),
                    outcome: try require("outcome", .choice),
                    revision: try optional("revision", .natural)))
        case "peer.joined":
            .told(
                .peerJoined(
                    try object("peer").peer(), replaces: try optional("replaces", .natural)))
        case "peer.left": .told(.peerLeft(try require("peer", .natural)))
        case "peer.changed": .told(.peerChanged(try object("peer").peer()))
        case "error": .told(.error(try fault()))
        case let type: .unknown(type: type)
        }
    }

    private func welcome() throws(MessageError) -> HeardWelcome {
        var welcome = HeardWelcome(
            peer: try require("peer", .natural), role: try require("role", .known("a role")),
            epoch: try require("epoch", .string), revision: try require("revision", .natural),
            lastSeq: try require("lastSeq", .natural), commits: [], peers: [], drags: [])
        if let board = try optionalObject("board") {
            welcome.board = Board(
                id: try board.require("id", .slug), title: try board.require("title", .string),
                revision: try board.require("revision", .natural),
                epoch: try board.require("epoch", .string),
                presentation: try board.presentation(),
                sections: try board.sections(iconsMax: .max))
        }
        let commits = try optional("commits", .array) ?? []
        welcome.commits = try list("commits", of: commits) { (item, path) throws(MessageError) in
            try Fields(item, at: path).commit()
        }
        let peers = try require("peers", .array)
        welcome.peers = try list("peers", of: peers) { (item, path) throws(MessageError) in
            try Fields(item, at: path).peer()
        }
        let drags = try require("drags", .array)
        welcome.drags = try list("drags", of: drags) { (item, path) throws(MessageError) in
            let fields = try Fields(item, at: path)
            return try fields.drag(icons: try fields.ids("icons", max: .max))
        }
        return welcome
    }

    private func commit() throws(MessageError) -> Commit {
        guard let edit = self["edit"] else {
            throw MessageError(.invalid, "missing", field: path(of: "edit"))
        }
        return Commit(
            revision: try require("revision", .natural), client: try require("client", .uuid),
            seq: try require("seq", .natural), at: try require("at", .integer),
            change: try decodeChange(edit, path: path(of: "edit")),
            isUndo: try optional("undo", .bool) ?? false)
    }

    private func result() throws(MessageError) -> ResultEvent {
        ResultEvent(
            seq: try require("seq", .integer), status: try require("status", .choice),
            revision: try require("revision", .natural), reason: try optional("reason", .choice),
            field: try optional("field", .string),
            decided: try optional("decided", .known("a decision")),
            lastSeq: try optional("lastSeq", .natural))
    }

    private func peer() throws(MessageError) -> Peer {
        Peer(
            number: try require("peer", .natural), client: try require("client", .uuid),
            name: try require("name", .string), colour: try require("colour", .string),
            isEditing: try optional("editing", .bool) ?? false)
    }

    private func drag(icons: [IconID]) throws(MessageError) -> DragState {
        var drag = DragState(
            peer: try require("peer", .natural), drag: try require("drag", .natural), icons: icons)
        drag.target = try optionalObject("target")?.position()
        drag.proposal = try require("proposal", .known("a proposal"))
        drag.reason = try optional("reason", .choice)
        if let point = try optionalObject("point") {
            drag.point = Point(
                x: try point.require("x", .number), y: try point.require("y", .number))
        }
        drag.tag = try optional("t", .string)
        return drag
    }

    private func fault() throws(MessageError) -> ErrorEvent {
        ErrorEvent(
            code: try require("code", .known("a code")), message: try require("message", .string),
            field: try optional("field", .string), drag: try optional("drag", .natural))
    }
}

extension ResultEvent {
    /// What it says was decided, as `BoardReplica.answered` takes it.
    public var outcome: Outcome {
        switch status {
        case .noop: return .noop(revision: revision)
        case .duplicate: return .duplicate(decided: decided, revision: revision)
        case .rejected: break
        }
        if reason == .seqGap, let lastSeq { return .gap(lastSeq: lastSeq, revision: revision) }
        return .rejected(reason ?? .invalid, field: field, revision: revision)
    }
}
