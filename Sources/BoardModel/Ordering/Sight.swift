/// Who sent an edit, and the revision that was on the sender's screen.
struct Sender: Hashable, Sendable {
    var base: Int
    /// `nil` for a client the board has not heard of.
    var client: ClientNumber?
}

/// The icons of a drag or an edit, in order, quick to look up.
struct Block: Hashable, Sendable {
    let icons: [IconID]
    /// Made for long blocks only; a few identifiers are compared faster than hashed.
    private let members: Set<IconID>?

    init(_ icons: [IconID]) {
        self.icons = icons
        members = icons.count > 8 ? Set(icons) : nil
    }

    func contains(_ icon: IconID) -> Bool {
        if let members { return members.contains(icon) }
        return icons.contains(icon)
    }

    var hasRepeats: Bool {
        if let members { return members.count != icons.count }
        return icons.indices.contains { icons[..<$0].contains(icons[$0]) }
    }
}

// MARK: - What the sender saw

extension BoardState {
    /// The oldest base that can be told exactly: ghosts that left at or before it are forgotten.
    var oldest: Int { revision - limits.window }

    /// The sender knows a slot that was there at its base, that it made itself, or whose place an
    /// edit of its own without effect asked for.
    func knows(_ slot: Slot, _ sender: Sender) -> Bool {
        if slot.born <= sender.base { return true }
        guard let client = sender.client else { return false }
        return slot.by == client
            || slot.isWanted && wanted.contains(Wanted(serial: slot.serial, client: client))
    }

    /// The section in which the sender saw an icon last, as an index.
    func sectionSeen(of icon: IconID, by sender: Sender) -> Int? {
        var best: (section: Int, born: Int)?
        for section in sections.indices {
            for slot in sections[section].slots
            where slot.icon == icon && slot.gone > oldest && slot.born > best?.born ?? -1
                && knows(slot, sender)
            {
                best = (section, slot.born)
            }
            for pin in sections[section].pins
            where pin.icon == icon && pin.born > best?.born ?? -1 && knows(pin, sender) {
                best = (section, pin.born)
            }
        }
        return best?.section
    }

    /// An icon of the list that a sender saw.
    struct Seen: Hashable {
        var icon: IconID
        /// Its index in `slots`; `nil` when it was pinned.
        var slot: Int?
    }

    /// The list of a section as the sender saw it, pins included, without the moving icons.
    func seen(in section: Int, by sender: Sender, without moving: Block) -> [Seen] {
        let state = sections[section]
        let since = max(sender.base, oldest)
        var list: [Seen] = []
        list.reserveCapacity(state.slots.count)
        var pins = state.pins.filter { knows($0, sender) && !moving.contains($0.icon) }
        for (index, slot) in state.slots.enumerated() {
            guard knows(slot, sender), !moving.contains(slot.icon) else { continue }
            if !slot.isPresent {
                guard slot.gone > since, slot.goneBy != sender.client,
                    !knowsYounger(than: slot, sender)
                else { continue }
                if slot.isPinned {
                    pins.append(slot)
                    continue
                }
            }
            list.append(Seen(icon: slot.icon, slot: index))
        }
        pins.sort(by: SectionState.isBefore)
        var cursor = PinCursor()
        for pin in pins {
            let at = cursor.next(holding: pin.pin, count: list.count)
            list.insert(Seen(icon: pin.icon, slot: nil), at: at)
        }
        return list
    }

    /// Whether the sender knows a later place of the same icon.
    private func knowsYounger(than slot: Slot, _ sender: Sender) -> Bool {
        let isYounger = { (other: Slot) in
            other.icon == slot.icon && other.born > slot.born && self.knows(other, sender)
        }
        return sections.contains { section in
            section.slots.contains(where: isYounger) || section.pins.contains(where: isYounger)
        }
    }
}
