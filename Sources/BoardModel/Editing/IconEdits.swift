extension BoardState {
    mutating func move(
        _ icons: [IconID], to target: Target, by author: Author
    ) throws(Refusal) -> Change? {
        let plan = try planMove(icons, to: target, for: author.sender)
        if changesNothing(plan) {
            want(plan.places, by: author.client)
            return nil
        }
        let touched = Set(plan.places.map(\.section)).union([plan.section]).sorted()
        let old = touched.map { sections[$0].visible }
        for place in plan.places {
            sections[place.section].slots[place.index].leave(at: author.next, by: author.client)
        }
        let block = plan.block.icons
        let slots = block.map { newSlot($0, at: author.next, by: author.client) }
        sections[plan.section].slots.insert(contentsOf: slots, at: plan.index)
        push(block, after: author.next, came: true, by: author)
        var differences = differences(in: touched, from: old, named: plan.block)
        differences.move(block)
        differences.settlePins()
        return .iconMove(moves: differences.moves)
    }

    mutating func add(
        _ icon: Icon, to target: Target, by author: Author
    ) throws(Refusal) -> Change? {
        let icon = try refusing { () throws(BoardProblem) in
            try limits.checked(icon, field: "edit.icon")
        }
        guard author.role == .owner || icon.locked != true && icon.pinnedAt == nil else {
            throw Refusal(.readOnly)
        }
        let section = try namedSection(target)
        guard icons[icon.id] == nil else { throw Refusal(.duplicateID, field: "edit.icon.id") }
        try checkDrop(into: section, isOwn: false)
        try checkRoom(in: section, for: 1)
        try checkIconLimit(adding: 1, field: "edit.icon")
        try checkSize(adding: icon.listedBytes, field: "edit.icon")
        let index = try slotIndex(ofNew: icon, to: target, in: section, by: author)
        return put([icon], in: section, at: index, by: author)
    }

    /// A pinned icon needs no place in the flow.
    private func slotIndex(
        ofNew icon: Icon, to target: Target, in section: Int, by author: Author
    ) throws(Refusal) -> Int {
        if let index = target.index, target.at == nil, index < 0 {
            throw Refusal(.invalid, field: "edit.to.index")
        }
        guard icon.pinnedAt == nil else { return 0 }
        return try resolve(
            target, in: section, for: author.sender, moving: Block([]), field: "edit.to")
    }

    mutating func copy(
        _ icons: [IconID], as copies: [IconID], to target: Target, by author: Author
    ) throws(Refusal) -> Change? {
        let plan = try planCopy(icons, as: copies, to: target, for: author.sender)
        let twins = zip(plan.originals, plan.copies).compactMap { original, copy in
            self.icons[original]?.twin(copy)
        }
        return put(twins, in: plan.section, at: plan.index, by: author)
    }

    /// Puts new icons on the board.
    private mutating func put(
        _ new: [Icon], in section: Int, at index: Int, by author: Author
    ) -> Change {
        let old = [sections[section].visible]
        var index = index
        for icon in new {
            icons[icon.id] = icon
            jsonBytes += icon.listedBytes
            var slot = newSlot(icon.id, at: author.next, by: author.client)
            if let pin = icon.pinnedAt {
                slot.pin = pin
                sections[section].addPin(slot)
            } else {
                sections[section].slots.insert(slot, at: index)
                index += 1
            }
        }
        let ids = new.map(\.id)
        push(ids, after: author.next, came: false, by: author)
        var differences = differences(in: [section], from: old, named: Block(ids))
        return addition(of: ids, &differences)
    }

    /// The change that tells of icons that came.
    func addition(of ids: [IconID], _ differences: inout Differences) -> Change {
        var adds: [IconPlacement] = []
        differences.place(ids) { id, _, position in
            if let icon = icons[id] { adds.append(IconPlacement(icon: icon, position: position)) }
        }
        differences.settlePins()
        return .iconAdd(adds: adds, moves: differences.moves)
    }

    mutating func remove(_ icons: [IconID], by author: Author) throws(Refusal) -> Change? {
        let (block, places) = try standing(icons)
        if author.role != .owner {
            for (icon, place) in zip(block.icons, places) {
                let isFree = !place.isPinned && !isLocked(icon)
                guard isFree, sections[place.section].lift != .none else {
                    throw Refusal(.readOnly)
                }
            }
        }
        push(block.icons, after: nil, came: true, by: author)
        let touched = Set(places.map(\.section)).sorted()
        let old = touched.map { sections[$0].visible }
        takeOff(block.icons, by: author)
        var differences = differences(in: touched, from: old, named: block)
        return removal(of: block.icons, &differences)
    }

    /// The change that tells of icons that went.
    func removal(of ids: [IconID], _ differences: inout Differences) -> Change {
        let removes = ids.compactMap { id in
            differences.remove(id).map { IconRemoval(icon: id, position: $0) }
        }
        differences.settlePins()
        return .iconRemove(removes: removes, moves: differences.moves)
    }

    /// Takes icons from the board; their ghosts keep their data for an undo.
    mutating func takeOff(_ block: [IconID], by author: Author) {
        // Pins first: their ghosts stand beside neighbours that may be leaving too.
        let pinned = block.filter { icons[$0]?.pinnedAt != nil }
        for id in pinned {
            guard let place = place(of: id) else { continue }
            let ghost = unpin(id, in: place.section, by: author)
            forget(id, leaving: sections[place.section].slots[ghost].serial)
        }
        let free = block.filter { icons[$0] != nil }
        for (id, place) in zip(free, places(of: free)) {
            sections[place.section].slots[place.index].leave(at: author.next, by: author.client)
            forget(id, leaving: sections[place.section].slots[place.index].serial)
        }
    }

    private mutating func forget(_ id: IconID, leaving serial: Int) {
        guard let icon = icons.removeValue(forKey: id) else { return }
        removed[serial] = icon
        jsonBytes -= icon.listedBytes
    }
}

