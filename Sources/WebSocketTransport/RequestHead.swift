/// What a peer asked for: the request line and those headers a board server reads.
///
/// `path` and `query` are the bytes of the request line: nothing is percent-decoded, `//` and `..`
/// are neither collapsed nor resolved. They hold visible ASCII only.
package struct RequestHead: Sendable, Equatable {
    package var method: String
    package var path: String
    /// What follows the first `?`, without it; empty when there is none.
    package var query: String
    package var host: String?
    package var origin: String?
    package var ifMatch: String?
    package var ifNoneMatch: String?
    package var contentType: String?
    package var authorization: String?
    /// The tokens of `Sec-WebSocket-Protocol` in the peer's order.
    package var subprotocols: [String]
    /// `X-Forwarded-For` as it was sent: worth nothing unless the peer is a trusted proxy.
    package var forwardedFor: String?
    /// The peer's numeric address, without the port.
    package var remoteAddress: String

    package init(
        method: String = "GET", path: String, query: String = "", host: String? = nil,
        origin: String? = nil, ifMatch: String? = nil, ifNoneMatch: String? = nil,
        contentType: String? = nil, authorization: String? = nil, subprotocols: [String] = [],
        forwardedFor: String? = nil, remoteAddress: String = ""
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.host = host
        self.origin = origin
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
        self.contentType = contentType
        self.authorization = authorization
        self.subprotocols = subprotocols
        self.forwardedFor = forwardedFor
        self.remoteAddress = remoteAddress
    }
}
