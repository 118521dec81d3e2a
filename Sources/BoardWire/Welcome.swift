public import BoardModel

/// The answer to a hello.
public struct Welcome: Hashable, Sendable {
    /// The number of the connection that is welcomed.
    public var peer: Int
    public var role: Role
    public var epoch: String
    public var revision: Int
    /// The highest sequence number of this client that was decided.
    public var lastSeq: Int
    /// Every commit after the client's own revision is in `commits`.
    public var recovered: Bool
    /// The whole board as JSON text, encoded once by the caller for many; `nil` when recovered.
    public var boardJSON: [UInt8]?
    /// Commit events as JSON texts, with `peer` null; `nil` when not recovered.
    public var commits: [[UInt8]]?
    public var peers: [Peer]
    public var drags: [DragState]
    public var limits: WireLimits

    public init(
        peer: Int, role: Role, epoch: String, revision: Int, lastSeq: Int, recovered: Bool,
        boardJSON: [UInt8]? = nil, commits: [[UInt8]]? = nil, peers: [Peer] = [],
        drags: [DragState] = [], limits: WireLimits = WireLimits()
    ) {
        self.peer = peer
        self.role = role
        self.epoch = epoch
        self.revision = revision
        self.lastSeq = lastSeq
        self.recovered = recovered
        self.boardJSON = boardJSON
        self.commits = commits
        self.peers = peers
        self.drags = drags
        self.limits = limits
    }
}

extension Welcome {
    /// Appends the event.
    func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("type", "welcome")
        writer.field("peer", peer)
        writer.field("role", role.rawValue)
        writer.field("epoch", epoch)
        writer.field("revision", revision)
        writer.field("lastSeq", lastSeq)
        writer.field("recovered", recovered)
        if let boardJSON {
            writer.key("board")
            writer.raw(boardJSON)
        }
        if let commits { writer.array("commits", encoded: commits) }
        writer.field("peers", peers)
        writer.field("drags", drags)
        writer.object("limits") {
            $0.field("messageBytes", limits.messageBytes)
            $0.field("icons", limits.icons)
            $0.field("labelCharacters", limits.labelCharacters)
            $0.field("labelBytes", limits.labelBytes)
        }
        writer.endObject()
    }
}