// MARK: - What edits of icons have in common

extension BoardState {
    /// Starts the description of an edit that is done; `old` are the lists before it.
    func differences(
        in touched: [Int], from old: [[IconID]], named: Block
    ) -> Differences {
        var differences = Differences()
        for (section, list) in zip(touched, old) {
            differences.touch(sections[section].id, from: list, to: sections[section], named: named)
        }
        return differences
    }

    /// Whether the flow of the one section that a move touches stays as it is.
    private func changesNothing(_ plan: MovePlan) -> Bool {
        guard plan.places.allSatisfy({ $0.section == plan.section }) else { return false }
        let block = plan.block
        var goal = 0
        for slot in sections[plan.section].slots[..<plan.index]
        where slot.isPresent && !block.contains(slot.icon) {
            goal += 1
        }
        // It does when all members stand together already, in order, behind as many others.
        var others = 0
        var members = block.icons[...]
        for slot in sections[plan.section].slots where slot.isPresent {
            if slot.icon == members.first, others == goal {
                members.removeFirst()
            } else if block.contains(slot.icon) {
                return false
            } else {
                others += 1
            }
        }
        return members.isEmpty
    }

    /// Lets a client know the places that its move without effect asked for: what it sends next may
    /// build on them.
    private mutating func want(_ places: [Place], by client: ClientNumber) {
        for place in places {
            let slot = sections[place.section].slots[place.index]
            guard slot.by != client else { continue }
            if !slot.isWanted { sections[place.section].slots[place.index].isWanted = true }
            wanted.insert(Wanted(serial: slot.serial, client: client))
        }
    }

    private mutating func push(
        _ icons: [IconID], after step: Int?, came: Bool, by author: Author
    ) {
        let touched = icons.sorted().map {
            Step.Touched(icon: $0, after: step, came: came, wasLocked: isLocked($0))
        }
        ledger[author.client].push(
            .places(made: author.next, touched: touched), keeping: limits.undoSteps)
    }

    func refusing<Value>(
        _ body: () throws(BoardProblem) -> Value
    ) throws(Refusal) -> Value {
        do throws(BoardProblem) { return try body() } catch { throw Refusal(error) }
    }
}
