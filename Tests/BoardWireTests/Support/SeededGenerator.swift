/// SplitMix64: a seed explains every failure.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SeededGenerator {
    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True once in `n`.
    mutating func oneIn(_ n: Int) -> Bool { int(1...n) == 1 }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[int(0...values.count - 1)] }

    mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        oneIn(2) ? make(&self) : nil
    }

    mutating func many<Value>(
        _ range: ClosedRange<Int>, _ make: (inout Self) -> Value
    ) -> [Value] {
        (0..<int(range)).map { _ in make(&self) }
    }
}
