import BoardModel
import BoardWire
import Foundation
import Testing

@testable import BoardStore

/// Every bit of a store turned over, one at a time: what is served is what was stored, or there is
/// a report. `FLIP_STRIDE=1` turns over all of them; one in ten thousand unless told.
@Suite("Flipped bits", .serialized)
struct FlippedBitTests {
    /// What a store gives out.
    private struct Served: Equatable {
        var heads: [BoardHead]
        var boards: [BoardID: StoredBoard] = [:]
        /// The rows that all of it is made of: where they are the same, so is what they make.
        var rows: [[UInt8]]

        static func == (left: Served, right: Served) -> Bool {
            left.heads == right.heads && left.boards == right.boards
        }
    }

    /// What became of one flip.
    private enum Fate: Hashable, Comparable {
        case notOpened, boardReported, remarked, harmless, lostTail, changed
    }

    private static let names = ["kitchen", "attic", "hall", "cellar"]
    private static let database = "homeboard.sqlite3"

    private static var step: Int { number("FLIP_STRIDE") ?? 10_007 }
    /// The first bit, so that several processes can share the work.
    private static var first: Int { number("FLIP_FIRST") ?? 0 }

    private static func number(_ name: String) -> Int? {
        Int(ProcessInfo.processInfo.environment[name] ?? "")
    }

    /// A store of several boards with snapshots, logs and refusals.
    private func makeStore(_ directory: TemporaryDirectory) throws -> SQLiteBoardStore {
        let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        for (number, name) in Self.names.enumerated() {
            var author = Author(sampleBoard(name, icons: 30 + 10 * number))
            try store.create(author.state)
            try store.append([author.batch(12, snapshot: true)])
            let late = [author.rename(), author.askInVain(), author.addIcon(100), author.rename()]
            try store.append([author.batch(late)])
        }
        return store
    }

    private func serve(_ directory: TemporaryDirectory, known: Served? = nil) throws -> Served {
        let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        defer { store.close() }
        let list = try store.heads()
        guard list.damaged.isEmpty, list.remarks.isEmpty else { throw Reported() }
        var served = Served(heads: list.heads, rows: rows(of: store))
        if let known, known.heads == served.heads, known.rows == served.rows { return known }
        for name in Self.names { served.boards[id(name)] = try store.load(id(name)) }
        return served
    }

    /// None when they can't be read, which loading the boards will tell of.
    private func rows(of store: SQLiteBoardStore) -> [[UInt8]] {
        let queries = [
            "SELECT entry || board || limits, digest || state FROM snapshots ORDER BY board",
            "SELECT board || entry || ifnull(revision, ''), digest || record FROM log",
            "SELECT id || title || entry || base_entry, head_digest || base_digest FROM boards",
        ]
        return queries.flatMap { query in
            (try? store.database.all(query) { $0.blob(0) + $0.blob(1) }) ?? []
        }
    }

    private struct Reported: Error {}

    private func fate(
        _ directory: TemporaryDirectory, whole: Served, earlier: [Served]
    ) -> Fate {
        do {
            let served = try serve(directory, known: whole)
            guard served != whole else { return .harmless }
            return earlier.contains(served) ? .lostTail : .changed
        } catch is Reported {
            return .remarked
        } catch StoreError.damaged {
            return .boardReported
        } catch {
            return .notOpened
        }
    }

    /// What came of many tries, each of which put other bytes in the place of a file.
    private struct Tally {
        var fates: [Fate: Int] = [:]
        /// Tries that changed what is served.
        var changed: [Int] = []

        func report(_ what: String) {
            let counts = fates.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            print("\(what): \(counts.joined(separator: ", "))")
            #expect(changed.isEmpty, "\(what): \(changed.prefix(20))")
        }
    }

    /// Puts each of the bytes in the place of a file of the directory, on a copy of it, and looks
    /// what is served. What a cut may lose of a write-ahead log is in `earlier`.
    private func trial(
        _ file: String, of original: TemporaryDirectory, whole: Served, earlier: [Served] = [],
        _ variants: some Sequence<(Int, [UInt8])>
    ) throws -> Tally {
        let others = try original.names
            .filter { $0 != file && !$0.hasSuffix("-shm") && !$0.hasSuffix(".lock") }
            .map { ($0, try original.bytes(of: $0)) }
        let copy = try TemporaryDirectory()
        var tally = Tally()
        for (number, bytes) in variants {
            for name in try copy.names {
                try FileManager.default.removeItem(atPath: copy.file(name))
            }
            for (name, data) in others + [(file, Data(bytes))] {
                try data.write(to: URL(fileURLWithPath: copy.file(name)))
            }
            let fate = fate(copy, whole: whole, earlier: earlier)
            tally.fates[fate, default: 0] += 1
            if fate == .changed { tally.changed.append(number) }
        }
        return tally
    }

