import BoardModel

extension UniqueID {
    /// The identifier that stands for a short name (up to eight ASCII characters) in tests.
    static func named(_ name: String) -> UniqueID {
        UniqueID(
            high: 0x7E57_0000_0000_4000, low: name.utf8.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The short name that `named` was given.
    var name: String {
        var bytes: [UInt8] = []
        var rest = low
        while rest != 0 {
            bytes.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Slug {
    static func named(_ name: String) -> Slug {
        guard let slug = Slug(name) else { preconditionFailure("\(name) is not an identifier") }
        return slug
    }
}
