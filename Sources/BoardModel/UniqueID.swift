/// A 128-bit identifier of an icon or a client, written as a UUID.
///
/// Read in either case, always written in lower case: the same identifier must not look like two in
/// a client that compares text. A value type of two words, so that comparing and hashing it on the
/// drag path costs no allocation.
public struct UniqueID: Hashable, Comparable, Sendable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads `8-4-4-4-12` hexadecimal digits, in either case; `nil` for anything else.
    public init?(_ text: String) {
        self.init(utf8: text.utf8)
    }

    /// Reads the same from UTF-8 bytes, without making a `String`.
    public init?(utf8 bytes: some Collection<UInt8>) {
        guard bytes.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        for (position, byte) in bytes.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.value(ofDigit: byte) else { return nil }
            if digits < 16 {
                high = high << 4 | digit
            } else {
                low = low << 4 | digit
            }
            digits += 1
        }
        self.init(high: high, low: low)
    }

    /// A random (version 4) identifier.
    public static func random(using generator: inout some RandomNumberGenerator) -> UniqueID {
        let high = generator.next() & ~0xF000 | 0x4000
        let low = generator.next() & ~(0xC0 << 56) | 0x80 << 56
        return UniqueID(high: high, low: low)
    }

    public static func < (left: UniqueID, right: UniqueID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// Calls `body` with each of the 36 characters of the written form, in order.
    public func forEachCharacter(_ body: (UInt8) -> Void) {
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                body(UInt8(ascii: "-"))
            }
            let word = digit < 16 ? high : low
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit % 16 * 4)) & 0xF
            body(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
        }
    }

    private static func value(ofDigit byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension UniqueID: LosslessStringConvertible {
    public var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        forEachCharacter { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UniqueID: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = UniqueID(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a UUID"))
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Identifies an icon for as long as it exists, on whatever section it stands.
public typealias IconID = UniqueID
/// Identifies one installation or tab; survives its reconnects.
public typealias ClientID = UniqueID
