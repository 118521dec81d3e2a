import BoardModel

extension NaiveBoard {
    /// Status, revision and reason, or for a repeat what was decided.
    typealias Answer = (status: String, revision: Int, detail: String?)

    func decide(_ message: Submission) -> Answer {
        if message.seq < 1 { return ("unnumbered", revision, nil) }
        let mine = decided[message.client] ?? []
        if message.seq <= mine.count {
            let answer = mine[message.seq - 1]
            let isKept = message.seq > mine.count - 32
            return (
                "duplicate", isKept ? answer.revision : revision,
                isKept ? answer.status.rawValue : nil
            )
        }
        if message.seq > mine.count + 1 { return ("gap", revision, nil) }
        let answer = judge(message)
        let decision = Decision(rawValue: answer.status)!
        decided[message.client, default: []].append((decision, answer.revision))
        return answer
    }

    func judge(_ message: Submission) -> Answer {
        switch message.intent {
        case .refused(let reason, _): return ("rejected", revision, reason.rawValue)
        case .nothing: return ("noop", revision, nil)
        case .restore: preconditionFailure("no random edit restores")
        case .edit(let edit):
            let saved = save()
            let stacks = (undos, redos)
            do {
                let base = message.base ?? revision
                if message.role == .viewer { throw Rejected(.readOnly) }
                if base < 0 || base > revision { throw Rejected(.invalid) }
                return try apply(edit, base, message.client, message.role, saved)
            } catch {
                let reason = (error as! Rejected).reason
                let isSpent = reason == .superseded || reason == .iconGone
                restore(saved)
                if edit != .undo && edit != .redo || !isSpent { (undos, redos) = stacks }
                return ("rejected", revision, reason.rawValue)
            }
        }
    }

    func apply(
        _ edit: Edit, _ base: Int, _ client: ClientID, _ role: Role, _ saved: Saved
    ) throws -> Answer {
        let before = (sections, title)
        let next = revision + 1
        var update: (was: Icon, now: Icon)?
        switch edit {
        case .iconMove(let ids, let target): try move(ids, target, base, client, next)
        case .iconAdd(let icon, let target): try add(icon, target, base, client, role, next)
        case .iconCopy(let ids, let new, let target): try copy(ids, new, target, base, client, next)
        case .iconUpdate(let id, let set):
            if role != .owner && (set.locked != .keep || set.pinnedAt != .keep) {
                throw Rejected(.readOnly)
            }
            guard let was = icons[id] else { throw Rejected(.iconGone) }
            var now = was
            now.apply(set)
            rewrite(was, now, client, next, made: nil)
            update = (was, now)
        case .iconRemove(let ids): try remove(ids, client, role, next)
        case .undo:
            try takeBack(&undos, &redos, client, role, next, .nothingToUndo)
        case .redo:
            try takeBack(&redos, &undos, client, role, next, .nothingToRedo)
        case .sectionAdd, .sectionUpdate, .sectionMove, .sectionRemove, .boardUpdate:
            if role != .owner { throw Rejected(.readOnly) }
            try frame(edit, client, next)
        }
        if sections == before.0 && title == before.1 {
            restore(saved)
            if case .iconMove(let ids, _) = edit {
                for id in ids { if let place = find(id) { place.slot.also.insert(client) } }
            }
            if edit == .undo { redos[client]!.removeLast() }
            if edit == .redo { undos[client]!.removeLast() }
            return ("noop", revision, nil)
        }
        revision = next
        if edit != .undo && edit != .redo {
            remember(edit, client, next, update)
            redos[client] = []
        }
        return ("applied", next, nil)
    }

    func remember(
        _ edit: Edit, _ client: ClientID, _ next: Int, _ update: (was: Icon, now: Icon)?
    ) {
        switch edit {
        case .sectionAdd, .sectionUpdate, .sectionMove, .sectionRemove, .boardUpdate: return
        default: break
        }
        let all = lists.flatMap { $0.slots + $0.pins }
        let touched = Set(all.filter { $0.born == next || $0.gone == next }.map(\.icon))
        var after: [IconID: Int?] = [:]
        for id in touched { after[id] = .some(find(id)?.slot.step) }
        undos[client, default: []].append(
            Step(
                after: after, made: next,
                origins: Set(all.filter { $0.gone == next }.map(\.icon)),
                lockedBefore: touched.filter { id in
                    (icons[id] ?? all.first { $0.icon == id && $0.gone == next }?.data)?.locked
                        == true
                }, update: update))
        if undos[client]!.count > 100 { undos[client]!.removeFirst() }
    }

