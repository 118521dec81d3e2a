extension ClientLedger.Entry: Codable {
    private enum Key: String, CodingKey {
        case id, lastSeq, lastAt, answers, undo, redo
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        guard lastSeq > 0 else { return }
        try container.encode(lastSeq, forKey: .lastSeq)
        try container.encode(lastAt, forKey: .lastAt)
        try container.encode(answers, forKey: .answers)
        if !undo.isEmpty { try container.encode(undo, forKey: .undo) }
        if !redo.isEmpty { try container.encode(redo, forKey: .redo) }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(id: try container.decode(ClientID.self, forKey: .id))
        lastSeq = try container.decodeIfPresent(Int.self, forKey: .lastSeq) ?? 0
        lastAt = try container.decodeIfPresent(Int.self, forKey: .lastAt) ?? 0
        answers = try container.decodeIfPresent([ClientLedger.Answer].self, forKey: .answers) ?? []
        undo = try container.decodeIfPresent([Step].self, forKey: .undo) ?? []
        redo = try container.decodeIfPresent([Step].self, forKey: .redo) ?? []
    }
}

extension Step: Codable {
    private enum Key: String, CodingKey {
        case made, touched, icon, was, now
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .places(let made, let touched):
            try container.encode(made, forKey: .made)
            try container.encode(touched, forKey: .touched)
        case .update(let made, let icon, let was, let now):
            try container.encode(made, forKey: .made)
            try container.encode(icon, forKey: .icon)
            try container.encode(StoredPatch(patch: was), forKey: .was)
            try container.encode(StoredPatch(patch: now), forKey: .now)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let made = try container.decode(Int.self, forKey: .made)
        if container.contains(.touched) {
            self = .places(
                made: made, touched: try container.decode([Touched].self, forKey: .touched))
        } else {
            self = .update(
                made: made, icon: try container.decode(IconID.self, forKey: .icon),
                was: try container.decode(StoredPatch.self, forKey: .was).patch,
                now: try container.decode(StoredPatch.self, forKey: .now).patch)
        }
    }
}

/// A patch of an icon as JSON: a field that is left out is kept, `null` clears it.
private struct StoredPatch: Codable {
    var patch: IconPatch

    private enum Key: String, CodingKey {
        case red, green, blue, label, symbol, link, locked, pinnedAt
    }

    init(patch: IconPatch) {
        self.patch = patch
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(patch.red, forKey: .red)
        try container.encodeIfPresent(patch.green, forKey: .green)
        try container.encodeIfPresent(patch.blue, forKey: .blue)
        try container.encode(patch.label, forKey: .label)
        try container.encode(patch.symbol, forKey: .symbol)
        try container.encode(patch.link, forKey: .link)
        try container.encode(patch.locked, forKey: .locked)
        try container.encode(patch.pinnedAt, forKey: .pinnedAt)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        patch = IconPatch()
        patch.red = try container.decodeIfPresent(Double.self, forKey: .red)
        patch.green = try container.decodeIfPresent(Double.self, forKey: .green)
        patch.blue = try container.decodeIfPresent(Double.self, forKey: .blue)
        patch.label = try container.change(forKey: .label)
        patch.symbol = try container.change(forKey: .symbol)
        patch.link = try container.change(forKey: .link)
        patch.locked = try container.change(forKey: .locked)
        patch.pinnedAt = try container.change(forKey: .pinnedAt)
    }
}

extension KeyedEncodingContainer {
    fileprivate mutating func encode<Value: Encodable>(
        _ change: FieldChange<Value>, forKey key: Key
    ) throws {
        switch change {
        case .keep: break
        case .clear: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}

extension KeyedDecodingContainer {
    fileprivate func change<Value: Decodable>(forKey key: Key) throws -> FieldChange<Value> {
        guard contains(key) else { return .keep }
        if try decodeNil(forKey: key) { return .clear }
        return .set(try decode(Value.self, forKey: key))
    }
}
