internal import BoardModel

/// Every chance in a run comes out of this, and so of its seed.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True so many times in a thousand.
    mutating func chance(_ perMille: Int) -> Bool { int(1...1_000) <= perMille }

    mutating func pick<Item>(_ items: [Item]) -> Item { items[int(0...items.count - 1)] }

    /// An index, as often as its weight says.
    mutating func weighted(_ weights: [Int]) -> Int {
        var rest = int(0...max(1, weights.reduce(0, +)) - 1)
        return weights.firstIndex { weight in
            rest -= weight
            return rest < 0
        } ?? 0
    }

    mutating func id() -> UniqueID { UniqueID.random(using: &self) }
}