    // MARK: Rules

    func mayEnter(_ source: Int?, _ at: Int, _ count: Int) throws {
        let drop = lists[at].frame.drop
        if drop == .none || drop == .own && source != at { throw Rejected(.dropForbidden) }
        if source != at { try room(at, count) }
    }

    func room(_ at: Int, _ count: Int) throws {
        if let capacity = lists[at].frame.capacity, visible(at).count + count > capacity {
            throw Rejected(.sectionFull)
        }
    }

    func listIndex(_ section: SectionID?) throws -> Int {
        guard let section else { throw Rejected(.invalid) }
        guard let at = lists.firstIndex(where: { $0.frame.id == section }) else {
            throw Rejected(.sectionGone)
        }
        return at
    }

    func present(_ ids: [IconID]) throws -> [IconID] {
        if ids.isEmpty || Set(ids).count != ids.count { throw Rejected(.invalid) }
        let present = ids.filter { find($0) != nil }
        if present.isEmpty { throw Rejected(.iconGone) }
        return present
    }

    // MARK: Icons

    func move(
        _ ids: [IconID], _ target: Target, _ base: Int, _ client: ClientID, _ next: Int
    ) throws {
        let block = try present(ids)
        let named = try target.section.map { try listIndex($0) }
        let at = named ?? saw(block[0], base, client)?.at ?? find(block[0])!.at
        for id in block {
            if isPinned(id) { throw Rejected(.iconPinned) }
            if icons[id]?.locked == true { throw Rejected(.iconLocked) }
            if lists[find(id)!.at].frame.lift != .move { throw Rejected(.sectionLocked) }
        }
        let count = block.filter { find($0)!.at != at }.count
        for source in Set(block.map { find($0)!.at }) { try mayEnter(source, at, count) }
        var index = try resolve(at, target, base, client, block)
        for id in block {
            let slot = find(id)!.slot
            (slot.gone, slot.goneBy) = (next, client)
        }
        for id in block {
            lists[at].slots.insert(Slot(id, born: next, by: client, step: next), at: index)
            index += 1
        }
    }

    func add(
        _ icon: Icon, _ target: Target, _ base: Int, _ client: ClientID, _ role: Role, _ next: Int
    ) throws {
        if role != .owner && (icon.locked == true || icon.pinnedAt != nil) {
            throw Rejected(.readOnly)
        }
        let at = try listIndex(target.section)
        if find(icon.id) != nil { throw Rejected(.duplicateID) }
        try mayEnter(nil, at, 1)
        let slot = Slot(icon.id, born: next, by: client, step: next)
        slot.pin = icon.pinnedAt
        if slot.pin != nil {
            if target.at == nil, let index = target.index, index < 0 { throw Rejected(.invalid) }
            lists[at].pins.append(slot)
        } else {
            lists[at].slots.insert(slot, at: try resolve(at, target, base, client))
        }
        icons[icon.id] = icon
    }

    func copy(
        _ ids: [IconID], _ new: [IconID], _ target: Target, _ base: Int, _ client: ClientID,
        _ next: Int
    ) throws {
        let block = try present(ids)
        let at = try listIndex(target.section)
        let sources = block.map { find($0)!.at }
        if sources.contains(where: { lists[$0].frame.lift == .none }) {
            throw Rejected(.sectionLocked)
        }
        let drop = lists[at].frame.drop
        if drop == .none || drop == .own && sources.contains(where: { $0 != at }) {
            throw Rejected(.dropForbidden)
        }
        if lists[at].frame.lift == .copy && sources.contains(at) { throw Rejected(.sectionLocked) }
        if new.count != ids.count || Set(new).count != new.count { throw Rejected(.invalid) }
        let pairs = zip(ids, new).filter { find($0.0) != nil }
        if pairs.contains(where: { find($0.1) != nil }) { throw Rejected(.duplicateID) }
        try room(at, pairs.count)
        var index = try resolve(at, target, base, client)
        for (original, id) in pairs {
            var icon = icons[original]!
            (icon.id, icon.locked, icon.pinnedAt) = (id, nil, nil)
            icons[id] = icon
            lists[at].slots.insert(Slot(id, born: next, by: client, step: next), at: index)
            index += 1
        }
    }

