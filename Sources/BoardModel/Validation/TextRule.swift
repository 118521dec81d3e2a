/// What a text on a board may be: a label, a title, a symbol or a link.
struct TextRule {
    /// The most grapheme clusters; `nil` when only bytes count.
    var characters: Int?
    /// The most UTF-8 bytes.
    var bytes: Int

    static func label(_ limits: BoardLimits) -> TextRule {
        TextRule(characters: limits.labelCharacters, bytes: limits.labelBytes)
    }

    static func symbol(_ limits: BoardLimits) -> TextRule {
        TextRule(characters: nil, bytes: limits.symbolBytes)
    }

    func check(_ text: String, field: String) throws(BoardProblem) {
        // Bytes first: they are cheap to count, and they bound the work that follows.
        guard text.utf8.count <= bytes else {
            throw .init(reason: .limit, field: field, message: "is over \(bytes) bytes")
        }
        for scalar in text.unicodeScalars where Self.isForbidden(scalar) {
            throw .init(
                reason: .invalid, field: field,
                message: "has a control or direction character, code point \(scalar.value)")
        }
        if let characters, text.count > characters {
            throw .init(reason: .limit, field: field, message: "is over \(characters) characters")
        }
    }

    /// Control characters would break lines and logs; direction overrides make a text read as
    /// another one.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// What an icon may link to: `http`, `https`, or an app's own scheme, never one that runs code or
/// reads files where it is opened.
struct LinkRule {
    private static let barred: Set<String> = ["javascript", "data", "vbscript", "file"]

    var text: TextRule

    init(_ limits: BoardLimits) {
        text = TextRule(characters: nil, bytes: limits.linkBytes)
    }

    func check(_ link: String, field: String) throws(BoardProblem) {
        try text.check(link, field: field)
        guard let scheme = Self.scheme(of: link) else {
            throw .init(reason: .invalid, field: field, message: "is not an absolute URL")
        }
        guard !Self.barred.contains(scheme) else {
            throw .init(reason: .invalid, field: field, message: "may not be a \(scheme): URL")
        }
        let rest = link.utf8.dropFirst(scheme.utf8.count + 1)
        let isWeb = scheme == "http" || scheme == "https"
        guard !rest.isEmpty, !isWeb || rest.starts(with: "//".utf8) && rest.count > 2 else {
            throw .init(reason: .invalid, field: field, message: "names no place")
        }
        guard !rest.contains(UInt8(ascii: " ")) else {
            throw .init(reason: .invalid, field: field, message: "has a space in it")
        }
    }

    /// The scheme in lower case: a letter, then letters, digits, `+`, `-` and `.` up to a colon.
    private static func scheme(of link: String) -> String? {
        let bytes = link.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon != bytes.startIndex
        else { return nil }
        let scheme = String(link[..<colon]).lowercased()
        for (position, byte) in scheme.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                if position == 0 { return nil }
            default: return nil
            }
        }
        return scheme
    }
}
