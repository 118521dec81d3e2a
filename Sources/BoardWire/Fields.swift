internal import BoardModel

/// What a member's value must be, and how to read it.
struct FieldType<Value> {
    /// Completes "expected ...".
    let expected: String
    let read: (JSONValue) -> Value?
}

extension FieldType where Value == String {
    static var string: Self {
        Self(expected: "a string") { if case .string(let text) = $0 { text } else { nil } }
    }
}

extension FieldType where Value == Int {
    /// 2^53 - 1 at most, in either direction.
    static var integer: Self {
        Self(expected: "an integer below 2^53") {
            if case .number(let number) = $0 { number.integer } else { nil }
        }
    }

    static var natural: Self {
        Self(expected: "an integer from 0 to below 2^53") {
            if let value = Self.integer.read($0), value >= 0 { value } else { nil }
        }
    }
}

extension FieldType where Value == Double {
    static var number: Self {
        Self(expected: "a number") {
            if case .number(let number) = $0 { number.double } else { nil }
        }
    }
}

extension FieldType where Value == Bool {
    static var bool: Self {
        Self(expected: "true or false") { if case .bool(let value) = $0 { value } else { nil } }
    }
}

extension FieldType where Value == UniqueID {
    static var uuid: Self {
        Self(expected: "a UUID") {
            if case .string(let text) = $0 { UniqueID(text) } else { nil }
        }
    }
}

extension FieldType where Value == Slug {
    static var slug: Self {
        Self(expected: "an identifier of up to 64 of a-z, 0-9, _ and -") {
            if case .string(let text) = $0 { Slug(text) } else { nil }
        }
    }
}

extension FieldType where Value == [JSONValue] {
    static var array: Self {
        Self(expected: "an array") { if case .array(let items) = $0 { items } else { nil } }
    }
}

extension FieldType where Value == [JSONMember] {
    static var object: Self {
        Self(expected: "an object") { if case .object(let list) = $0 { list } else { nil } }
    }
}

extension FieldType
where Value: RawRepresentable, Value: CaseIterable, Value.RawValue == String {
    static var choice: Self {
        let names = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return Self(expected: "one of \(names)") {
            if case .string(let text) = $0 { Value(rawValue: text) } else { nil }
        }
    }
}

extension FieldType where Value: RawRepresentable, Value.RawValue == String {
    static func known(_ noun: String) -> Self {
        Self(expected: noun) {
            if case .string(let text) = $0 { Value(rawValue: text) } else { nil }
        }
    }
}

/// The members of an object that is being read, and where it lies in the message.
///
/// `null` counts as left out wherever a member is optional, since that is how many clients spell
/// an absent value; where it means something of its own, the reader asks with `isNull`.
struct Fields {
    let members: [JSONMember]
    /// Empty for the message itself.
    let path: String

    init(_ value: JSONValue, at path: String) throws(MessageError) {
        members = try Self.read(value, .object, at: path)
        self.path = path
    }

    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    subscript(key: String) -> JSONValue? { members.first { $0.key == key }?.value }

    func isAbsent(_ key: String) -> Bool { self[key] ?? .null == .null }

    func isNull(_ key: String) -> Bool { self[key] == .null }

    func require<Value>(_ key: String, _ type: FieldType<Value>) throws(MessageError) -> Value {
        guard let value = self[key] else {
            throw MessageError(.invalid, "missing", field: path(of: key))
        }
        return try read(value, type, key)
    }

    func optional<Value>(_ key: String, _ type: FieldType<Value>) throws(MessageError) -> Value? {
        guard let value = self[key], value != .null else { return nil }
        return try read(value, type, key)
    }

    /// Left out, or a value; `null` is none.
    func present<Value>(_ key: String, _ type: FieldType<Value>) throws(MessageError) -> Value? {
        guard let value = self[key] else { return nil }
        return try read(value, type, key)
    }

    /// A patch of an optional field.
    func change<Value>(
        _ key: String, _ type: FieldType<Value>
    ) throws(MessageError) -> FieldChange<Value> {
        guard let value = self[key] else { return .keep }
        return value == .null ? .clear : .set(try read(value, type, key))
    }

    func object(_ key: String) throws(MessageError) -> Fields {
        guard let value = self[key] else {
            throw MessageError(.invalid, "missing", field: path(of: key))
        }
        return try Fields(value, at: path(of: key))
    }

    func optionalObject(_ key: String) throws(MessageError) -> Fields? {
        guard let value = self[key], value != .null else { return nil }
        return try Fields(value, at: path(of: key))
    }

    /// A patch of an object: left out, or an object; `null` is none.
    func presentObject(_ key: String) throws(MessageError) -> Fields? {
        guard let value = self[key] else { return nil }
        return try Fields(value, at: path(of: key))
    }

    /// Reads each item of a list; each knows its path, as in `icons[2]`.
    func list<Value>(
        _ key: String, of items: [JSONValue],
        _ read: (JSONValue, String) throws(MessageError) -> Value
    ) throws(MessageError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(items.count)
        for (position, item) in items.enumerated() {
            values.append(try read(item, "\(path(of: key))[\(position)]"))
        }
        return values
    }

    /// UUIDs, at most `max`.
    func ids(_ key: String, max: Int) throws(MessageError) -> [UniqueID] {
        try ids(key, of: try require(key, .array), max: max)
    }

    func optionalIDs(_ key: String, max: Int) throws(MessageError) -> [UniqueID] {
        guard let items = try optional(key, .array) else { return [] }
        return try ids(key, of: items, max: max)
    }

    private func ids(
        _ key: String, of items: [JSONValue], max: Int
    ) throws(MessageError) -> [UniqueID] {
        guard items.count <= max else {
            throw MessageError(.invalid, "more than \(max)", field: path(of: key))
        }
        var ids: [UniqueID] = []
        ids.reserveCapacity(items.count)
        for (position, item) in items.enumerated() {
            guard let id = FieldType.uuid.read(item) else {
                throw Self.mismatch(item, FieldType.uuid, at: "\(path(of: key))[\(position)]")
            }
            ids.append(id)
        }
        return ids
    }

    private func read<Value>(
        _ value: JSONValue, _ type: FieldType<Value>, _ key: String
    ) throws(MessageError) -> Value {
        guard let result = type.read(value) else {
            throw Self.mismatch(value, type, at: path(of: key))
        }
        return result
    }

    static func read<Value>(
        _ value: JSONValue, _ type: FieldType<Value>, at path: String
    ) throws(MessageError) -> Value {
        guard let result = type.read(value) else { throw mismatch(value, type, at: path) }
        return result
    }

    static func mismatch<Value>(
        _ value: JSONValue, _ type: FieldType<Value>, at path: String
    ) -> MessageError {
        let field = path.isEmpty ? nil : path
        if case .invalid(let why) = value { return MessageError(.invalid, why, field: field) }
        return MessageError(.invalid, "expected \(type.expected)", field: field)
    }
}
