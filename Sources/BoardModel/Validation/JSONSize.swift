// Upper bounds of the length of compact JSON texts, a few per cent above the truth. The board keeps
// their sum, so that the limit of a snapshot costs nothing to check.

extension Icon {
    /// An upper bound of the UTF-8 bytes of the icon as a JSON object.
    public var jsonBytes: Int {
        // {"id":"...36...","red":,"green":,"blue":}
        var bytes = 70
        bytes += JSONSize.of(red) + JSONSize.of(green) + JSONSize.of(blue)
        if let label { bytes += 9 + JSONSize.of(label) }
        if let symbol { bytes += 10 + JSONSize.of(symbol) }
        if let link { bytes += 8 + JSONSize.of(link) }
        if let locked { bytes += locked ? 14 : 15 }
        if let pinnedAt { bytes += 12 + JSONSize.of(pinnedAt) }
        return bytes
    }
}

extension Icon {
    /// The same for one among others, with its comma.
    var listedBytes: Int { jsonBytes + 1 }

    /// The same for a copy under another identifier, which is neither locked nor pinned.
    var twinBytes: Int { twin(id).listedBytes }

    func twin(_ id: IconID) -> Icon {
        var twin = self
        twin.id = id
        twin.locked = nil
        twin.pinnedAt = nil
        return twin
    }
}

extension Section {
    /// An upper bound of the UTF-8 bytes of the section as a JSON object, its icons included.
    public var jsonBytes: Int {
        icons.reduce(frameBytes) { $0 + $1.listedBytes }
    }

    /// The same without the icons.
    var frameBytes: Int {
        // {"id":,"title":,"layout":{"kind":"","columns":},"lift":"","drop":"","icons":[]}
        var bytes = 76 + id.text.utf8.count + 2 + JSONSize.of(title)
        bytes += layout.kind.rawValue.utf8.count + JSONSize.of(layout.columns)
        bytes += lift.rawValue.utf8.count + drop.rawValue.utf8.count
        if let capacity { bytes += 12 + JSONSize.of(capacity) }
        return bytes
    }
}

extension Board {
    /// An upper bound of the UTF-8 bytes of the board as a JSON object.
    public var jsonBytes: Int {
        let head = JSONSize.ofHead(
            id: id, title: title, epoch: epoch, presentation: presentation)
        return sections.reduce(head) { $0 + $1.jsonBytes + 1 }
    }
}

enum JSONSize {
    /// A board without its sections; the revision is reckoned at its longest, so that the size does
    /// not change with it.
    static func ofHead(
        id: BoardID, title: String, epoch: String, presentation: Presentation
    ) -> Int {
        // {"id":"","title":,"revision":,"epoch":,"presentation":{"axis":"","minimumPressMs":},
        // "sections":[]}
        115 + id.text.utf8.count + of(title) + of(epoch) + 16
            + presentation.axis.rawValue.utf8.count + of(presentation.minimumPressMs)
    }

    /// A text with its quotation marks; a slash counts twice, as some encoders escape it, and
    /// U+2028 and U+2029 (E2 80 A8, E2 80 A9) six times, as the wire's does.
    static func of(_ text: String) -> Int {
        var bytes = 2
        var last: (UInt8, UInt8) = (0, 0)
        for byte in text.utf8 {
            defer { last = (last.1, byte) }
            switch byte {
            case 0xA8, 0xA9: bytes += last == (0xE2, 0x80) ? 4 : 1
            case 0..<0x20: bytes += 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes += 2
            default: bytes += 1
            }
        }
        return bytes
    }

    static func of(_ number: Double) -> Int { number.description.utf8.count }

    static func of(_ number: Int) -> Int { number.description.utf8.count }
}