    func remove(
        _ ids: [IconID], _ client: ClientID, _ role: Role, _ next: Int
    ) throws {
        let block = try present(ids)
        for id in block where role != .owner {
            if isPinned(id) || icons[id]?.locked == true { throw Rejected(.readOnly) }
            if lists[find(id)!.at].frame.lift == .none { throw Rejected(.readOnly) }
        }
        takeOff(block, client, next)
    }

    func takeOff(_ block: [IconID], _ client: ClientID, _ next: Int) {
        for id in block where isPinned(id) { takeOff(id, client, next) }
        for id in block where find(id) != nil { takeOff(id, client, next) }
    }

    func takeOff(_ id: IconID, _ client: ClientID, _ next: Int) {
        let slot = leave(id, client, next)
        slot.data = icons[id]
        icons[id] = nil
    }

    /// Makes a ghost of an icon's slot; a pin's ghost stands after the nearest unpinned icon on its
    /// left.
    @discardableResult
    func leave(_ id: IconID, _ client: ClientID, _ next: Int) -> Slot {
        let (at, slot) = find(id)!
        if slot.pin != nil {
            let view = visible(at)
            let flow = lists[at].slots.filter { $0.gone == nil }
            let pins = lists[at].pins.map(\.icon)
            let index = beside(at, flow, view, pins, view.firstIndex(of: id)!)
            lists[at].pins.removeAll { $0 === slot }
            lists[at].slots.insert(slot, at: index)
            slot.fills = nil
        }
        (slot.gone, slot.goneBy) = (next, client)
        return slot
    }

    func rewrite(
        _ was: Icon, _ now: Icon, _ client: ClientID, _ next: Int, made: Int?
    ) {
        var now = now
        // To say no in other words changes nothing.
        if (was.locked ?? false) == (now.locked ?? false), same(was, now) {
            now.locked = was.locked
        }
        icons[now.id] = now
        if was.pinnedAt == now.pinnedAt { return }
        let at = find(now.id)!.at
        let origin = lists[at].slots.first {
            $0.icon == now.id && made != nil && $0.gone == made && $0.gone! > oldest
                && ($0.pin != nil) == (now.pinnedAt != nil)
        }
        let left = leave(now.id, client, next)
        let slot = Slot(now.id, born: next, by: client, step: origin?.step ?? next)
        if let pin = now.pinnedAt {
            slot.pin = pin
            lists[at].pins.append(slot)
        } else {
            let ghost = origin ?? left
            slot.fills = ghost
            lists[at].slots.insert(slot, at: lists[at].slots.firstIndex { $0 === ghost }! + 1)
        }
    }

    func same(_ one: Icon, _ other: Icon) -> Bool {
        var other = other
        other.locked = one.locked
        return one == other
    }

    // MARK: Sections

    func frame(_ edit: Edit, _ client: ClientID, _ next: Int) throws {
        switch edit {
        case .sectionAdd(let section, let before):
            if lists.contains(where: { $0.frame.id == section.id }) { throw Rejected(.duplicateID) }
            if section.icons.contains(where: { find($0.id) != nil }) {
                throw Rejected(.duplicateID)
            }
            if Set(section.icons.map(\.id)).count < section.icons.count {
                throw Rejected(.duplicateID)
            }
            let gap = try before.map { try listIndex($0) } ?? lists.count
            lists.insert(list(of: section, by: client, born: next), at: gap)
        case .sectionUpdate(let id, let set):
            lists[try listIndex(id)].frame.apply(set)
        case .sectionMove(let id, let before):
            let at = try listIndex(id)
            if let before, before != id {
                _ = try listIndex(before)
                let list = lists.remove(at: at)
                lists.insert(list, at: try listIndex(before))
            } else if before == nil {
                lists.append(lists.remove(at: at))
            }
        case .sectionRemove(let id):
            let at = try listIndex(id)
            if !visible(at).isEmpty { throw Rejected(.sectionNotEmpty) }
            lists.remove(at: at)
        case .boardUpdate(let set): title = set.title ?? title
        default: break
        }
    }
}
