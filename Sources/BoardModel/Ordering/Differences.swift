/// Writes down what turns the old visible lists into the new ones, one action after the other, as a
/// `Change` tells it to a replica that knows no rule.
///
/// First what the edit names (`remove`, `place`), then, by `settlePins`, the pinned icons that were
/// shifted by it. Each costs O(icons of the touched sections).
struct Differences {
    private struct List {
        var section: SectionID
        var now: [IconID]
        let goal: [IconID]
        /// The pinned icons that the edit itself does not place.
        let pins: Block
    }

    private var lists: [List] = []
    private(set) var moves: [IconMove] = []

    /// Tells of a section before and after the edit. `named`: the icons that the edit places.
    mutating func touch(
        _ section: SectionID, from old: [IconID], to state: SectionState, named: Block
    ) {
        let pins = state.pins.map(\.icon).filter { !named.contains($0) }
        lists.append(
            List(section: section, now: old, goal: state.visible, pins: Block(pins)))
    }

    /// Takes an icon out of its list; `nil` when it is in none.
    mutating func remove(_ icon: IconID) -> Position? {
        for index in lists.indices {
            if let place = lists[index].now.firstIndex(of: icon) {
                lists[index].now.remove(at: place)
                return Position(section: lists[index].section, index: place)
            }
        }
        return nil
    }

    /// Puts icons, in the order of their final places, where the new lists have them, and calls
    /// `action` with each, where it came from and where it is.
    mutating func place(_ icons: [IconID], action: (IconID, Position?, Position) -> Void) {
        let named = Block(icons)
        var waiting = Set(icons)
        for index in lists.indices {
            for (goal, icon) in lists[index].goal.enumerated() where named.contains(icon) {
                waiting.remove(icon)
                let old = remove(icon)
                let at = insert(icon, goal: goal, in: index) { other, list in
                    list.pins.contains(other) || waiting.contains(other)
                }
                action(icon, old, Position(section: lists[index].section, index: at))
            }
        }
    }

    /// Moves named icons to their final places.
    mutating func move(_ icons: [IconID]) {
        var moves: [IconMove] = []
        place(icons) { icon, old, new in
            if let old { moves.append(IconMove(icon: icon, from: old, to: new)) }
        }
        self.moves += moves
    }

    /// Puts every pinned icon back to the index it holds.
    mutating func settlePins() {
        for index in lists.indices where lists[index].now != lists[index].goal {
            settlePins(in: index)
        }
        assert(lists.allSatisfy { $0.now == $0.goal }, "these moves do not make the new lists")
    }

    private mutating func settlePins(in index: Int) {
        let list = lists[index]
        // A pin stays where it is when as many of the others are on its left as shall be.
        let now = Self.places(of: list.pins.icons, in: list.now)
        let goals = Self.places(of: list.pins.icons, in: list.goal)
        let shifted = zip(now, goals).filter { $0.lefts != $1.lefts }.map { $1 }
        var waiting = Set(shifted.map(\.icon))
        for pin in shifted {
            waiting.remove(pin.icon)
            guard let old = remove(pin.icon) else { continue }
            let at = insert(pin.icon, goal: pin.index, in: index) { other, _ in
                waiting.contains(other)
            }
            let new = Position(section: list.section, index: at)
            if old != new { moves.append(IconMove(icon: pin.icon, from: old, to: new)) }
        }
    }

    /// Where a pin stands in a list, and how many icons that are not pins are on its left.
    private struct PinPlace {
        var icon: IconID
        var index: Int
        var lefts: Int
    }

    /// The places of pins, which stand in their order in every list.
    private static func places(of pins: [IconID], in list: [IconID]) -> [PinPlace] {
        var places: [PinPlace] = []
        for (index, icon) in list.enumerated()
        where places.count < pins.count && icon == pins[places.count] {
            places.append(PinPlace(icon: icon, index: index, lefts: index - places.count))
        }
        return places
    }

    /// Inserts an icon between the nearest icons that stand on either side of its goal already, as
    /// near as can be to its final index.
    private mutating func insert(
        _ icon: IconID, goal: Int, in index: Int, isUnsettled: (IconID, List) -> Bool
    ) -> Int {
        let (low, high) = bounds(of: goal, in: lists[index], isUnsettled: isUnsettled)
        let at = min(max(goal, low), high)
        lists[index].now.insert(icon, at: at)
        return at
    }

    private func bounds(
        of goal: Int, in list: List, isUnsettled: (IconID, List) -> Bool
    ) -> (low: Int, high: Int) {
        let left = list.goal[..<goal].last { !isUnsettled($0, list) }
        let right = list.goal[(goal + 1)...].first { !isUnsettled($0, list) }
        return (
            left.flatMap { list.now.firstIndex(of: $0) }.map { $0 + 1 } ?? 0,
            right.flatMap { list.now.firstIndex(of: $0) } ?? list.now.count
        )
    }
}
