extension BoardState {
    /// Puts everything that people see back to what it was, in one change; `nil` when it is so.
    ///
    /// The epoch and the sequences of clients go on; ghosts and steps are forgotten, since an undo
    /// from before would trample what came back. Every sender knows the slots made here, whatever
    /// its base: an edit from before lands beside its neighbour, where that stands now. O(icons).
    mutating func restore(_ content: BoardContent, by author: Author) throws(Refusal) -> Change? {
        guard author.role == .owner else { throw Refusal(.readOnly) }
        try check(base: author.base)
        let checked: Board
        do {
            checked = try limits.checked(
                Board(
                    id: id, title: content.title, revision: author.next, epoch: epoch,
                    presentation: content.presentation, sections: content.sections))
        } catch {
            throw Refusal(error.reason, field: error.field)
        }
        let before = BoardContent(board)
        let kept = self
        title = checked.title
        presentation = checked.presentation
        removed = [:]
        wanted = []
        ledger.forgetSteps()
        fill(checked.sections, bornAt: 0)
        let now = BoardContent(board)
        guard now != before else {
            self = kept
            return nil
        }
        jsonBytes = checked.jsonBytes
        return .boardRestore(
            title: now.title, presentation: now.presentation, sections: now.sections)
    }
}
