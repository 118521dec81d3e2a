// Undo and redo are one thing: to put every icon of a step back where it was before the step.

extension BoardState {
    typealias Stack = WritableKeyPath<ClientLedger.Entry, [Step]>

    /// Takes back the newest step of one stack, and puts its opposite on the other.
    mutating func takeBack(
        _ stack: Stack, _ other: Stack, orThrow empty: Reason, by author: Author
    ) throws(Refusal) -> Change? {
        guard let step = ledger[author.client][keyPath: stack].last else { throw Refusal(empty) }
        do throws(Refusal) {
            let result = try takeBack(step, by: author)
            ledger[author.client][keyPath: stack].removeLast()
            guard let (change, opposite) = result else { return nil }
            ledger[author.client][keyPath: other].append(opposite)
            return change
        } catch {
            // What stands elsewhere by now will never be back by itself: the step is spent.
            if error.reason == .superseded || error.reason == .iconGone {
                ledger[author.client][keyPath: stack].removeLast()
            }
            throw error
        }
    }

    private mutating func takeBack(
        _ step: Step, by author: Author
    ) throws(Refusal) -> (Change, Step)? {
        switch step {
        case .places(let made, let touched):
            let plan = try planReturn(of: touched, made: made, role: author.role)
            return putBack(plan, by: author)
        case .update(let made, let icon, let was, let now):
            return try restore(icon, was, from: now, made: made, by: author)
        }
    }

    /// Gives an icon back the fields that still have the value that the step gave them.
    private mutating func restore(
        _ id: IconID, _ was: IconPatch, from now: IconPatch, made: Int, by author: Author
    ) throws(Refusal) -> (Change, Step) {
        guard let old = icons[id] else { throw Refusal(.iconGone) }
        let set = was.restricted(to: now, in: old)
        guard !set.isEmpty else { throw Refusal(.superseded) }
        guard author.role == .owner || !set.needsOwner else { throw Refusal(.readOnly) }
        var new = old
        new.apply(set)
        let (before, after) = IconPatch.differences(from: old, to: new)
        try checkSize(adding: new.jsonBytes - old.jsonBytes, field: "edit")
        let moves = rewrite(old, as: new, leftAt: made, by: author)
        return (
            .iconUpdate(icon: id, set: set, moves: moves),
            .update(made: author.next, icon: id, was: before, now: after)
        )
    }
}

// MARK: - Icons that came, went or moved

/// A step that can be taken back.
private struct ReturnPlan {
    struct Member {
        var touched: Step.Touched
        /// Where it stands; `nil` when it is off the board.
        var place: Place?
        /// The place it came from; `nil` when it came from nowhere.
        var home: Home?
    }

    struct Home {
        var section: Int
        var ghost: Slot
    }

    var members: [Member]

    var sections: Set<Int> {
        Set(members.compactMap(\.place?.section)).union(members.compactMap(\.home?.section))
    }
}

extension BoardState {
    private func planReturn(
        of touched: [Step.Touched], made: Int, role: Role
    ) throws(Refusal) -> ReturnPlan {
        let homes = homes(of: touched, made: made)
        let members = touched.map {
            ReturnPlan.Member(
                touched: $0, place: icons[$0.icon] == nil ? nil : place(of: $0.icon),
                home: homes[$0.icon])
        }
        try checkStanding(members)
        for member in members where (member.home != nil) != member.touched.came {
            throw Refusal(.superseded)
        }
        try checkLocks(members, role: role)
        try checkRoom(for: members)
        return ReturnPlan(members: members)
    }

    /// The ghosts that were left at a revision, as long as they are remembered.
    private func homes(of touched: [Step.Touched], made: Int) -> [IconID: ReturnPlan.Home] {
        guard made > oldest else { return [:] }
        let block = Block(touched.map(\.icon))
        var homes: [IconID: ReturnPlan.Home] = [:]
        for section in sections.indices {
            for slot in sections[section].slots
            where slot.gone == made && block.contains(slot.icon) {
                homes[slot.icon] = ReturnPlan.Home(section: section, ghost: slot)
            }
        }
        return homes
    }

