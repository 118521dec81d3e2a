/// The identifier of a board or a section: `[a-z0-9][a-z0-9_-]{0,63}`.
///
/// One small alphabet for both, so that an identifier means the same in a path, in a file name on
/// any disk and in every language's string comparison.
public struct Slug: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let text: String

    /// The longest identifier, in characters (each is one byte).
    public static let lengthMax = 64

    /// `nil` when `text` isn't of the form above.
    public init?(_ text: some StringProtocol) {
        self.init(String(text))
    }

    /// The same for a whole `String`: not generic, so that other modules get it specialised.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= Self.lengthMax,
            Self.isAlphanumeric(first),
            bytes.allSatisfy({
                Self.isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            })
        else { return nil }
        self.text = text
    }

    public var description: String { text }

    public static func < (left: Slug, right: Slug) -> Bool { left.text < right.text }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}

extension Slug: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Slug(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not an identifier"))
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

public typealias BoardID = Slug
public typealias SectionID = Slug
