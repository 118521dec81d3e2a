extension BoardState: Codable {
    /// The version of the persisted form; raised when a reader of the old one would go wrong.
    public static let format = 1

    private enum Key: String, CodingKey {
        case format, id, title, revision, epoch, presentation, lastSerial, sections, icons
        case removed, wanted, clients
    }

    /// Writes all that decides outcomes, `limits` left out.
    ///
    /// Lists only, in a fixed order: with sorted keys, equal states give equal texts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.format, forKey: .format)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(revision, forKey: .revision)
        try container.encode(epoch, forKey: .epoch)
        try container.encode(presentation, forKey: .presentation)
        try container.encode(lastSerial, forKey: .lastSerial)
        try container.encode(sections, forKey: .sections)
        try container.encode(icons.values.sorted { $0.id < $1.id }, forKey: .icons)
        let removals = removed.map { StoredRemoval(slot: $0.key, icon: $0.value) }
        try container.encode(removals.sorted { $0.slot < $1.slot }, forKey: .removed)
        let pairs = wanted.sorted().map { [$0.serial, Int($0.client)] }
        try container.encode(pairs, forKey: .wanted)
        try container.encode(ledger.entries, forKey: .clients)
    }

    /// Reads what `encode` wrote, under the usual limits.
    ///
    /// Throws `DecodingError` for another format, and for a text that contradicts itself: a damaged
    /// board must be told from a whole one, and never be taken for a new one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let format = try container.decode(Int.self, forKey: .format)
        guard format == Self.format else {
            throw DecodingError.dataCorruptedError(
                forKey: .format, in: container,
                debugDescription: "format \(format), this version reads \(Self.format)")
        }
        id = try container.decode(BoardID.self, forKey: .id)
        title = try container.decode(String.self, forKey: .title)
        revision = try container.decode(Int.self, forKey: .revision)
        epoch = try container.decode(String.self, forKey: .epoch)
        presentation = try container.decode(Presentation.self, forKey: .presentation)
        lastSerial = try container.decode(Int.self, forKey: .lastSerial)
        sections = try container.decode([SectionState].self, forKey: .sections)
        limits = BoardLimits()
        let icons = try container.decode([Icon].self, forKey: .icons)
        self.icons = Dictionary(icons.map { ($0.id, $0) }) { first, _ in first }
        let removals = try container.decode([StoredRemoval].self, forKey: .removed)
        removed = Dictionary(removals.map { ($0.slot, $0.icon) }) { first, _ in first }
        for entry in try container.decode([ClientLedger.Entry].self, forKey: .clients) {
            ledger.append(entry)
        }
        jsonBytes = 0
        for pair in try container.decode([[Int]].self, forKey: .wanted) {
            guard pair.count == 2, let client = ClientNumber(exactly: pair[1]) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .wanted, in: container, debugDescription: "not a pair of numbers")
            }
            wanted.insert(Wanted(serial: pair[0], client: client))
        }
        if let fault = fault(icons: icons.count, removed: removals.count) {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: fault))
        }
        markWanted()
        jsonBytes = board.jsonBytes
    }

    private mutating func markWanted() {
        let serials = Set(wanted.map(\.serial))
        guard !serials.isEmpty else { return }
        for section in sections.indices {
            for index in sections[section].slots.indices
            where serials.contains(sections[section].slots[index].serial) {
                sections[section].slots[index].isWanted = true
            }
            for index in sections[section].pins.indices
            where serials.contains(sections[section].pins[index].serial) {
                sections[section].pins[index].isWanted = true
            }
        }
    }
}

/// The data of an icon that an undo may bring back.
private struct StoredRemoval: Codable {
    /// The serial of the ghost it left.
    var slot: Int
    var icon: Icon
}
