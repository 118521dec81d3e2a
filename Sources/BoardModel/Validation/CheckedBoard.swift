extension BoardLimits {
    /// The board as it is kept; throws the first fault.
    func checked(_ board: Board) throws(BoardProblem) -> Board {
        var board = board
        try TextRule.label(self).check(board.title, field: "title")
        try check(wholeNumber: board.revision, field: "revision")
        try check(pressMs: board.presentation.minimumPressMs, field: "presentation.minimumPressMs")
        guard board.sections.count <= sections else {
            throw .init(reason: .limit, field: "sections", message: "are over \(sections)")
        }
        var sectionIDs: Set<SectionID> = []
        var iconIDs: Set<IconID> = []
        for index in board.sections.indices {
            let field = "sections[\(index)]"
            let section = try checked(board.sections[index], field: field, icons: &iconIDs)
            guard sectionIDs.insert(section.id).inserted else {
                throw .init(
                    reason: .duplicateID, field: field + ".id", message: "is used twice")
            }
            board.sections[index] = section
        }
        guard board.jsonBytes <= snapshotBytes else {
            throw .init(
                reason: .limit, field: "sections",
                message: "make a snapshot of over \(snapshotBytes) bytes")
        }
        return board
    }

    /// A section with its icons; `seen` are the icons the board has already.
    func checked(
        _ section: Section, field: String, icons seen: inout Set<IconID>
    ) throws(BoardProblem) -> Section {
        var section = section
        try check(section, field: field)
        for index in section.icons.indices {
            let icon = try checked(section.icons[index], field: field + ".icons[\(index)]")
            guard seen.insert(icon.id).inserted else {
                throw .init(
                    reason: .duplicateID, field: field + ".icons[\(index)].id",
                    message: "is used twice")
            }
            section.icons[index] = icon
        }
        guard seen.count <= icons else {
            throw .init(reason: .limit, field: field + ".icons", message: "are over \(icons)")
        }
        return section
    }
}
