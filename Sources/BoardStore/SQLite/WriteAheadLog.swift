/// Looks for damage in a write-ahead log that SQLite would pass over in silence.
///
/// SQLite reads a log up to the first frame whose checksum fails and takes the rest for the torn
/// end of a transaction that nobody was told of. Often it is. But each transaction is synced before
/// the next one begins, so only the last can be torn: when two commits follow, the second of which
/// goes on from the first, the disk changed what was stored, and acknowledged commits would go
/// without a word. Commits that don't go on from each other prove nothing: behind a torn end may
/// lie what an earlier torn or refused transaction left there, which was longer.
///
/// The layout is that of "WAL Format" in SQLite's file format document.
struct WriteAheadLog {
    private static let headerBytes = 32
    private static let frameHeaderBytes = 24

    private let bytes: [UInt8]
    private var checksum: (UInt32, UInt32) = (0, 0)

    /// What is wrong with a log, in words for the operator; `nil` when it is whole or merely torn.
    static func damage(in bytes: [UInt8]) -> String? {
        var log = WriteAheadLog(bytes: bytes)
        return log.findDamage()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func findDamage() -> String? {
        guard bytes.count > Self.headerBytes else { return nil }
        add(0..<24)
        let pageBytes = Int(word(at: 8))
        guard word(at: 0) | 1 == 0x377F_0683, (512...65_536).contains(pageBytes),
            checksum == (word(at: 24), word(at: 28))
        else {
            // The header is synced before the first frame is written.
            return "its header is not what was written"
        }
        let frameBytes = Self.frameHeaderBytes + pageBytes
        let starts = stride(
            from: Self.headerBytes, through: bytes.count - frameBytes, by: frameBytes)
        var firstBad: Int?
        var commits = 0
        // What the next frame's checksum goes on from: this frame's, as it stands there, and as it
        // comes out, in case that it is the checksum that was changed.
        var bases = [checksum]
        var isOfThisUse = true
        for (number, start) in starts.enumerated() {
            let stored = (word(at: start + 16), word(at: start + 20))
            let sums = bases.map { sum(ofFrame: start, frameBytes, after: $0) }
            let hasSalts =
                word(at: start + 8) == word(at: 16)
                && word(at: start + 12) == word(at: 20)
            // Those with other salts are of an older use of the file, already copied back; unless
            // they go on from one of this use, and it is the salt that was changed, over which
            // there is no checksum.
            let fits = sums.contains { $0 == stored }
            isOfThisUse = hasSalts || (isOfThisUse && fits)
            let goesOn = isOfThisUse && fits
            bases = goesOn ? [stored] : [stored] + sums.prefix(1)
            if !goesOn || !hasSalts { firstBad = firstBad ?? number }
            guard let firstBad else { continue }
            let isCommit = isOfThisUse && word(at: start + 4) != 0
            commits = (goesOn ? commits : 0) + (isCommit ? 1 : 0)
            guard commits < 2 else {
                return "frame \(firstBad + 1) is not what was written, and commits follow"
            }
        }
        return nil
    }

    /// The checksum of a frame that goes on from `base`.
    private mutating func sum(
        ofFrame start: Int, _ frameBytes: Int, after base: (UInt32, UInt32)
    ) -> (UInt32, UInt32) {
        checksum = base
        add(start..<start + 8)
        add(start + Self.frameHeaderBytes..<start + frameBytes)
        return checksum
    }

    /// Adds bytes, eight at a time, to the running checksum.
    private mutating func add(_ range: Range<Int>) {
        // The lowest bit of the magic number tells the byte order in which the writer summed.
        let isBigEndian = bytes[3] & 1 == 1
        var (first, second) = checksum
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            let (left, right) = (word(at: start), word(at: start + 4))
            first &+= (isBigEndian ? left : left.byteSwapped) &+ second
            second &+= (isBigEndian ? right : right.byteSwapped) &+ first
        }
        checksum = (first, second)
    }

    private func word(at offset: Int) -> UInt32 {
        UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16
            | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
    }
}
