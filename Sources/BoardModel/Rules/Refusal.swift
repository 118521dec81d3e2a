/// Why an edit is not applied, and which of its fields is to blame.
struct Refusal: Error, Hashable {
    var reason: Reason
    var field: String?

    init(_ reason: Reason, field: String? = nil) {
        self.reason = reason
        self.field = field
    }

    init(_ problem: BoardProblem) {
        reason = Reason(problem.reason)
        field = problem.field
    }
}

/// Why a whole board, or a part of one, is not accepted.
public struct BoardProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of fault; each has the same name as the reason that an edit is refused for.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Out of range, or not of the form asked for.
        case invalid
        /// Longer or more than `BoardLimits` allow.
        case limit
        /// An identifier that the board already has.
        case duplicateID = "duplicate_id"
    }

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

extension Reason {
    init(_ reason: BoardProblem.Reason) {
        self =
            switch reason {
            case .invalid: .invalid
            case .limit: .limit
            case .duplicateID: .duplicateID
            }
    }
}