    /// The bytes with every `step`th bit turned over, one at a time.
    private func flips(_ bytes: [UInt8]) -> some Sequence<(Int, [UInt8])> {
        stride(from: Self.first, to: 8 * bytes.count, by: Self.step).lazy.map { bit in
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            return (bit, flipped)
        }
    }

    /// The bytes with a bit of each frame's salt turned over: no checksum is over it.
    private func saltFlips(_ log: [UInt8]) -> [(Int, [UInt8])] {
        stride(from: 32 + 8, to: log.count, by: 24 + 4_096).map { byte in
            var flipped = log
            flipped[byte] ^= 1
            return (8 * byte, flipped)
        }
    }

    private func bytes(of file: String, in directory: TemporaryDirectory) throws -> [UInt8] {
        [UInt8](try directory.bytes(of: file))
    }

    @Test("O-35: no flipped bit of the database changes what is served without a report")
    func database() throws {
        let directory = try TemporaryDirectory()
        try makeStore(directory).close()
        let whole = try serve(directory)
        #expect(whole.boards.count == Self.names.count)
        let bytes = try bytes(of: Self.database, in: directory)
        #expect(bytes.count >= 65_536)
        try trial(Self.database, of: directory, whole: whole, flips(bytes))
            .report("every \(Self.step) of \(8 * bytes.count) bits of the database")
    }

    @Test("O-35: nor does one of the file of heads")
    func heads() throws {
        let directory = try TemporaryDirectory()
        try makeStore(directory).close()
        let whole = try serve(directory)
        let bytes = try bytes(of: "homeboard.heads", in: directory)
        try trial("homeboard.heads", of: directory, whole: whole, flips(bytes))
            .report("every \(Self.step) of \(8 * bytes.count) bits of the heads")
    }

    @Test("O-35: a page of the database that is cut off, zero, doubled or moved is reported")
    func pages() throws {
        let directory = try TemporaryDirectory()
        try makeStore(directory).close()
        let whole = try serve(directory)
        let bytes = try bytes(of: Self.database, in: directory)
        let page = 4_096
        let starts = Array(stride(from: 0, to: bytes.count, by: page))
        var variants: [(Int, [UInt8])] = starts.map { ($0, Array(bytes[..<$0])) }
        for (start, next) in zip(starts, starts.dropFirst()) {
            var (zero, doubled, moved) = (bytes, bytes, bytes)
            zero.replaceSubrange(start..<next, with: repeatElement(0, count: page))
            doubled.replaceSubrange(next..<next + page, with: bytes[start..<next])
            moved.replaceSubrange(start..<next, with: bytes[next..<next + page])
            moved.replaceSubrange(next..<next + page, with: bytes[start..<next])
            variants += [(start, zero), (start, doubled), (start, moved)]
        }
        try trial(Self.database, of: directory, whole: whole, variants)
            .report("\(variants.count) broken pages of the database")
    }

    /// A store that was closed, and since then has written only to its log: what is served after
    /// each transaction.
    private func makeLog(_ directory: TemporaryDirectory) throws -> (TemporaryDirectory, [Served]) {
        try makeStore(directory).close()
        var states = [try serve(directory)]
        let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        for name in Self.names.prefix(3) {
            let stored = try #require(try store.load(id(name)))
            var author = Author(
                stored.state, entry: stored.entry, commits: stored.commits,
                seq: stored.state.lastSeq(of: Author.client))
            try store.append([author.batch(2)])
            states.append(try serve(try directory.copied()))
        }
        return (try directory.copied(), states)
    }

    @Test("O-34, O-35: of a log, a flipped bit can hide the last transaction and nothing else")
    func log() throws {
        let (directory, states) = try makeLog(try TemporaryDirectory())
        let log = Self.database + "-wal"
        let bytes = try bytes(of: log, in: directory)
        try trial(
            log, of: directory, whole: states[3], earlier: [states[2]],
            Array(flips(bytes)) + saltFlips(bytes)
        ).report("every \(Self.step) of \(8 * bytes.count) bits of the log")
    }

    @Test("O-34: a log that is cut ends with a whole transaction, and never before the heads")
    func cutLog() throws {
        let (directory, states) = try makeLog(try TemporaryDirectory())
        let log = Self.database + "-wal"
        let bytes = try bytes(of: log, in: directory)
        let cuts = stride(from: 0, to: bytes.count, by: 2_060).map { ($0, Array(bytes[..<$0])) }
        try trial(log, of: directory, whole: states[3], earlier: Array(states[..<3]), cuts)
            .report("\(cuts.count) cuts of the log")
    }
}
