// Strings, numbers and over-deep values of a JSON text.

extension JSONScanner {
    /// Reads a string, standing on its opening quote; `isWhole` is false when it has half a
    /// surrogate pair, for which U+FFFD stands then.
    mutating func string(
        _ text: Span<UInt8>
    ) throws(JSONError) -> (content: String, isWhole: Bool) {
        let begin = offset
        offset += 1
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""):
                let content = try copy(text, begin + 1..<offset)
                offset += 1
                return (content, true)
            case UInt8(ascii: "\\"):
                return try escapedString(text, from: begin + 1)
            case 0..<0x20:
                throw JSONError("a control character in a string", at: offset)
            default:
                offset += 1
            }
        }
        throw JSONError("a string without an end", at: begin)
    }

    /// The text at `range`.
    func copy(_ text: Span<UInt8>, _ range: Range<Int>) throws(JSONError) -> String {
        do {
            return String(copying: try UTF8Span(validating: text.extracting(range)))
        } catch {
            throw JSONError("not UTF-8", at: range.lowerBound)
        }
    }

    /// Goes on with a string that has an escape at `offset`.
    private mutating func escapedString(
        _ text: Span<UInt8>, from begin: Int
    ) throws(JSONError) -> (content: String, isWhole: Bool) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(offset - begin + 32)
        for position in begin..<offset { bytes.append(text[position]) }
        var isWhole = true
        while offset < text.count {
            let byte = text[offset]
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return (String(decoding: bytes, as: UTF8.self), isWhole)
            case UInt8(ascii: "\\"):
                let scalar = try escape(text)
                if scalar == nil { isWhole = false }
                bytes.append(contentsOf: Array(String(scalar ?? "\u{FFFD}").utf8))
            case 0..<0x20:
                throw JSONError("a control character in a string", at: offset)
            default:
                bytes.append(byte)
                offset += 1
            }
        }
        throw JSONError("a string without an end", at: begin)
    }

    /// Reads one escape, standing on its backslash; `nil` for half a surrogate pair.
    private mutating func escape(_ text: Span<UInt8>) throws(JSONError) -> Unicode.Scalar? {
        guard offset + 1 < text.count else {
            throw JSONError("a string without an end", at: offset)
        }
        offset += 2
        switch text[offset - 1] {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(text)
        default: throw JSONError("an unknown escape", at: offset - 2)
        }
    }

    /// Reads what follows `\u`, with the second half of a pair if the first is here.
    private mutating func unicodeEscape(
        _ text: Span<UInt8>
    ) throws(JSONError) -> Unicode.Scalar? {
        let first = try hexDigits(text)
        guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
        guard offset + 1 < text.count, text[offset] == UInt8(ascii: "\\"),
            text[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        let begin = offset
        offset += 2
        let second = try hexDigits(text)
        guard (0xDC00...0xDFFF).contains(second) else {
            offset = begin
            return nil
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func hexDigits(_ text: Span<UInt8>) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard offset < text.count, let digit = Self.hexValue(text[offset]) else {
                throw JSONError("expected four hexadecimal digits", at: offset)
            }
            value = value << 4 | digit
            offset += 1
        }
        return value
    }

    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Skips the array or object at `offset` with an explicit stack, checking its grammar: a text
    /// of nothing but brackets must cost neither the call stack nor the rest of the message.
    mutating func skipNested(_ text: Span<UInt8>) throws(JSONError) {
        var closers: [UInt8] = []
        repeat {
            skipSpace(text)
            guard offset < text.count else { throw JSONError("the text ends early", at: offset) }
            let byte = text[offset]
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                offset += 1
                // In ASCII each closing bracket stands two after its opening one.
                let closer = byte + 2
                if skip(closer, text) {
                    try finishValue(text, &closers)
                } else {
                    closers.append(closer)
                    if closer == UInt8(ascii: "}") { try skipKey(text) }
                }
            } else {
                try skipPlain(text)
                try finishValue(text, &closers)
            }
        } while !closers.isEmpty
    }

    /// After a value: closes what ends here, or steps to the next value.
    private mutating func finishValue(
        _ text: Span<UInt8>, _ closers: inout [UInt8]
    ) throws(JSONError) {
        while let closer = closers.last {
            if skip(UInt8(ascii: ","), text) {
                if closer == UInt8(ascii: "}") { try skipKey(text) }
                return
            }
            guard skip(closer, text) else {
                throw JSONError("expected a comma or a closing bracket", at: offset)
            }
            closers.removeLast()
        }
    }

    private mutating func skipKey(_ text: Span<UInt8>) throws(JSONError) {
        skipSpace(text)
        guard offset < text.count, text[offset] == UInt8(ascii: "\"") else {
            throw JSONError("expected a key", at: offset)
        }
        _ = try string(text)
        guard skip(UInt8(ascii: ":"), text) else { throw JSONError("expected a colon", at: offset) }
    }

    private mutating func skipPlain(_ text: Span<UInt8>) throws(JSONError) {
        switch text[offset] {
        case UInt8(ascii: "\""): _ = try string(text)
        case UInt8(ascii: "t"): try word("true", text)
        case UInt8(ascii: "f"): try word("false", text)
        case UInt8(ascii: "n"): try word("null", text)
        default: _ = try number(text)
        }
    }
}
