/// Tells, pin by pin, where pins go into a list: each to the index it holds, or the end of a
/// shorter list. Of pins that hold the same index the eldest has it, and the others stand behind.
///
/// Pins come in order: by index, and of equal ones the eldest first. They stand in that order too.
struct PinCursor {
    private var last = -1

    /// Where the next pin goes into a list that has `count` icons by now.
    mutating func next(holding index: Int, count: Int) -> Int {
        last = max(min(index, count), last + 1)
        return last
    }
}
