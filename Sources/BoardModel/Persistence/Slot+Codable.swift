extension Slot: Codable {
    private enum Key: String, CodingKey {
        case icon, serial, born, step, gone, fills, pin, by, goneBy
    }

    /// What is as in most slots is left out; that a slot is wanted is kept with the board.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(icon, forKey: .icon)
        try container.encode(serial, forKey: .serial)
        try container.encode(born, forKey: .born)
        if step != born { try container.encode(step, forKey: .step) }
        if by != Slot.nobody { try container.encode(by, forKey: .by) }
        if !isPresent {
            try container.encode(gone, forKey: .gone)
            try container.encode(goneBy, forKey: .goneBy)
        }
        if fills != 0 { try container.encode(fills, forKey: .fills) }
        if isPinned { try container.encode(pin, forKey: .pin) }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let born = try container.decode(Int.self, forKey: .born)
        self.init(
            icon: try container.decode(IconID.self, forKey: .icon),
            serial: try container.decode(Int.self, forKey: .serial), born: born,
            by: try container.decodeIfPresent(ClientNumber.self, forKey: .by) ?? Slot.nobody,
            step: try container.decodeIfPresent(Int.self, forKey: .step) ?? born)
        gone = try container.decodeIfPresent(Int.self, forKey: .gone) ?? Slot.present
        goneBy = try container.decodeIfPresent(ClientNumber.self, forKey: .goneBy) ?? Slot.nobody
        fills = try container.decodeIfPresent(Int.self, forKey: .fills) ?? 0
        pin = try container.decodeIfPresent(Int.self, forKey: .pin) ?? Slot.unpinned
    }
}
