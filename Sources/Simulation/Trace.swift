/// What happened in a run, as a hash that two runs can be held against each other by; and, when
/// asked for, the last of it in words.
struct Trace {
    /// What a line of the trace is about.
    enum Word: UInt8 {
        case opened, text, left, frame, closed, lost, refused, drained
        case act, cut, halfOpen, stall, unstall, takeOver, rubbish, clock
        case stored, full, crash, stop, start, slow, timer, put, post, point, restore, answer
    }

    /// FNV-1a: to tell runs apart, not against forgers.
    private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    private let linesMax: Int
    private var recent: [String] = []

    /// Keeps the last `lines` lines, which costs most of the speed.
    init(lines: Int) { linesMax = lines }

    mutating func note(_ time: Int, _ word: Word, _ first: Int, _ second: Int = 0) {
        mix(UInt64(truncatingIfNeeded: time))
        mix(UInt64(word.rawValue))
        mix(UInt64(truncatingIfNeeded: first))
        mix(UInt64(truncatingIfNeeded: second))
        keep("\(word) \(first) \(second)", time)
    }

    mutating func note(_ time: Int, _ word: Word, _ first: Int, _ bytes: [UInt8]) {
        note(time, word, first, bytes.count)
        for byte in bytes { mix(UInt64(byte)) }
        keep("  \(String(decoding: bytes.prefix(400), as: UTF8.self))", time)
    }

    /// The last lines, oldest first.
    var lines: [String] { recent.suffix(linesMax) }

    private mutating func mix(_ number: UInt64) {
        hash = (hash ^ number) &* 0x0000_0100_0000_01b3
    }

    private mutating func keep(_ line: @autoclosure () -> String, _ time: Int) {
        guard linesMax > 0 else { return }
        recent.append("\(time / 1_000).\(time / 100 % 10) ms: \(line())")
        if recent.count > 4 * linesMax { recent.removeFirst(3 * linesMax) }
    }
}
