/// What is to happen, in the order of its time; things of one time in the order they were put.
struct Agenda<Item> {
    private var heap: [(time: Int, order: Int, item: Item)] = []
    private var count = 0

    mutating func add(_ item: Item, at time: Int) {
        count += 1
        heap.append((time, count, item))
        var child = heap.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes out what comes first, unless that is after `end`.
    mutating func next(until end: Int) -> (time: Int, item: Item)? {
        guard let first = heap.first, first.time <= end else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && precedes(child, least) {
                least = child
            }
            guard least != parent else { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return (first.time, first.item)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].order) < (heap[right].time, heap[right].order)
    }
}
