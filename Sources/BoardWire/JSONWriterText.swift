// How strings, numbers and identifiers are spelled.

public import BoardModel

extension String: JSONWritable {
    /// Escapes what JSON demands and, beyond that, U+2028 and U+2029, which end a line in a script.
    public func write(into writer: inout JSONWriter) {
        writer.bytes.append(UInt8(ascii: "\""))
        let span = utf8.span
        var begin = 0
        for position in span.indices {
            let byte = span[position]
            guard
                byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                    || byte == 0xE2
            else { continue }
            if byte == 0xE2 {
                guard position + 2 < span.count, span[position + 1] == 0x80,
                    span[position + 2] & 0xFE == 0xA8
                else { continue }
            }
            writer.append(span, begin..<position)
            begin = position + 1
            switch byte {
            case UInt8(ascii: "\""): writer.raw("\\\"")
            case UInt8(ascii: "\\"): writer.raw("\\\\")
            case 0x0A: writer.raw("\\n")
            case 0x0D: writer.raw("\\r")
            case 0x09: writer.raw("\\t")
            case 0xE2:
                writer.raw(span[position + 2] == 0xA8 ? "\\u2028" : "\\u2029")
                begin = position + 3
            default:
                writer.raw("\\u00")
                writer.hexDigits(of: UInt64(byte), count: 2)
            }
        }
        writer.append(span, begin..<span.count)
        writer.bytes.append(UInt8(ascii: "\""))
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

    mutating func append(_ span: Span<UInt8>, _ range: Range<Int>) {
        for position in range { bytes.append(span[position]) }
    }
}
