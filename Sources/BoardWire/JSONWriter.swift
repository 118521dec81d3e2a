/// Something with a JSON form.
public protocol JSONWritable {
    /// Appends this value's JSON text.
    func write(into writer: inout JSONWriter)
}

/// An append-only writer of JSON as UTF-8 bytes.
///
/// It puts the commas between members and between array items, not between top-level values: those
/// are the caller's, who joins events into frames.
public struct JSONWriter: Sendable {
    public var bytes: [UInt8]

    public init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    public mutating func beginObject() { bytes.append(UInt8(ascii: "{")) }
    public mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    /// Appends a key, which must need no escape.
    public mutating func key(_ name: String) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    public mutating func field(_ name: String, _ value: some JSONWritable) {
        key(name)
        value.write(into: &self)
    }

    /// Appends the member only when it has a value.
    public mutating func field(ifPresent name: String, _ value: (some JSONWritable)?) {
        if let value { field(name, value) }
    }

    /// Appends the member, `null` when it has no value.
    public mutating func field(orNull name: String, _ value: (some JSONWritable)?) {
        key(name)
        if let value { value.write(into: &self) } else { null() }
    }

    public mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
        key(name)
        beginObject()
        members(&self)
        endObject()
    }

    /// Appends an array of texts that are JSON already.
    public mutating func array(_ name: String, encoded items: [[UInt8]]) {
        key(name)
        bytes.append(UInt8(ascii: "["))
        for (position, item) in items.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: item)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Appends text that is JSON already.
    public mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends bytes that are JSON already.
    public mutating func raw(_ text: [UInt8]) { bytes.append(contentsOf: text) }

    public mutating func null() { raw("null") }
}

extension Bool: JSONWritable {
    public func write(into writer: inout JSONWriter) { writer.raw(self ? "true" : "false") }
}

extension Array: JSONWritable where Element: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.bytes.append(UInt8(ascii: "["))
        for (position, item) in enumerated() {
            if position > 0 { writer.bytes.append(UInt8(ascii: ",")) }
            item.write(into: &writer)
        }
        writer.bytes.append(UInt8(ascii: "]"))
    }
}
