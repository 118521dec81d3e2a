/// A parsed JSON value. Objects keep the order of their members, so nothing depends on hashing.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
    /// A value that is grammatical but that no two readers agree on: a number beyond a double, half
    /// a surrogate pair, a key given twice, nesting beyond the limit. Only a parser with
    /// `toleratesBadValues` makes it; it fits no type, so whoever reads the field refuses it.
    case invalid(why: String)

    /// The value of an object's member; `nil` when it is absent or this is no object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

/// One `"key": value` of an object.
public struct JSONMember: Hashable, Sendable {
    public var key: String
    public var value: JSONValue

    public init(key: String, value: JSONValue) {
        self.key = key
        self.value = value
    }
}

/// A JSON number as every reader with IEEE doubles sees it: finite, and never minus zero.
public struct JSONNumber: Hashable, Sendable {
    public let double: Double

    /// The largest integer (2^53 - 1) whose neighbours a double still tells apart. Beyond it a
    /// browser would count with another number than this server.
    public static let integerMax = 9_007_199_254_740_991

    /// `nil` when `double` isn't finite.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        self.double = double == 0 ? 0 : double
    }

    /// The same as an integer, however it was spelled (`3`, `3.0`, `3e0`); `nil` for a fraction and
    /// beyond `integerMax`.
    public var integer: Int? {
        guard double.magnitude <= Double(Self.integerMax) else { return nil }
        // Not `Int(exactly:)`, which would make every program that links this look for libm.
        let truncated = Int(double)
        return Double(truncated) == double ? truncated : nil
    }
}

/// Why a text is not JSON, and where.
public struct JSONError: Error, Hashable, Sendable {
    /// Plain English; never repeats anything of the text.
    public var message: String
    /// In bytes from the beginning of the text.
    public var offset: Int

    public init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}
