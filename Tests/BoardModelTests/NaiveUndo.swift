import BoardModel

extension NaiveBoard {
    // Undo and redo.

    func takeBack(
        _ stack: inout [ClientID: [Step]], _ other: inout [ClientID: [Step]], _ client: ClientID,
        _ role: Role, _ next: Int, _ empty: Reason
    ) throws {
        guard let step = stack[client]?.popLast() else { throw Rejected(empty) }
        let opposite =
            try step.update.map {
                try takeBack($0, step.made, client, role, next)
            } ?? takeBack(step, client, role, next)
        other[client, default: []].append(opposite)
    }

    func takeBack(
        _ update: (was: Icon, now: Icon), _ made: Int, _ client: ClientID, _ role: Role, _ next: Int
    ) throws -> Step {
        let (was, mine) = update
        guard let current = icons[mine.id] else { throw Rejected(.iconGone) }
        var now = current
        func back<Value: Equatable>(_ field: WritableKeyPath<Icon, Value>) {
            if was[keyPath: field] != mine[keyPath: field],
                current[keyPath: field] == mine[keyPath: field]
            {
                now[keyPath: field] = was[keyPath: field]
            }
        }
        back(\.red)
        back(\.green)
        back(\.blue)
        back(\.label)
        back(\.symbol)
        back(\.link)
        back(\.pinnedAt)
        if (was.locked ?? false) != (mine.locked ?? false),
            (current.locked ?? false) == (mine.locked ?? false)
        {
            now.locked = was.locked
        }
        if now == current { throw Rejected(.superseded) }
        if role != .owner, now.locked != current.locked || now.pinnedAt != current.pinnedAt {
            throw Rejected(.readOnly)
        }
        rewrite(current, now, client, next, made: made)
        return Step(
            after: [:], made: next, origins: [], lockedBefore: [], update: (current, now))
    }

    func takeBack(
        _ step: Step, _ client: ClientID, _ role: Role, _ next: Int
    ) throws -> Step {
        let touched = step.after.keys.sorted()
        let left = touched.filter { step.after[$0]! != nil }
        let stands = { (id: IconID) in self.find(id)?.slot.step == step.after[id]! }
        if left.contains(where: { find($0) == nil }) { throw Rejected(.iconGone) }
        if left.contains(where: { isPinned($0) && !stands($0) }) { throw Rejected(.iconPinned) }
        if !touched.allSatisfy(stands) { throw Rejected(.superseded) }
        var homes: [IconID: (at: Int, ghost: Slot)] = [:]
        for at in lists.indices {
            for slot in lists[at].slots
            where touched.contains(slot.icon) && slot.gone == step.made && step.made > oldest {
                homes[slot.icon] = (at, slot)
            }
        }
        if Set(homes.keys) != step.origins { throw Rejected(.superseded) }
        for id in left where icons[id]?.locked == true && !step.lockedBefore.contains(id) {
            throw Rejected(.iconLocked)
        }
        for id in left where role != .owner && homes[id] == nil {
            if isPinned(id) || icons[id]?.locked == true { throw Rejected(.readOnly) }
        }
        for at in lists.indices {
            let coming = homes.filter { $0.value.at == at && find($0.key)?.at != at }
            if !coming.isEmpty { try room(at, coming.count) }
        }
        var after: [IconID: Int?] = [:]
        for id in touched {
            after[id] = .some(homes[id]?.ghost.step)
            if homes[id] != nil && find(id) != nil { leave(id, client, next) }
        }
        takeOff(left.filter { homes[$0] == nil }, client, next)
        for id in touched {
            guard let home = homes[id] else { continue }
            let slot = Slot(id, born: next, by: client, step: home.ghost.step)
            slot.fills = home.ghost
            slot.pin = home.ghost.pin
            let index = lists[home.at].slots.firstIndex { $0 === home.ghost }!
            if slot.pin == nil {
                lists[home.at].slots.insert(slot, at: index + 1)
            } else {
                lists[home.at].pins.append(slot)
            }
            if icons[id] == nil { icons[id] = home.ghost.data }
        }
        return Step(
            after: after, made: next, origins: Set(left),
            lockedBefore: Set(touched.filter { icons[$0]?.locked == true }), update: nil)
    }
}
