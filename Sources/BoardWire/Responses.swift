public import BoardModel

// The bodies of HTTP answers that are no event and no board.

/// One line of `GET /v1/boards`.
public struct BoardListEntry: Hashable, Sendable, JSONWritable {
    public var id: BoardID
    public var title: String
    public var revision: Int
    /// How many icons it has.
    public var icons: Int
    /// How many people are on it now.
    public var peers: Int

    public init(id: BoardID, title: String, revision: Int, icons: Int, peers: Int) {
        self.id = id
        self.title = title
        self.revision = revision
        self.icons = icons
        self.peers = peers
    }

    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("title", title)
        writer.field("revision", revision)
        writer.field("icons", icons)
        writer.field("peers", peers)
        writer.endObject()
    }
}

/// The body of `GET /v1/boards`.
public func encodeBoardList(_ boards: [BoardListEntry]) -> [UInt8] {
    var writer = JSONWriter(capacity: 16 + 128 * boards.count)
    writer.beginObject()
    writer.field("boards", boards)
    writer.endObject()
    return writer.bytes
}

/// The body of `GET /v1/boards/{id}/commits`; `commits` are commit events as JSON texts.
public func encodeCommits(epoch: String, _ commits: [[UInt8]]) -> [UInt8] {
    var writer = JSONWriter(capacity: commits.reduce(64) { $0 + $1.count + 1 })
    writer.beginObject()
    writer.field("epoch", epoch)
    writer.array("commits", encoded: commits)
    writer.endObject()
    return writer.bytes
}

extension RestorePoint: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("name", name)
        writer.field("at", at)
        writer.field("revision", revision)
        writer.field("icons", iconCount)
        if isAutomatic { writer.field("automatic", true) }
        writer.endObject()
    }
}

/// The answer to `GET /v1/boards/{id}/points`.
public func encodePoints(_ points: [RestorePoint]) -> [UInt8] {
    var writer = JSONWriter(capacity: 32 + 160 * points.count)
    writer.beginObject()
    writer.field("points", points)
    writer.endObject()
    return writer.bytes
}
