extension JSONScanner {
    /// Reads a number; infinite when it is beyond the range of a double. Too small a fraction is 0.
    mutating func number(_ text: Span<UInt8>) throws(JSONError) -> Double {
        let begin = offset
        var decimal = Decimal()
        if offset < text.count, text[offset] == UInt8(ascii: "-") {
            decimal.isNegative = true
            offset += 1
        }
        guard offset < text.count, Self.isDigit(text[offset]) else {
            throw JSONError("expected a value", at: offset)
        }
        if text[offset] == UInt8(ascii: "0") {
            offset += 1
        } else {
            try digits(text, into: &decimal, isFraction: false)
        }
        if offset < text.count, text[offset] == UInt8(ascii: ".") {
            offset += 1
            try digits(text, into: &decimal, isFraction: true)
        }
        if offset < text.count, text[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            decimal.exponent += try exponent(text)
        }
        if offset < text.count, Self.isDigit(text[offset]) {
            throw JSONError("a number that begins with zero", at: begin)
        }
        if let value = decimal.exactDouble { return value }
        return try slowNumber(text, begin..<offset)
    }

    private mutating func digits(
        _ text: Span<UInt8>, into decimal: inout Decimal, isFraction: Bool
    ) throws(JSONError) {
        let begin = offset
        while offset < text.count, Self.isDigit(text[offset]) {
            decimal.append(text[offset] - UInt8(ascii: "0"), isFraction: isFraction)
            offset += 1
        }
        guard offset > begin else { throw JSONError("expected a digit", at: offset) }
    }

    private mutating func exponent(_ text: Span<UInt8>) throws(JSONError) -> Int {
        var isNegative = false
        if offset < text.count,
            text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-")
        {
            isNegative = text[offset] == UInt8(ascii: "-")
            offset += 1
        }
        let begin = offset
        var value = 0
        while offset < text.count, Self.isDigit(text[offset]) {
            // Beyond this the number is out of range (or zero) whatever its digits.
            value = min(value * 10 + Int(text[offset] - UInt8(ascii: "0")), 1_000_000)
            offset += 1
        }
        guard offset > begin else { throw JSONError("expected a digit", at: offset) }
        return isNegative ? -value : value
    }

    /// The standard library's correctly rounded conversion, for what `Decimal` cannot do exactly.
    private func slowNumber(
        _ text: Span<UInt8>, _ range: Range<Int>
    ) throws(JSONError) -> Double {
        guard let value = Double(try copy(text, range)) else {
            throw JSONError("expected a value", at: range.lowerBound)
        }
        return value
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}

/// A decimal number while its digits arrive: `digits` times ten to the power of `exponent`.
struct Decimal {
    var isNegative = false
    var digits: UInt64 = 0
    var exponent = 0
    /// More digits came than fit.
    private var isTruncated = false

    mutating func append(_ digit: UInt8, isFraction: Bool) {
        guard digits < 900_000_000_000_000_000 else {
            isTruncated = true
            return
        }
        digits = digits * 10 + UInt64(digit)
        if isFraction { exponent -= 1 }
    }

    /// The value where one rounding gives it: digits and power of ten both exact as doubles. That
    /// is nearly every number that people's clients send.
    var exactDouble: Double? {
        guard !isTruncated, digits <= 1 << 53 else { return nil }
        if digits == 0 { return 0 }
        guard exponent.magnitude < Self.powersOfTen.count else { return nil }
        let power = Self.powersOfTen[Int(exponent.magnitude)]
        let value = exponent < 0 ? Double(digits) / power : Double(digits) * power
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
