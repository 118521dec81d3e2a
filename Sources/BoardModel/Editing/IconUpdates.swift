extension BoardState {
    mutating func update(
        _ id: IconID, _ patch: IconPatch, by author: Author
    ) throws(Refusal) -> Change? {
        let patch = try refusing { () throws(BoardProblem) in
            try limits.checked(patch, field: "edit.set")
        }
        guard author.role == .owner || !patch.needsOwner else { throw Refusal(.readOnly) }
        guard let old = icons[id] else { throw Refusal(.iconGone) }
        var new = old
        new.apply(patch)
        let (was, now) = IconPatch.differences(from: old, to: new)
        guard !now.isEmpty else { return nil }
        try checkSize(adding: new.jsonBytes - old.jsonBytes, field: "edit.set")
        let step = Step.update(made: author.next, icon: id, was: was, now: now)
        ledger[author.client].push(step, keeping: limits.undoSteps)
        let moves = rewrite(old, as: new, leftAt: nil, by: author)
        return .iconUpdate(icon: id, set: patch, moves: moves)
    }

    /// Gives an icon its new data and, when its pin changes, its new place.
    ///
    /// `leftAt`: the revision of the update that this takes back; the ghost left then shows where
    /// the icon goes, as long as it is not forgotten.
    mutating func rewrite(
        _ old: Icon, as new: Icon, leftAt made: Int?, by author: Author
    ) -> [IconMove] {
        icons[new.id] = new
        jsonBytes += new.jsonBytes - old.jsonBytes
        guard old.pinnedAt != new.pinnedAt, let place = place(of: new.id) else { return [] }
        let list = [sections[place.section].visible]
        let origin = made.flatMap { ghost(of: new.id, leftAt: $0, in: place.section) }
        let left: Int
        if place.isPinned {
            left = unpin(new.id, in: place.section, by: author)
        } else {
            left = place.index
            sections[place.section].slots[left].leave(at: author.next, by: author.client)
        }
        // A ghost of the other kind is no place to go back to.
        let isHome = origin.map { $0.isPinned == (new.pinnedAt != nil) } ?? false
        let filled = isHome ? origin : sections[place.section].slots[left]
        var slot = newSlot(
            new.id, at: author.next, by: author.client, step: isHome ? filled?.step : nil)
        if let pin = new.pinnedAt {
            slot.pin = pin
            sections[place.section].addPin(slot)
        } else if let filled, let index = sections[place.section].slotIndex(serial: filled.serial) {
            slot.fills = filled.serial
            sections[place.section].slots.insert(slot, at: index + 1)
        }
        let named = Block([new.id])
        var differences = differences(in: [place.section], from: list, named: named)
        differences.move(named.icons)
        differences.settlePins()
        return differences.moves.filter { $0.from != $0.to }
    }

    /// The place that an icon left at a revision, as long as it is remembered.
    private func ghost(of icon: IconID, leftAt made: Int, in section: Int) -> Slot? {
        guard made > oldest else { return nil }
        return sections[section].slots.first { $0.icon == icon && $0.gone == made }
    }

    /// Takes a pin out and leaves its ghost in the flow, after the nearest unpinned icon on its
    /// left; its index there. For whoever sees the icon pinned yet, the ghost is the pin.
    mutating func unpin(_ icon: IconID, in section: Int, by author: Author) -> Int {
        let index = slotIndex(besidePin: icon, in: section)
        guard let pin = sections[section].pinIndex(of: icon) else { return index }
        var ghost = sections[section].pins.remove(at: pin)
        ghost.leave(at: author.next, by: author.client)
        ghost.fills = 0
        sections[section].slots.insert(ghost, at: index)
        return index
    }
}

extension IconPatch {
    /// Only an owner locks and pins.
    var needsOwner: Bool { !locked.isKeep || !pinnedAt.isKeep }

    var isEmpty: Bool { self == IconPatch() }

    /// The fields in which two versions of an icon differ, with the values of each.
    static func differences(from old: Icon, to new: Icon) -> (was: IconPatch, now: IconPatch) {
        var was = IconPatch()
        var now = IconPatch()
        if old.red != new.red { (was.red, now.red) = (old.red, new.red) }
        if old.green != new.green { (was.green, now.green) = (old.green, new.green) }
        if old.blue != new.blue { (was.blue, now.blue) = (old.blue, new.blue) }
        if old.label != new.label { (was.label, now.label) = (.init(old.label), .init(new.label)) }
        if old.symbol != new.symbol {
            (was.symbol, now.symbol) = (.init(old.symbol), .init(new.symbol))
        }
        if old.link != new.link { (was.link, now.link) = (.init(old.link), .init(new.link)) }
        // Absent and false mean the same.
        if (old.locked ?? false) != (new.locked ?? false) {
            (was.locked, now.locked) = (.init(old.locked), .init(new.locked))
        }
        if old.pinnedAt != new.pinnedAt {
            (was.pinnedAt, now.pinnedAt) = (.init(old.pinnedAt), .init(new.pinnedAt))
        }
        return (was, now)
    }

    /// Without the fields in which `icon` is not as `expected` any more.
    func restricted(to expected: IconPatch, in icon: Icon) -> IconPatch {
        var current = icon
        current.apply(expected)
        let (_, lost) = IconPatch.differences(from: icon, to: current)
        var patch = self
        if lost.red != nil { patch.red = nil }
        if lost.green != nil { patch.green = nil }
        if lost.blue != nil { patch.blue = nil }
        if !lost.label.isKeep { patch.label = .keep }
        if !lost.symbol.isKeep { patch.symbol = .keep }
        if !lost.link.isKeep { patch.link = .keep }
        if !lost.locked.isKeep { patch.locked = .keep }
        if !lost.pinnedAt.isKeep { patch.pinnedAt = .keep }
        return patch
    }
}

extension Icon {
    /// Sets the fields that a patch names.
    public mutating func apply(_ patch: IconPatch) {
        if let red = patch.red { self.red = red }
        if let green = patch.green { self.green = green }
        if let blue = patch.blue { self.blue = blue }
        label = patch.label.applied(to: label)
        symbol = patch.symbol.applied(to: symbol)
        link = patch.link.applied(to: link)
        locked = patch.locked.applied(to: locked)
        pinnedAt = patch.pinnedAt.applied(to: pinnedAt)
    }
}