    /// Every icon must stand where the step put it.
    private func checkStanding(_ members: [ReturnPlan.Member]) throws(Refusal) {
        let left = members.filter { $0.touched.after != nil }
        guard left.allSatisfy({ $0.place != nil }) else { throw Refusal(.iconGone) }
        let stands = { (member: ReturnPlan.Member) in
            member.place.map { self.slot(at: $0).step } == member.touched.after
        }
        for member in left where member.place?.isPinned == true && !stands(member) {
            throw Refusal(.iconPinned)
        }
        guard members.allSatisfy(stands) else { throw Refusal(.superseded) }
    }

    private func checkLocks(
        _ members: [ReturnPlan.Member], role: Role
    ) throws(Refusal) {
        for member in members where member.place != nil && isLocked(member.touched.icon) {
            guard member.touched.wasLocked else { throw Refusal(.iconLocked) }
        }
        guard role != .owner else { return }
        for member in members where member.home == nil {
            guard let place = member.place else { continue }
            if place.isPinned || isLocked(member.touched.icon) { throw Refusal(.readOnly) }
        }
    }

    private func checkRoom(for members: [ReturnPlan.Member]) throws(Refusal) {
        let coming = members.filter { $0.home != nil && $0.home?.section != $0.place?.section }
        for section in Set(coming.compactMap(\.home?.section)).sorted() {
            try checkRoom(in: section, for: coming.count { $0.home?.section == section })
        }
        let new = coming.filter { $0.place == nil }.compactMap { $0.home?.ghost.serial }
        guard !new.isEmpty else { return }
        guard new.allSatisfy({ removed[$0] != nil }) else { throw Refusal(.superseded) }
        try checkIconLimit(adding: new.count, field: "edit")
        let bytes = new.reduce(0) { $0 + (removed[$1]?.listedBytes ?? 0) }
        try checkSize(adding: bytes, field: "edit")
        let placeBytes = Slug.lengthMax + 48
        guard bytes + new.count * placeBytes <= limits.eventBytes else {
            throw Refusal(.limit, field: "edit")
        }
    }

    /// Does what was planned; `nil` when that makes no difference.
    private mutating func putBack(
        _ plan: ReturnPlan, by author: Author
    ) -> (Change, Step)? {
        let touched = plan.sections.sorted()
        let before = touched.map { sections[$0] }
        let old = before.map(\.visible)
        let members = plan.members
        let leaving = members.filter { $0.place != nil && $0.home == nil }
        takeOff(leaving.map(\.touched.icon), by: author)
        for member in members where member.home != nil {
            if let place = member.place {
                sections[place.section].slots[place.index].leave(
                    at: author.next, by: author.client)
            }
        }
        for member in members { fill(member, by: author) }
        if touched.map({ sections[$0].visible }) == old {
            for (section, state) in zip(touched, before) { sections[section] = state }
            return nil
        }
        let opposite = Step.places(
            made: author.next,
            touched: members.map {
                Step.Touched(
                    icon: $0.touched.icon, after: $0.home?.ghost.step,
                    came: $0.touched.after != nil, wasLocked: isLocked($0.touched.icon))
            })
        return (change(of: plan, from: old, in: touched), opposite)
    }

    /// Puts one icon back into the ghost that it left.
    private mutating func fill(_ member: ReturnPlan.Member, by author: Author) {
        guard let home = member.home,
            let index = sections[home.section].slotIndex(serial: home.ghost.serial)
        else { return }
        let id = member.touched.icon
        var slot = newSlot(id, at: author.next, by: author.client, step: home.ghost.step)
        slot.fills = home.ghost.serial
        slot.pin = home.ghost.pin
        if slot.isPinned {
            sections[home.section].addPin(slot)
        } else {
            sections[home.section].slots.insert(slot, at: index + 1)
        }
        guard member.place == nil, let icon = removed.removeValue(forKey: home.ghost.serial)
        else { return }
        icons[id] = icon
        jsonBytes += icon.listedBytes
    }

    private func change(of plan: ReturnPlan, from old: [[IconID]], in touched: [Int]) -> Change {
        let ids = plan.members.map(\.touched.icon)
        var differences = differences(in: touched, from: old, named: Block(ids))
        // The icons of a step all came, all went, or all moved.
        if plan.members.allSatisfy({ $0.home == nil }) { return removal(of: ids, &differences) }
        if plan.members.allSatisfy({ $0.place == nil }) { return addition(of: ids, &differences) }
        differences.move(ids)
        differences.settlePins()
        return .iconMove(moves: differences.moves)
    }
}
