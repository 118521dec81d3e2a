internal import BoardModel

extension ServerEvent {
    /// Appends the event: one object, no brackets or commas round it.
    public func encode(into writer: inout JSONWriter) {
        switch self {
        case .welcome(let welcome): welcome.write(into: &writer)
        case .commit(let commit, let peer): commit.write(peer: peer, into: &writer)
        case .result(let result): result.write(into: &writer)
        case .dragBegan(let peer, let drag, let icons):
            writer.event("drag.began") {
                $0.field("peer", peer)
                $0.field("drag", drag)
                $0.field("icons", icons)
            }
        case .dragDenied(let drag, let reason, let holder):
            writer.event("drag.denied") {
                $0.field("drag", drag)
                $0.field("reason", reason.rawValue)
                $0.field(ifPresent: "holder", holder)
            }
        case .dragTarget(let state): state.writeTarget(into: &writer)
        case .dragEnded(let peer, let drag, let outcome, let revision):
            writer.event("drag.ended") {
                $0.field("peer", peer)
                $0.field("drag", drag)
                $0.field("outcome", outcome.rawValue)
                $0.field(ifPresent: "revision", revision)
            }
        case .peerJoined(let peer, let replaces):
            writer.event("peer.joined") {
                $0.field("peer", peer)
                $0.field(ifPresent: "replaces", replaces)
            }
        case .peerLeft(let peer): writer.event("peer.left") { $0.field("peer", peer) }
        case .peerChanged(let peer): writer.event("peer.changed") { $0.field("peer", peer) }
        case .error(let error): error.write(into: &writer)
        }
    }

    /// The event alone.
    public var encoded: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        encode(into: &writer)
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func event(_ type: String, _ members: (inout JSONWriter) -> Void) {
        beginObject()
        field("type", type)
        members(&self)
        endObject()
    }
}

extension Commit {
    func write(peer: Int?, into writer: inout JSONWriter) {
        writer.event("commit") {
            $0.field("revision", revision)
            $0.field(orNull: "peer", peer)
            $0.field("client", client)
            $0.field("seq", seq)
            $0.field("at", at)
            $0.field("edit", change)
            if isUndo { $0.field("undo", true) }
        }
    }
}

extension ResultEvent {
    func write(into writer: inout JSONWriter) {
        writer.event("result") {
            $0.field("seq", seq)
            $0.field("status", status.rawValue)
            $0.field("revision", revision)
            $0.field(ifPresent: "reason", reason?.rawValue)
            $0.field(ifPresent: "field", field)
            $0.field(ifPresent: "decided", decided?.rawValue)
            $0.field(ifPresent: "lastSeq", lastSeq)
        }
    }
}

extension ErrorEvent {
    func write(into writer: inout JSONWriter) {
        writer.event("error") {
            $0.field("code", code.rawValue)
            $0.field("message", message)
            $0.field(ifPresent: "field", field)
            $0.field(ifPresent: "drag", drag)
        }
    }
}

extension Peer: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("peer", number)
        writer.field("client", client)
        writer.field("name", name)
        writer.field("colour", colour)
        if isEditing { writer.field("editing", true) }
        writer.endObject()
    }
}

extension Point: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("x", x)
        writer.field("y", y)
        writer.endObject()
    }
}

extension DragState: JSONWritable {
    /// A drag as `welcome` tells it.
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("peer", peer)
        writer.field("drag", drag)
        writer.field("icons", icons)
        writeState(into: &writer)
        writer.endObject()
    }

    /// A drag's newest target, without its icons.
    func writeTarget(into writer: inout JSONWriter) {
        writer.raw("{\"type\":\"drag.target\",\"peer\":")
        peer.write(into: &writer)
        writer.raw(",\"drag\":")
        drag.write(into: &writer)
        writeState(into: &writer)
        writer.field(ifPresent: "t", tag)
        writer.endObject()
    }

    private func writeState(into writer: inout JSONWriter) {
        writer.field(orNull: "target", target)
        writer.field("proposal", proposal.rawValue)
        writer.field(ifPresent: "reason", reason?.rawValue)
        writer.field(ifPresent: "point", point)
    }
}
