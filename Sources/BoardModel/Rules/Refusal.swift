/// Why an edit is not applied, and which of its fields is to blame.
struct Refusal: Error, Hashable {
    var reason: Reason
    var field: String?

    init(_ reason: Reason, field: String? = nil) {
        self.reason = reason
        self.field = field
    }

    init(_ problem: BoardProblem) {
        reason = problem.reason
        field = problem.field
    }
}

/// Why a whole board, or a part of one, is not accepted.
public struct BoardProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// `invalid` (out of range, or not of the form asked for), `limit` (longer or more than
    /// `BoardLimits` allow) or `duplicate_id` (the board has that identifier already).
    public var reason: Reason
    /// The path of the value at fault, for example `sections[1].icons[0].red`.
    public var field: String
    /// One sentence for people.
    public var message: String

    public init(reason: Reason, field: String, message: String) {
        self.reason = reason
        self.field = field
        self.message = message
    }

    public var description: String { "\(field): \(message)" }
}
