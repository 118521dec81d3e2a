public import BoardModel

/// Why a message from a client was refused.
///
/// With a `seq` the caller answers with a rejected result that spends the number; without one, with
/// an error event.
public struct MessageError: Error, Hashable, Sendable {
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Not JSON, or not an object.
        case malformed
        /// A `type` that this version doesn't know.
        case unknownType = "unknown_type"
        /// A member that is missing or isn't what it must be.
        case invalid
    }

    public var code: Code
    /// Plain English; never repeats anything of the message.
    public var message: String
    /// The path of the member at fault, as in `edit.to.after` or `icons[2]`.
    public var field: String?
    /// The drag that the message was about, when that could be read.
    public var drag: Int?
    /// The sequence number of an edit or drop, when that could be read; it may be below 1.
    public var seq: Int?
    /// The drop's or edit's base, when that could be read.
    public var base: Int?
    /// Who sent an edit over HTTP, when that could be read.
    public var client: ClientID?
    /// What the message was meant to be, when that could be read.
    public var kind: ClientMessage.Kind?

    public init(
        _ code: Code, _ message: String, field: String? = nil, drag: Int? = nil, seq: Int? = nil,
        base: Int? = nil, client: ClientID? = nil, kind: ClientMessage.Kind? = nil
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.drag = drag
        self.seq = seq
        self.base = base
        self.client = client
        self.kind = kind
    }

    /// The error event for a message without a readable `seq`.
    public var event: ErrorEvent {
        ErrorEvent(code: code, message: message, field: field, drag: drag)
    }
}
