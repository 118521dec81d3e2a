// From bytes to an object, and the faults that no reader of a field came across.

/// Parses a text that must be one object; bad values in it are kept as `invalid` ones.
func parseObject(
    _ text: Span<UInt8>, depthMax: Int
) throws(MessageError) -> (root: JSONValue, faults: Int) {
    let parser = JSONParser(depthMax: depthMax, toleratesBadValues: true)
    let (root, faults): (JSONValue, Int)
    do {
        (root, faults) = try parser.scan(text)
    } catch {
        throw MessageError(.malformed, "\(error.message), at byte \(error.offset)")
    }
    guard case .object = root else { throw MessageError(.malformed, "expected an object") }
    return (root, faults)
}

/// The first bad value anywhere, with its path.
///
/// Recursion ends, since the parser made the tree no deeper than its limit.
func firstFault(in value: JSONValue, at path: String = "") -> MessageError? {
    switch value {
    case .null, .bool, .number, .string: return nil
    case .invalid(let why):
        return MessageError(.invalid, why, field: path.isEmpty ? nil : path)
    case .array(let items):
        for (position, item) in items.enumerated() {
            if let error = firstFault(in: item, at: "\(path)[\(position)]") { return error }
        }
        return nil
    case .object(let members):
        for member in members {
            let name = isPlain(member.key) ? member.key : "?"
            let memberPath = path.isEmpty ? name : "\(path).\(name)"
            if let error = firstFault(in: member.value, at: memberPath) { return error }
        }
        return nil
    }
}

/// Whether a key may be repeated in an error: its sender may not choose what others read.
private func isPlain(_ key: String) -> Bool {
    key.utf8.count <= 32
        && key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
}
