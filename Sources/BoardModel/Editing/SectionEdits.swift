extension BoardState {
    /// Applies an edit of a section or of the board itself; `nil` when it makes no difference.
    mutating func rearrange(_ edit: Edit, by author: Author) throws(Refusal) -> Change? {
        switch edit {
        case .sectionAdd(let section, let before):
            return try addSection(section, before: before, by: author)
        case .sectionUpdate(let id, let patch): return try updateSection(id, patch)
        case .sectionMove(let id, let before): return try moveSection(id, before: before)
        case .sectionRemove(let id): return try removeSection(id)
        case .boardUpdate(let patch): return try updateBoard(patch)
        case .iconMove, .iconAdd, .iconCopy, .iconUpdate, .iconRemove, .undo, .redo: return nil
        }
    }

    private mutating func addSection(
        _ section: Section, before: SectionID?, by author: Author
    ) throws(Refusal) -> Change? {
        var seen = Set(icons.keys)
        let section = try refusing { () throws(BoardProblem) in
            try limits.checked(section, field: "edit.section", icons: &seen)
        }
        guard sectionIndex(of: section.id) == nil else {
            throw Refusal(.duplicateID, field: "edit.section.id")
        }
        guard sections.count < limits.sections else {
            throw Refusal(.limit, field: "edit.section")
        }
        let bytes = section.jsonBytes + 1
        try checkSize(adding: bytes, field: "edit.section")
        let index = try sectionIndex(before: before)
        jsonBytes += bytes
        let state = populated(section, by: author.client, at: author.next)
        sections.insert(state, at: index)
        return .sectionAdd(section: self.section(state), index: index)
    }

    private mutating func updateSection(
        _ id: SectionID, _ patch: SectionPatch
    ) throws(Refusal) -> Change? {
        try refusing { () throws(BoardProblem) in
            try limits.check(patch, field: "edit.set")
        }
        let index = try existing(id)
        let old = sections[index].frame
        var new = old
        new.apply(patch)
        guard new != old else { return nil }
        let bytes = new.frameBytes - old.frameBytes
        try checkSize(adding: bytes, field: "edit.set")
        jsonBytes += bytes
        sections[index].title = new.title
        sections[index].layout = new.layout
        sections[index].lift = new.lift
        sections[index].drop = new.drop
        sections[index].capacity = new.capacity
        return .sectionUpdate(section: id, set: patch)
    }

    private mutating func moveSection(
        _ id: SectionID, before: SectionID?
    ) throws(Refusal) -> Change? {
        let from = try existing(id)
        let gap = try sectionIndex(before: before)
        let to = gap > from ? gap - 1 : gap
        guard to != from else { return nil }
        sections.insert(sections.remove(at: from), at: to)
        return .sectionMove(section: id, from: from, to: to)
    }

    private mutating func removeSection(_ id: SectionID) throws(Refusal) -> Change? {
        let index = try existing(id)
        guard sections[index].count == 0 else { throw Refusal(.sectionNotEmpty) }
        let section = sections.remove(at: index)
        jsonBytes -= section.frame.frameBytes + 1
        forgetDetails(of: section.slots)
        return .sectionRemove(section: id, index: index)
    }

    private mutating func updateBoard(_ patch: BoardPatch) throws(Refusal) -> Change? {
        try refusing { () throws(BoardProblem) in
            try limits.check(patch, field: "edit.set")
        }
        let newTitle = patch.title ?? title
        var newPresentation = presentation
        newPresentation.apply(patch)
        guard newTitle != title || newPresentation != presentation else { return nil }
        let bytes =
            JSONSize.ofHead(
                id: id, title: newTitle, epoch: epoch, presentation: newPresentation)
            - JSONSize.ofHead(id: id, title: title, epoch: epoch, presentation: presentation)
        try checkSize(adding: bytes, field: "edit.set")
        jsonBytes += bytes
        title = newTitle
        presentation = newPresentation
        return .boardUpdate(set: patch)
    }

    private func existing(_ id: SectionID) throws(Refusal) -> Int {
        guard let index = sectionIndex(of: id) else { throw Refusal(.sectionGone) }
        return index
    }

    /// The gap before a section; `nil` is the end.
    private func sectionIndex(before id: SectionID?) throws(Refusal) -> Int {
        guard let id else { return sections.count }
        return try existing(id)
    }
}

extension Section {
    /// Sets the fields that a patch names.
    public mutating func apply(_ patch: SectionPatch) {
        title = patch.title ?? title
        layout.kind = patch.layoutKind ?? layout.kind
        layout.columns = patch.layoutColumns ?? layout.columns
        lift = patch.lift ?? lift
        drop = patch.drop ?? drop
        capacity = patch.capacity.applied(to: capacity)
    }
}

extension Presentation {
    /// Sets the fields that a patch names.
    public mutating func apply(_ patch: BoardPatch) {
        axis = patch.axis ?? axis
        minimumPressMs = patch.minimumPressMs ?? minimumPressMs
    }
}
