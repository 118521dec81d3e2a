internal import BoardModel

/// How far each board was known to be stored, kept apart from the database and its write-ahead log.
///
/// A log that lost its end, or a database put back from an older day, is whole in itself: only
/// something else can tell that there was more. The file is written anew, synced and given its name
/// whenever the write-ahead log is copied back and when the store is closed, so it tells of every
/// commit but the latest ones. What it tells of is stored before it is written; a board leaves it
/// before the database lets go of it. So at no moment does it know more than the disk.
struct HeadsFile {
    /// How far one board was.
    struct Head: Equatable {
        var entry: Int
        var revision: Int
        /// Of the log's chain at that entry.
        var digest: [UInt8]
    }

    static let name = "homeboard.heads"
    private static let newName = name + ".new"
    /// What a file begins with that cannot be read, once it is put aside.
    static let damagedName = name + ".damaged"
    private static let firstLine = "homeboard heads 1\n"

    private let directory: DataDirectory
    private(set) var heads: [BoardID: Head]
    /// What was wrong with the file when the store was opened.
    private(set) var damage: String?

    /// Reads the file of a directory. One that is missing tells nothing; one that is damaged is put
    /// aside, since it says nothing against the boards, or left to others by who only reads.
    init(in directory: DataDirectory, isReadOnly: Bool = false) throws(StoreError) {
        self.directory = directory
        heads = [:]
        guard let bytes = try directory.contents(of: Self.name) else { return }
        if let found = Self.decode(bytes) {
            heads = found
        } else {
            damage = "\(directory.path)/\(Self.name) is not what was written"
            if !isReadOnly { try directory.move(Self.name, to: Self.damagedName) }
        }
    }

    /// Knows nothing.
    init(of directory: DataDirectory) {
        self.directory = directory
        heads = [:]
    }

    /// Writes what the database has. On a full disk the file of before stays, which is true still.
    mutating func write(_ heads: [BoardID: Head]) throws(StoreError) {
        guard heads != self.heads || directory.size(of: Self.name) == nil else { return }
        try directory.write(Self.encode(heads), to: Self.newName)
        try directory.move(Self.newName, to: Self.name)
        self.heads = heads
    }

    /// Takes a board off, before it is deleted.
    mutating func remove(_ id: BoardID) throws(StoreError) {
        guard heads[id] != nil else { return }
        var rest = heads
        rest[id] = nil
        try write(rest)
    }

    /// What of a board is missing, by what is stored of it now; `digest` gives that of an entry
    /// that the log still has.
    func loss(
        of id: BoardID, now head: Head?, digest: (Int) throws(StoreError) -> [UInt8]?
    ) throws(StoreError) -> String? {
        guard let known = heads[id] else { return nil }
        guard let head else {
            return "its row in the table of boards is gone, and entry \(known.entry) was stored"
        }
        if head.entry < known.entry {
            return "the log ends with entry \(head.entry), and entry \(known.entry) was stored"
        }
        if head.revision < known.revision {
            return "revision \(known.revision) was stored, and now it is \(head.revision)"
        }
        let now = head.entry == known.entry ? head.digest : try digest(known.entry)
        guard let now, now != known.digest else { return nil }
        return "entry \(known.entry) is not the one that was stored"
    }

    // MARK: - The form of the file

    /// A line a board, and before them the digest of all lines.
    private static func encode(_ heads: [BoardID: Head]) -> [UInt8] {
        let lines = heads.sorted { $0.key < $1.key }.map { id, head in
            "\(id.text) \(head.entry) \(head.revision) \(hexadecimal(head.digest))\n"
        }
        let body = Array(lines.joined().utf8)
        return Array((firstLine + hexadecimal(digest(of: body)) + "\n").utf8) + body
    }

    private static func decode(_ bytes: [UInt8]) -> [BoardID: Head]? {
        let headLength = firstLine.utf8.count + 2 * Digest.byteCount + 1
        guard bytes.count >= headLength else { return nil }
        let body = Array(bytes[headLength...])
        let start = firstLine + hexadecimal(digest(of: body)) + "\n"
        guard bytes.starts(with: start.utf8) else { return nil }
        var heads: [BoardID: Head] = [:]
        for line in String(decoding: body, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 4, let id = BoardID(parts[0]), let entry = Int(parts[1]),
                let revision = Int(parts[2]), let digest = Self.bytes(of: parts[3].utf8)
            else { return nil }
            heads[id] = Head(entry: entry, revision: revision, digest: digest)
        }
        return heads
    }

    private static func digest(of bytes: [UInt8]) -> [UInt8] {
        var digest = Digest()
        digest.update(bytes)
        return digest.finish()
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(of digits: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }
}
