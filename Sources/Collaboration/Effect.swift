package import BoardModel
package import BoardWire

/// Names one socket to the core; the transport's own number, of which the core knows nothing.
package struct SessionID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// Names one HTTP request that waits for its answer.
package struct RequestToken: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// One message for one or many sessions: a JSON array of events, encoded once.
package final class Frame: Sendable {
    package let text: [UInt8]
    package init(_ text: [UInt8]) { self.text = text }

    /// What is sent when nothing else was, so that a browser can tell silence from loss.
    package static let empty = Frame(Array("[]".utf8))
}

/// What the core wants done: carried out in order, before the core is called again.
package enum Effect {
    /// When the session can't take it, the caller says `Hub.refused(_:)` before the next event.
    case send(Frame, to: SessionID)
    case close(SessionID, CloseCode, reason: String)
    case respond(Answer, to: RequestToken)
    /// Read no more from this session until `resumeReading`.
    case pauseReading(SessionID)
    case resumeReading(SessionID)
    case load(BoardID)
    case append([BoardBatch], token: Int)
    case create(BoardState, token: Int)
    case delete(BoardID, token: Int)
    case listHeads(token: Int)
    case listPoints(BoardID, token: Int)
    case readPoint(PointID, BoardID, token: Int)
    case deletePoint(PointID, BoardID, token: Int)
    case count(Counted)
    /// Everything decided is stored and every session was told: the process may end.
    case drained
}

/// What is worth counting; names become labels of metrics.
package enum Counted: Sendable {
    case commit
    case noop
    case rejection(Reason)
    case duplicate
    case error(String)
    case drag
    case boardLoaded
    case boardUnloaded
    case boardUnreadable
    case frameShared
    case frameOwn
}

/// The answer to an HTTP request about boards.
package enum Answer: Sendable {
    case board([UInt8], etag: String, created: Bool)
    case json([UInt8])
    case created([UInt8])
    case noContent
    case problem(status: Int, title: String, detail: String, field: String?)
}

/// What an HTTP request wants of one board.
package enum BoardRequest: Sendable {
    case get
    case put(ifMatch: String?, title: String, presentation: Presentation, sections: [Section])
    case delete
    case edit(client: ClientID, seq: Int, base: Int?, intent: Intent)
    case commits(since: Int)
    case points
    case makePoint(name: String)
    /// Under the client's next number; `nil`: nobody's in particular, the board's own.
    case restore(PointID, client: ClientID?, seq: Int?, base: Int?)
    case deletePoint(PointID)
}
