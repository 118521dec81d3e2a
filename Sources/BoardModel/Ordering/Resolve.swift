// Where a target is: an index into a section's `slots`.

extension BoardState {
    /// Resolves the target of a sender in a section: real ends, else the gap beside a neighbour the
    /// sender named, ghost or not, else the gap at an index of the list the sender saw.
    ///
    /// `field` is the path of the target, for the refusal. O(slots), for an index into an old view
    /// O(slots * ghosts).
    func resolve(
        _ target: Target, in section: Int, for sender: Sender, moving: Block, field: String
    ) throws(Refusal) -> Int {
        switch target.at {
        case .start: return 0
        case .end: return sections[section].slots.count
        case nil: break
        }
        if let after = target.after,
            let index = slotIndex(
                beside: after, isAfter: true, in: section, for: sender, moving: moving)
        {
            return index
        }
        if let before = target.before,
            let index = slotIndex(
                beside: before, isAfter: false, in: section, for: sender, moving: moving)
        {
            return index
        }
        guard let index = target.index else {
            throw sender.base < oldest ? Refusal(.staleBase) : Refusal(.invalid, field: field)
        }
        guard index >= 0 else { throw Refusal(.invalid, field: field + ".index") }
        guard sender.base >= oldest else { throw Refusal(.staleBase) }
        let view = seen(in: section, by: sender, without: moving)
        return slotIndex(at: min(index, view.count), of: view, in: section)
    }

    /// The gap beside a named neighbour; `nil` when the sender can't have seen it there.
    private func slotIndex(
        beside anchor: IconID, isAfter: Bool, in section: Int, for sender: Sender, moving: Block
    ) -> Int? {
        let state = sections[section]
        if let pin = state.pins.first(where: { $0.icon == anchor }), knows(pin, sender) {
            return slotIndex(besidePin: anchor, in: section, for: sender, moving: moving)
        }
        let since = max(sender.base, oldest)
        var best: Int?
        for (index, slot) in state.slots.enumerated()
        where slot.icon == anchor && slot.gone > since && knows(slot, sender) {
            if let best, state.slots[best].born >= slot.born { continue }
            best = index
        }
        guard let best else { return nil }
        return isAfter ? slotIndex(past: best, in: section) : best
    }

    /// A pin is no place in the flow: beside it means after the nearest unpinned icon on its left.
    private func slotIndex(
        besidePin pin: IconID, in section: Int, for sender: Sender, moving: Block
    ) -> Int? {
        let view = seen(in: section, by: sender, without: moving)
        return view.firstIndex { $0.icon == pin && $0.slot == nil }
            .map { slotIndex(at: $0, of: view, in: section) }
    }

    /// The gap that a pinned icon would have now.
    func slotIndex(besidePin pin: IconID, in section: Int) -> Int {
        slotIndex(
            besidePin: pin, in: section, for: Sender(base: revision, client: nil),
            moving: Block([])) ?? 0
    }

    /// The gap at an index of a list that the sender saw.
    private func slotIndex(at index: Int, of view: [Seen], in section: Int) -> Int {
        guard let left = view[..<index].last(where: { $0.slot != nil })?.slot else { return 0 }
        guard view[index...].contains(where: { $0.slot != nil }) else {
            return sections[section].slots.count
        }
        return slotIndex(past: left, in: section)
    }

    /// Straight after a slot: a ghost that was filled again stands for the slot that fills it.
    func slotIndex(past index: Int, in section: Int) -> Int {
        let slots = sections[section].slots
        var index = index
        while !slots[index].isPresent,
            let next = slots.firstIndex(where: { $0.fills == slots[index].serial })
        {
            index = next
        }
        return index + 1
    }
}
