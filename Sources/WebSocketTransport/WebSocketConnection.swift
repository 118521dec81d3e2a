/// One WebSocket as Swift sees it.
@safe
final class WebSocketConnection {
    enum Phase: Equatable {
        /// Given to libwebsockets, the 101 not yet written.
        case opening
        case open
        /// We have written a close frame and wait for the peer's.
        case closing
        /// The peer has sent one; libwebsockets answers it.
        case closedByPeer
        /// The socket takes nothing any more.
        case broken
    }

    let id: ConnectionID
    let descriptor: Int32
    /// Told to the delegate when it opens, then let go.
    var head: RequestHead?
    /// To be named in the 101.
    let subprotocol: String?
    /// Valid from `ESTABLISHED` to `CLOSED`.
    var wsi: OpaquePointer?
    var phase = Phase.opening
    var assembler = FragmentAssembler()
    /// The rest of a binary message is being skipped.
    var isSkipping = false
    /// Someone was answered `.behind` and waits for `drained`.
    var owesDrained = false
    var isReadingPaused = false
    /// When to give the peer up, while closing, unless it makes progress; `limit` is for good.
    var deadline = Int64.max
    var limit = Int64.max
    /// When output last moved, while some waits.
    var progressAt: Int64?
    var acknowledged: Int64 = 0

    init(id: ConnectionID, descriptor: Int32, head: RequestHead, subprotocol: String?) {
        self.id = id
        self.descriptor = descriptor
        self.head = head
        self.subprotocol = subprotocol
    }
}
