// How strings, numbers and identifiers are spelled.

public import BoardModel

extension String: JSONWritable {
    /// Escapes what JSON demands and, beyond that, U+2028 and U+2029, which end a line in a script.
    public func write(into writer: inout JSONWriter) {
        writer.bytes.append(UInt8(ascii: "\""))
        let span = utf8.span
        if span.indices.allSatisfy({ !JSONWriter.mayNeedEscape(span[$0]) }) {
            writer.raw(self)
        } else {
            writer.escaped(span)
        }
        writer.bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONWriter {
    /// Whether a byte is escaped, or begins a character that may be: U+2028 is E2 80 A8.
    fileprivate static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0xE2
    }

    fileprivate mutating func escaped(_ span: Span<UInt8>) {
        var position = 0
        while position < span.count {
            let byte = span[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): raw("\\\"")
            case UInt8(ascii: "\\"): raw("\\\\")
            case 0x0A: raw("\\n")
            case 0x0D: raw("\\r")
            case 0x09: raw("\\t")
            case 0..<0x20:
                raw("\\u00")
                hexDigits(of: UInt64(byte), count: 2)
            case 0xE2 where span[position] == 0x80 && span[position + 1] & 0xFE == 0xA8:
                raw(span[position + 1] == 0xA8 ? "\\u2028" : "\\u2029")
                position += 2
            default: bytes.append(byte)
            }
        }
    }
}

extension Int: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        if self < 0 { writer.bytes.append(UInt8(ascii: "-")) }
        var rest = magnitude
        let begin = writer.bytes.count
        repeat {
            writer.bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        writer.bytes[begin...].reverse()
    }
}

extension Double: JSONWritable {
    /// The shortest text that reads back as the same double; `null` for what JSON cannot say.
    public func write(into writer: inout JSONWriter) {
        guard isFinite else {
            writer.null()
            return
        }
        if let integer = JSONNumber(self)?.integer {
            integer.write(into: &writer)
        } else {
            writer.raw(description)
        }
    }
}

extension UniqueID: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.bytes.append(UInt8(ascii: "\""))
        writer.hexDigits(of: high >> 32, count: 8)
        writer.bytes.append(UInt8(ascii: "-"))
        writer.hexDigits(of: high >> 16, count: 4)
        writer.bytes.append(UInt8(ascii: "-"))
        writer.hexDigits(of: high, count: 4)
        writer.bytes.append(UInt8(ascii: "-"))
        writer.hexDigits(of: low >> 48, count: 4)
        writer.bytes.append(UInt8(ascii: "-"))
        writer.hexDigits(of: low, count: 12)
        writer.bytes.append(UInt8(ascii: "\""))
    }
}

extension Slug: JSONWritable {
    /// An identifier's alphabet needs no escape.
    public func write(into writer: inout JSONWriter) {
        writer.bytes.append(UInt8(ascii: "\""))
        writer.raw(text)
        writer.bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONWriter {
    /// Appends the lowest `count` hexadecimal digits of `value`.
    mutating func hexDigits(of value: UInt64, count: Int) {
        var shift = count * 4
        while shift > 0 {
            shift -= 4
            let nibble = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 0xF
            bytes.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") - 10 + nibble)
        }
    }
}
