/// Where to listen, and the limits of what a peer may cost.
package struct TransportConfiguration: Sendable {
    /// A numeric IPv4 or IPv6 address; nothing but it is listened on.
    package var address = "127.0.0.1"
    /// 0 lets the kernel choose; `WebSocketTransport.port` tells.
    package var port = 0
    /// The subprotocol that is chosen whenever it is among those offered.
    package var subprotocol = "homeboard.v1"

    /// Longest message a peer may send, in bytes; more closes 1009.
    package var messageBytesMax = 65_536
    /// Most frames one message may come in; more closes 1009.
    package var fragmentsMax = 1_024
    /// Longest request head, in bytes; more is answered 431.
    package var headBytesMax = 16_384
    /// Longest request line, in bytes; more is answered 414.
    package var requestLineBytesMax = 4_096
    /// Longest request body, in bytes; more is answered 413.
    package var requestBodyBytesMax = 2 * 1_048_576
    /// Most sockets at once, HTTP and WebSocket together; 0 takes what the file limit leaves.
    package var connectionsMax = 0

    /// Time for a whole request head, from the first byte or from the accept.
    package var headerTimeout: Duration = .seconds(5)
    /// Time for a whole request body.
    package var bodyTimeout: Duration = .seconds(10)
    /// Idle time between two requests.
    package var keepAliveTimeout: Duration = .seconds(15)
    /// Silence after which a WebSocket is sent a ping; whole seconds.
    package var pingAfter: Duration = .seconds(25)
    /// Silence after which it is given up; whole seconds, above `pingAfter`.
    package var hangUpAfter: Duration = .seconds(33)
    /// Time without progress, output waiting, after which a peer is dropped (4508).
    package var stallTimeout: Duration = .seconds(30)
    /// Time a peer has to answer a close frame before it is dropped.
    package var closeTimeout: Duration = .seconds(3)

    /// Bytes the kernel may hold unsent for one socket.
    package var kernelQueueBytes = 131_072
    /// Takes SIGTERM and SIGINT for `stopRequested`, and ignores SIGHUP, for the whole process.
    package var handlesSignals = true

    package init() {}
}

extension Duration {
    /// Whole nanoseconds; enough for the deadlines here, which are minutes at most.
    var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
