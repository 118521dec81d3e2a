// What a move or a copy would do, found without doing it: the same for a proposal and a commit.

/// A move that breaks no rule.
struct MovePlan: Hashable {
    /// The members that are on the board, in the order given.
    var block: Block
    var places: [Place]
    var section: Int
    /// Where in the section's `slots` the block goes.
    var index: Int
}

/// A copy that breaks no rule.
struct CopyPlan: Hashable {
    var originals: [IconID]
    var copies: [IconID]
    var section: Int
    var index: Int
}

extension BoardState {
    func planMove(
        _ icons: [IconID], to target: Target, for sender: Sender
    ) throws(Refusal) -> MovePlan {
        let (block, places) = try standing(icons)
        let section = try targetSection(target, of: block.icons[0], for: sender)
        for (icon, place) in zip(block.icons, places) {
            if let reason = hold(on: icon, at: place) { throw Refusal(reason) }
            if sections[place.section].lift != .move { throw Refusal(.sectionLocked) }
        }
        let coming = places.count { $0.section != section }
        try checkDrop(into: section, isOwn: coming == 0)
        if coming > 0 { try checkRoom(in: section, for: coming) }
        let index = try resolve(target, in: section, for: sender, moving: block, field: "edit.to")
        return MovePlan(block: block, places: places, section: section, index: index)
    }

    /// `copies` has an identifier for each of `icons`.
    func planCopy(
        _ icons: [IconID], as copies: [IconID], to target: Target, for sender: Sender
    ) throws(Refusal) -> CopyPlan {
        let (block, places) = try standing(icons)
        let section = try namedSection(target)
        for place in places where sections[place.section].lift == .none {
            throw Refusal(.sectionLocked)
        }
        try checkDrop(into: section, isOwn: places.allSatisfy { $0.section == section })
        for place in places where sections[place.section].lift == .copy {
            if place.section == section { throw Refusal(.sectionLocked) }
        }
        guard copies.count == icons.count, !Block(copies).hasRepeats else {
            throw Refusal(.invalid, field: "edit.newIDs")
        }
        let chosen = zip(icons, copies).filter { block.contains($0.0) }.map(\.1)
        for copy in chosen where self.icons[copy] != nil {
            throw Refusal(.duplicateID, field: "edit.newIDs")
        }
        try checkRoom(in: section, for: chosen.count)
        try checkIconLimit(adding: chosen.count, field: "edit.icons")
        try checkSize(
            adding: block.icons.reduce(0) { $0 + (self.icons[$1]?.twinBytes ?? 0) },
            field: "edit.icons")
        let index = try resolve(
            target, in: section, for: sender, moving: Block([]), field: "edit.to")
        return CopyPlan(originals: block.icons, copies: chosen, section: section, index: index)
    }

    /// The members of a block that are on the board, and where.
    func standing(_ icons: [IconID]) throws(Refusal) -> (Block, [Place]) {
        guard !icons.isEmpty, !Block(icons).hasRepeats else {
            throw Refusal(.invalid, field: "edit.icons")
        }
        let present = icons.filter { self.icons[$0] != nil }
        guard !present.isEmpty else { throw Refusal(.iconGone) }
        return (Block(present), places(of: present))
    }

    /// Where icons that are on the board stand, in their order.
    func places(of icons: [IconID]) -> [Place] {
        guard icons.count > 8 else { return icons.compactMap(place) }
        var found: [IconID: Place] = [:]
        found.reserveCapacity(self.icons.count)
        for (section, state) in sections.enumerated() {
            for (index, slot) in state.slots.enumerated() where slot.isPresent {
                found[slot.icon] = Place(section: section, index: index, isPinned: false)
            }
            for (index, pin) in state.pins.enumerated() {
                found[pin.icon] = Place(section: section, index: index, isPinned: true)
            }
        }
        return icons.compactMap { found[$0] }
    }

    /// The section a target names, or else the one where the sender saw the first icon.
    private func targetSection(
        _ target: Target, of icon: IconID, for sender: Sender
    ) throws(Refusal) -> Int {
        if target.section != nil { return try namedSection(target) }
        guard let section = sectionSeen(of: icon, by: sender) ?? place(of: icon)?.section else {
            throw Refusal(.invalid, field: "edit.to.section")
        }
        return section
    }

    func namedSection(_ target: Target) throws(Refusal) -> Int {
        guard let id = target.section else { throw Refusal(.invalid, field: "edit.to.section") }
        guard let section = sectionIndex(of: id) else { throw Refusal(.sectionGone) }
        return section
    }

    /// Why an icon cannot be lifted, whatever its section allows.
    func hold(on icon: IconID, at place: Place) -> Reason? {
        if place.isPinned { return .iconPinned }
        return isLocked(icon) ? .iconLocked : nil
    }

    func checkDrop(into section: Int, isOwn: Bool) throws(Refusal) {
        switch sections[section].drop {
        case .any: return
        case .own: if isOwn { return }
        case .none: break
        }
        throw Refusal(.dropForbidden)
    }

    func checkRoom(in section: Int, for count: Int) throws(Refusal) {
        guard let capacity = sections[section].capacity else { return }
        guard sections[section].count + count <= capacity else { throw Refusal(.sectionFull) }
    }

    func checkIconLimit(adding count: Int, field: String) throws(Refusal) {
        guard icons.count + count <= limits.icons else { throw Refusal(.limit, field: field) }
    }

    /// What makes the board shorter is always allowed, also when it is over a lowered limit.
    func checkSize(adding bytes: Int, field: String) throws(Refusal) {
        guard bytes <= 0 || jsonBytes + bytes <= limits.snapshotBytes else {
            throw Refusal(.limit, field: field)
        }
    }
}
