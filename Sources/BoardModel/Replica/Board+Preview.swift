// What an edit will most likely do, shown before the board has decided it. Rules that need no
// history are kept; an edit that breaks one is not shown.

extension Board {
    mutating func preview(_ edit: Edit) {
        switch edit {
        case .iconMove(let icons, let target): previewMove(icons, to: target)
        case .iconAdd(let icon, let target):
            guard place(of: icon.id) == nil else { return }
            previewNew([icon], to: target, isOwn: false)
        case .iconCopy(let icons, let copies, let target):
            previewCopy(icons, as: copies, to: target)
        case .iconUpdate(let icon, let set): previewUpdate(icon, set)
        case .iconRemove(let icons): take(icons)
        case .sectionAdd(let section, let before):
            guard index(of: section.id) == nil, let gap = gap(before: before) else { return }
            sections.insert(section, at: gap)
        case .sectionUpdate(let section, let set):
            if let index = index(of: section) { sections[index].apply(set) }
        case .sectionMove(let section, let before):
            guard let from = index(of: section), let gap = gap(before: before) else { return }
            sections.insert(sections.remove(at: from), at: gap > from ? gap - 1 : gap)
        case .sectionRemove(let section):
            guard let index = index(of: section), sections[index].icons.isEmpty else { return }
            sections.remove(at: index)
        case .boardUpdate(let set):
            title = set.title ?? title
            presentation.apply(set)
        case .undo, .redo: return
        }
    }

    private mutating func previewMove(_ ids: [IconID], to target: Target) {
        let present = ids.compactMap { id in place(of: id).map { (id, $0) } }
        guard let home = present.first?.1.section else { return }
        guard let section = target.section.map(index) ?? home else { return }
        for (_, place) in present {
            let icon = sections[place.section].icons[place.index]
            guard icon.pinnedAt == nil, icon.locked != true,
                sections[place.section].lift == .move
            else { return }
        }
        let coming = present.count { $0.1.section != section }
        guard sections[section].admits(coming, isOwn: coming == 0) else { return }
        let block = take(present.map(\.0))
        sections[section].insert(block, at: sections[section].gap(target))
    }

    private mutating func previewCopy(_ ids: [IconID], as copies: [IconID], to target: Target) {
        var twins: [Icon] = []
        var isOwn = true
        for (id, copy) in zip(ids, copies) {
            guard let place = place(of: id) else { continue }
            let source = sections[place.section]
            guard source.lift == .move || source.lift == .copy && source.id != target.section,
                self.place(of: copy) == nil
            else { return }
            twins.append(source.icons[place.index].twin(copy))
            isOwn = isOwn && source.id == target.section
        }
        previewNew(twins, to: target, isOwn: isOwn)
    }

    private mutating func previewNew(_ icons: [Icon], to target: Target, isOwn: Bool) {
        guard let section = target.section.flatMap(index),
            sections[section].admits(icons.count, isOwn: isOwn)
        else { return }
        sections[section].insert(icons, at: sections[section].gap(target))
    }

    private mutating func previewUpdate(_ id: IconID, _ set: IconPatch) {
        guard let place = place(of: id) else { return }
        let old = sections[place.section].icons[place.index]
        var icon = old
        icon.apply(set)
        guard !IconPatch.differences(from: old, to: icon).now.isEmpty else { return }
        guard icon.pinnedAt != old.pinnedAt else {
            sections[place.section].icons[place.index] = icon
            return
        }
        let gap = sections[place.section].icons[..<place.index].count { $0.pinnedAt == nil }
        take([id])
        sections[place.section].insert([icon], at: gap)
    }

    /// Takes icons out of their lists; those found, in the order given.
    @discardableResult
    private mutating func take(_ ids: [IconID]) -> [Icon] {
        var taken: [Icon] = []
        for id in ids {
            guard let place = place(of: id) else { continue }
            taken.append(sections[place.section].icons[place.index])
            sections[place.section].remove([id])
        }
        return taken
    }

    private func gap(before section: SectionID?) -> Int? {
        section.map(index) ?? sections.count
    }
}

extension Section {
    /// Whether as many icons may come in.
    func admits(_ count: Int, isOwn: Bool) -> Bool {
        guard drop == .any || drop == .own && isOwn else { return false }
        guard let capacity, count > 0 else { return true }
        return icons.count + count <= capacity
    }

    /// Takes icons out; pinned ones hold their index.
    mutating func remove(_ ids: [IconID]) {
        let block = Block(ids)
        icons.removeAll { block.contains($0.id) }
        arrange()
    }

    /// Puts icons in at a gap of the flow, pinned ones to their index.
    mutating func insert(_ block: [Icon], at gap: Int) {
        var flow = icons.filter { $0.pinnedAt == nil }
        flow.insert(contentsOf: block.filter { $0.pinnedAt == nil }, at: min(gap, flow.count))
        icons = flow + (icons + block).filter { $0.pinnedAt != nil }
        arrange()
    }

    /// Puts pinned icons to the index they hold; of equal ones the first in the list is the eldest.
    mutating func arrange() {
        guard icons.contains(where: { $0.pinnedAt != nil }) else { return }
        var list = icons.filter { $0.pinnedAt == nil }
        let pins = icons.enumerated().filter { $0.element.pinnedAt != nil }
            .sorted {
                ($0.element.pinnedAt ?? 0, $0.offset) < ($1.element.pinnedAt ?? 0, $1.offset)
            }
        var cursor = PinCursor()
        for (_, pin) in pins {
            list.insert(pin, at: cursor.next(holding: pin.pinnedAt ?? 0, count: list.count))
        }
        icons = list
    }

    /// The gap of the flow that a target means in this list; the end when it names nothing here.
    func gap(_ target: Target) -> Int {
        let unpinned = { (list: ArraySlice<Icon>) in list.count { $0.pinnedAt == nil } }
        switch target.at {
        case .start: return 0
        case .end: return unpinned(icons[...])
        case nil: break
        }
        if let after = icons.firstIndex(where: { $0.id == target.after }) {
            return unpinned(icons[...after])
        }
        if let before = icons.firstIndex(where: { $0.id == target.before }) {
            return unpinned(icons[..<before])
        }
        guard let index = target.index else { return unpinned(icons[...]) }
        return unpinned(icons[..<min(max(index, 0), icons.count)])
    }
}
