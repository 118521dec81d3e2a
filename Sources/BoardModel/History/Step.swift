/// One thing that a client can take back, or do again.
enum Step: Hashable, Sendable {
    /// Icons that came, went or moved. `made`: the revision at which they did; ghosts that left at
    /// that revision show where they came from.
    case places(made: Int, touched: [Touched])
    /// Fields of an icon that were changed, and to what.
    case update(made: Int, icon: IconID, was: IconPatch, now: IconPatch)

    struct Touched: Hashable, Sendable, Codable {
        var icon: IconID
        /// The `step` of the slot it was put into; `nil` when it left the board.
        var after: Int?
        /// It came from somewhere: a ghost shows where.
        var came: Bool
        /// It was locked already when the step was made, so that its lock bars nothing.
        var wasLocked: Bool
    }
}

extension ClientLedger.Entry {
    /// Adds a step that can be undone; what was undone before cannot be done again any more.
    mutating func push(_ step: Step, keeping: Int) {
        undo.append(step)
        let surplus = undo.count - max(keeping, 0)
        if surplus > 0 { undo.removeFirst(surplus) }
        redo = []
    }
}
