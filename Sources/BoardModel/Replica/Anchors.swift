// How a client names the place it means.

extension Board {
    /// An edit whose target names neighbours in this board, so that it says what the person saw.
    ///
    /// `keepsIndex`: nothing undecided is under what the person sees, so that the index means
    /// something to the server too.
    func anchored(_ edit: Edit, keepsIndex: Bool) -> Edit {
        switch edit {
        case .iconMove(let icons, let target):
            var target = target
            if target.section == nil, let place = icons.lazy.compactMap(place).first {
                target.section = sections[place.section].id
            }
            return .iconMove(
                icons: icons, to: anchored(target, moving: icons, keepsIndex: keepsIndex))
        case .iconAdd(let icon, let target):
            return .iconAdd(icon: icon, to: anchored(target, keepsIndex: keepsIndex))
        case .iconCopy(let icons, let copies, let target):
            return .iconCopy(
                icons: icons, newIDs: copies, to: anchored(target, keepsIndex: keepsIndex))
        case .iconUpdate, .iconRemove, .sectionAdd, .sectionUpdate, .sectionMove, .sectionRemove,
            .boardUpdate, .undo, .redo:
            return edit
        }
    }

    /// The same place told by the neighbours that still stand there, or else the end.
    func surviving(_ edit: Edit) -> Edit {
        switch edit {
        case .iconMove(let icons, let target):
            return .iconMove(icons: icons, to: surviving(target))
        case .iconAdd(let icon, let target): return .iconAdd(icon: icon, to: surviving(target))
        case .iconCopy(let icons, let copies, let target):
            return .iconCopy(icons: icons, newIDs: copies, to: surviving(target))
        case .iconUpdate, .iconRemove, .sectionAdd, .sectionUpdate, .sectionMove, .sectionRemove,
            .boardUpdate, .undo, .redo:
            return edit
        }
    }

    private func anchored(
        _ target: Target, moving: [IconID] = [], keepsIndex: Bool
    ) -> Target {
        var target = target
        guard target.at == nil, target.after == nil, target.before == nil,
            let wanted = target.index,
            var list = target.section.flatMap(index).map({ sections[$0] })
        else { return target.withoutIndex(unless: keepsIndex) }
        list.remove(moving)
        let index = min(max(wanted, 0), list.icons.count)
        if index == 0 { return Target(section: list.id, at: .start) }
        if index == list.icons.count { return Target(section: list.id, at: .end) }
        target.after = list.icons[index - 1].id
        target.before = list.icons[index].id
        return target.withoutIndex(unless: keepsIndex)
    }

    private func surviving(_ target: Target) -> Target {
        guard target.at == nil else { return target }
        let list = target.section.flatMap(index).map { sections[$0].icons } ?? []
        let stands = { (icon: IconID?) in list.contains { $0.id == icon } }
        let after = stands(target.after) ? target.after : nil
        let before = stands(target.before) ? target.before : nil
        guard after != nil || before != nil else {
            return Target(section: target.section, at: .end)
        }
        return Target(section: target.section, after: after, before: before)
    }
}

extension Target {
    /// The target without its index, unless that may be kept or is all there is.
    fileprivate func withoutIndex(unless keeps: Bool) -> Target {
        guard !keeps, at != nil || after != nil || before != nil else { return self }
        var target = self
        target.index = nil
        return target
    }
}
