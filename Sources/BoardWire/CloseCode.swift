/// Why a WebSocket was closed, in the number that a browser can see.
public enum CloseCode: UInt16, Hashable, Sendable, CaseIterable {
    /// Either side is done.
    case normal = 1000
    /// A binary message; only text is spoken.
    case unsupportedData = 1003
    /// A message longer than `WireLimits.messageBytes`.
    case messageTooBig = 1009
    /// The server restarts or the board was replaced: come back at once, with jitter.
    case restarting = 1012
    /// Too much to do; come back with back-off.
    case overloaded = 1013
    /// No hello, a bad or late one, or no common subprotocol.
    case badHello = 4400
    /// The board needs a sign-in that the hello didn't give.
    case notSignedIn = 4401
    /// Signed in, but not for this board or not as this client.
    case forbidden = 4403
    /// There is no such board.
    case noSuchBoard = 4404
    /// The same client connected again; that connection goes on.
    case replaced = 4409
    /// The board was deleted.
    case boardDeleted = 4410
    /// A fault of the server.
    case internalError = 4500
    /// The board could not be read or written.
    case storage = 4503
    /// The peer read nothing for 30 s while there was something to read.
    case noProgress = 4508
    /// Too many errors or messages.
    case tooMany = 4529

    /// Coming back would end the same way, so a client must not try by itself.
    public var isFinal: Bool {
        switch self {
        case .normal, .unsupportedData, .messageTooBig, .badHello, .notSignedIn, .forbidden,
            .noSuchBoard, .replaced, .boardDeleted:
            true
        case .restarting, .overloaded, .internalError, .storage, .noProgress, .tooMany: false
        }
    }

    /// A client may connect again by itself.
    public var mayRetry: Bool { !isFinal }

    /// Plain English for the close frame; at most 123 bytes, the room that such a frame has.
    public var reason: String {
        switch self {
        case .normal: "done"
        case .unsupportedData: "send text, not binary"
        case .messageTooBig: "message too big"
        case .restarting: "restarting or board replaced: connect again"
        case .overloaded: "overloaded: try again later"
        case .badHello: "bad, missing or late hello"
        case .notSignedIn: "not signed in"
        case .forbidden: "not allowed"
        case .noSuchBoard: "no such board"
        case .replaced: "the same client connected again"
        case .boardDeleted: "the board was deleted"
        case .internalError: "internal error: try again later"
        case .storage: "the board cannot be stored or read: try again later"
        case .noProgress: "nothing was read for too long"
        case .tooMany: "too many errors or messages"
        }
    }
}
