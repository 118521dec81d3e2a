extension BoardState {
    /// What is contradictory in a state that was read; `nil` when all fits together.
    ///
    /// `icons` and `removed` are the lengths of the lists that were read, to notice repeats.
    func fault(icons iconCount: Int, removed removedCount: Int) -> String? {
        guard isWhole(revision), isWhole(lastSerial) else { return "a number out of range" }
        guard Set(sections.map(\.id)).count == sections.count else { return "a section twice" }
        guard icons.count == iconCount, removed.count == removedCount else {
            return "the data of an icon twice"
        }
        if let fault = ledgerFault ?? slotFault { return fault }
        let serials = Set(sections.flatMap { ($0.slots + $0.pins).map(\.serial) })
        let ghosts = Set(
            sections.flatMap { $0.slots.filter { !$0.isPresent }.map(\.serial) })
        guard removed.keys.allSatisfy(ghosts.contains) else {
            return "the data of a removed icon without its ghost"
        }
        let isKnown = { (want: Wanted) in
            serials.contains(want.serial) && self.isClient(want.client)
        }
        return wanted.allSatisfy(isKnown) ? nil : "a wanted slot that is not there"
    }

    private func isWhole(_ number: Int) -> Bool {
        (0...BoardLimits.wholeNumberMax).contains(number)
    }

    private func isClient(_ number: ClientNumber) -> Bool {
        number >= 1 && Int(number) <= ledger.count
    }

    private var slotFault: String? {
        var serials: Set<Int> = []
        var standing: Set<IconID> = []
        for section in sections {
            guard section.layout.columns > 0, isWhole(section.capacity ?? 0) else {
                return "section \(section.id) out of range"
            }
            for slot in section.slots + section.pins {
                guard isSound(slot), serials.insert(slot.serial).inserted else {
                    return "a slot of icon \(slot.icon) that cannot be"
                }
            }
            guard section.slots.allSatisfy({ !$0.isPresent || !$0.isPinned }),
                section.pins.allSatisfy({ $0.isPresent && icons[$0.icon]?.pinnedAt == $0.pin }),
                zip(section.pins, section.pins.dropFirst()).allSatisfy(SectionState.isBefore)
            else { return "pins of section \(section.id) that cannot be" }
            for slot in section.slots + section.pins where slot.isPresent {
                guard let icon = icons[slot.icon], standing.insert(slot.icon).inserted,
                    slot.isPinned == (icon.pinnedAt != nil)
                else { return "icon \(slot.icon) without its data, or twice" }
            }
        }
        return standing.count == icons.count ? nil : "the data of an icon without a slot"
    }

    private func isSound(_ slot: Slot) -> Bool {
        guard (1...max(lastSerial, 1)).contains(slot.serial), slot.pin >= Slot.unpinned,
            (0...revision).contains(slot.born), (0...revision).contains(slot.step),
            (0...lastSerial).contains(slot.fills), slot.pin <= BoardLimits.wholeNumberMax,
            slot.by == Slot.nobody || isClient(slot.by)
        else { return false }
        if slot.isPresent { return slot.goneBy == Slot.nobody }
        return (slot.born...revision).contains(slot.gone) && isClient(slot.goneBy)
    }

    private var ledgerFault: String? {
        var seen: Set<ClientID> = []
        for entry in ledger.entries {
            guard seen.insert(entry.id).inserted else { return "client \(entry.id) twice" }
            guard isWhole(entry.lastSeq), entry.answers.count <= entry.lastSeq,
                (-BoardLimits.wholeNumberMax...BoardLimits.wholeNumberMax).contains(entry.lastAt),
                entry.answers.allSatisfy({ (0...revision).contains($0.revision) })
            else { return "answers to client \(entry.id) that cannot be" }
            for step in entry.undo + entry.redo {
                let made =
                    switch step {
                    case .places(let made, _): made
                    case .update(let made, _, _, _): made
                    }
                guard (1...max(revision, 1)).contains(made) else {
                    return "a step of client \(entry.id) that cannot be"
                }
            }
        }
        return nil
    }
}
