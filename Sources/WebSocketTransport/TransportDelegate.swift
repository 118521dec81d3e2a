/// What becomes of a request to open a WebSocket.
package enum UpgradeDecision: Sendable {
    case accept
    /// Answered like any HTTP request, and the connection ends.
    case refuse(HTTPResponse)
}

/// How a WebSocket ended.
package enum Departure: Sendable, Equatable {
    /// The peer sent a close frame first.
    case clean
    /// It vanished: FIN or RST without a close frame, or no sign of life for too long.
    case lost
    /// The server closed it, or hung up on a breach of the protocol.
    case server
}

/// Who hears what happens on the sockets.
///
/// Every call comes on the loop's thread, none after `shutDown()`. Calls back into the transport
/// are welcome from within any of them.
package protocol TransportDelegate: AnyObject {
    /// Asked before the 101; what a browser should be able to read is better said by a close code.
    func decideUpgrade(_ head: RequestHead) -> UpgradeDecision
    /// The 101 has been written; frames may be sent.
    func connectionOpened(_ id: ConnectionID, head: RequestHead)
    /// One whole text message: reassembled, valid UTF-8, within `messageBytesMax`.
    func received(_ id: ConnectionID, text: Span<UInt8>)
    /// A binary message has begun. Its bytes are dropped.
    func receivedBinary(_ id: ConnectionID)
    /// Exactly once for each `connectionOpened`.
    func connectionClosed(_ id: ConnectionID, _ departure: Departure)
    /// A close frame is being sent with this code, whoever ordered it; `connectionClosed` follows.
    func closing(_ id: ConnectionID, code: UInt16)
    /// A connection that answered `.behind` takes a frame again.
    func drained(_ id: ConnectionID)
    /// One whole request. `respond` may be called at once or later.
    func request(_ id: RequestID, head: RequestHead, body: [UInt8])
    /// The peer left, or was too slow, before the answer.
    func requestGone(_ id: RequestID)
    /// After one or more `Waker.wake()`.
    func woken()
    /// The deadline given to `setTimer` has passed; the timer is unset now.
    func timerFired()
    /// SIGTERM or SIGINT.
    func stopRequested()
    /// All that was ready has been handled; the loop is about to wait. A place to send what a turn
    /// has gathered.
    func turnEnded()
}

extension TransportDelegate {
    package func turnEnded() {}
    package func closing(_ id: ConnectionID, code: UInt16) {}
}
