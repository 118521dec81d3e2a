/// A strict RFC 8259 reader of UTF-8 text.
///
/// Stricter where readers differ, since then a check and the action behind it would see two
/// different values: a key given twice (escaped or not), half a surrogate pair and a number beyond
/// the range of a double are refused. Cost: linear in the text; recursion never goes deeper than
/// `depthMax`.
public struct JSONParser: Sendable {
    /// How many arrays and objects may lie in each other; the deepest message needs six.
    public var depthMax: Int
    /// Makes `JSONValue.invalid` of a bad value instead of failing, so that the reader can name the
    /// field and still read the others. Broken grammar fails all the same.
    public var toleratesBadValues: Bool

    public init(depthMax: Int = 16, toleratesBadValues: Bool = false) {
        self.depthMax = depthMax
        self.toleratesBadValues = toleratesBadValues
    }

    /// Parses one whole text: a value with nothing but white space round it.
    public func parse(_ text: Span<UInt8>) throws(JSONError) -> JSONValue {
        try scan(text).value
    }

    /// Parses one whole text: a value with nothing but white space round it.
    public func parse(_ text: [UInt8]) throws(JSONError) -> JSONValue {
        try parse(text.span)
    }

    /// The value, and how many `invalid` ones lie in it.
    func scan(_ text: Span<UInt8>) throws(JSONError) -> (value: JSONValue, faults: Int) {
        do {
            _ = try UTF8Span(validating: text)
        } catch {
            throw JSONError("not UTF-8", at: error.byteOffsets.lowerBound)
        }
        var scanner = JSONScanner(depthMax: depthMax, tolerant: toleratesBadValues)
        let value = try scanner.value(text, depth: 0)
        scanner.skipSpace(text)
        guard scanner.offset == text.count else {
            throw JSONError("text after the value", at: scanner.offset)
        }
        return (value, scanner.faults)
    }
}

/// A position in a text that is already known to be UTF-8.
///
/// The text is an argument everywhere and not a property, because a span cannot be kept.
struct JSONScanner {
    let depthMax: Int
    let tolerant: Bool
    var offset = 0
    var faults = 0

    init(depthMax: Int, tolerant: Bool) {
        self.depthMax = depthMax
        self.tolerant = tolerant
    }

    mutating func value(_ text: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        skipSpace(text)
        guard offset < text.count else { throw JSONError("the text ends early", at: offset) }
        switch text[offset] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < depthMax else { return try tooDeep(text) }
            return text[offset] == UInt8(ascii: "{")
                ? try object(text, depth: depth + 1) : try array(text, depth: depth + 1)
        case UInt8(ascii: "\""):
            let begin = offset
            let (content, isWhole) = try string(text)
            guard isWhole else { return try fault("half a surrogate pair", at: begin) }
            return .string(content)
        case UInt8(ascii: "t"):
            try word("true", text)
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false", text)
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null", text)
            return .null
        default:
            let begin = offset
            guard let number = JSONNumber(try number(text)) else {
                return try fault("a number beyond the range of a double", at: begin)
            }
            return .number(number)
        }
    }

    private mutating func array(_ text: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        offset += 1
        var items: [JSONValue] = []
        if skip(UInt8(ascii: "]"), text) { return .array(items) }
        while true {
            items.append(try value(text, depth: depth))
            if skip(UInt8(ascii: ","), text) { continue }
            guard skip(UInt8(ascii: "]"), text) else {
                throw JSONError("expected a comma or the end of the array", at: offset)
            }
            return .array(items)
        }
    }

    private mutating func object(_ text: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        offset += 1
        var members = JSONMembers()
        if skip(UInt8(ascii: "}"), text) { return .object(members.list) }
        while true {
            skipSpace(text)
            let begin = offset
            guard offset < text.count, text[offset] == UInt8(ascii: "\"") else {
                throw JSONError("expected a key", at: offset)
            }
            let (key, isWhole) = try string(text)
            guard skip(UInt8(ascii: ":"), text) else {
                throw JSONError("expected a colon", at: offset)
            }
            var value = try value(text, depth: depth)
            if !isWhole { value = try fault("half a surrogate pair in a key", at: begin) }
            if let twice = members.append(JSONMember(key: key, value: value)) {
                members.list[twice].value = try fault("given twice", at: begin)
            }
            if skip(UInt8(ascii: ","), text) { continue }
            guard skip(UInt8(ascii: "}"), text) else {
                throw JSONError("expected a comma or the end of the object", at: offset)
            }
            return .object(members.list)
        }
    }

    private mutating func tooDeep(_ text: Span<UInt8>) throws(JSONError) -> JSONValue {
        let value = try fault("nested too deeply", at: offset)
        try skipNested(text)
        return value
    }

    /// A bad value: an `invalid` one where that is wanted, else a failure.
    mutating func fault(_ why: String, at begin: Int) throws(JSONError) -> JSONValue {
        guard tolerant else { throw JSONError(why, at: begin) }
        faults += 1
        return .invalid(why: why)
    }

    mutating func word(_ word: String, _ text: Span<UInt8>) throws(JSONError) {
        for byte in word.utf8 {
            guard offset < text.count, text[offset] == byte else {
                throw JSONError("expected a value", at: offset)
            }
            offset += 1
        }
    }

    /// Whether `byte` comes next after white space; if so, stands behind it.
    mutating func skip(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        skipSpace(text)
        guard offset < text.count, text[offset] == byte else { return false }
        offset += 1
        return true
    }

    mutating func skipSpace(_ text: Span<UInt8>) {
        while offset < text.count {
            switch text[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }
}

/// The members of an object while it is read.
private struct JSONMembers {
    var list: [JSONMember] = []
    /// Filled only for an object of many members; a few are compared faster than hashed, but many
    /// compared with each other would let one message hold up everybody.
    private var positions: [[UInt8]: Int] = [:]
    private static let comparedMax = 32

    /// Appends `member`, or says where its key already is. Keys are equal byte by byte: Swift's own
    /// string comparison takes different spellings of one character for the same.
    mutating func append(_ member: JSONMember) -> Int? {
        if let position = position(of: member.key) { return position }
        list.append(member)
        if list.count == Self.comparedMax {
            for (position, member) in list.enumerated() {
                positions[Array(member.key.utf8)] = position
            }
        } else if list.count > Self.comparedMax {
            positions[Array(member.key.utf8)] = list.count - 1
        }
        return nil
    }

    private func position(of key: String) -> Int? {
        guard list.count < Self.comparedMax else { return positions[Array(key.utf8)] }
        return list.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    }
}
