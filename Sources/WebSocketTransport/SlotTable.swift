/// Numbered places that are used again, each use under a new generation.
///
/// What C and the kernel hold about a connection is its slot and generation, two integers; the
/// object itself lives here, so a late event can at worst find nothing.
struct SlotTable<Element> {
    private struct Entry {
        var generation: UInt32
        var element: Element?
    }

    private var entries: [Entry] = []
    private var free: [UInt32] = []
    private(set) var count = 0

    /// Puts what `make` builds for its place into the table.
    mutating func insert(_ make: (_ slot: UInt32, _ generation: UInt32) -> Element) {
        count += 1
        if let slot = free.popLast() {
            // Zero is never a generation: it marks memory that C has zeroed and nobody filled.
            let next = entries[Int(slot)].generation &+ 1
            let generation = next == 0 ? 1 : next
            entries[Int(slot)] = Entry(generation: generation, element: make(slot, generation))
        } else {
            let slot = UInt32(entries.count)
            entries.append(Entry(generation: 1, element: make(slot, 1)))
        }
    }

    subscript(slot: UInt32, generation: UInt32) -> Element? {
        guard slot < entries.count else { return nil }
        let entry = entries[Int(slot)]
        return entry.generation == generation ? entry.element : nil
    }

    /// Empties a place; the next use of it has another generation.
    @discardableResult
    mutating func remove(slot: UInt32, generation: UInt32) -> Element? {
        guard let element = self[slot, generation] else { return nil }
        entries[Int(slot)].element = nil
        free.append(slot)
        count -= 1
        return element
    }

    /// All that is in the table, in slot order.
    var elements: [Element] { entries.compactMap(\.element) }
}
