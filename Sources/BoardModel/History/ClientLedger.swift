/// What the board remembers of each client: the sequence with its last answers, and what it can
/// undo.
///
/// Kept in blocks: the server holds a copy of the state for each batch, and writing to one client
/// then copies one block instead of thousands of entries.
struct ClientLedger: Hashable, Sendable {
    struct Answer: Hashable, Sendable, Codable {
        var decision: Decision
        /// The board's revision when it was decided.
        var revision: Int
    }

    struct Entry: Hashable, Sendable {
        var id: ClientID
        /// 0 for a client that is only remembered as the author of a slot.
        var lastSeq = 0
        /// When it was last decided for, in milliseconds since 1970.
        var lastAt = 0
        /// The answers to the last sequence numbers, the newest last.
        var answers: [Answer] = []
        var undo: [Step] = []
        var redo: [Step] = []

        init(id: ClientID) {
            self.id = id
        }

        /// The answer to `seq`, unless it is forgotten.
        func answer(to seq: Int) -> Answer? {
            let index = answers.count - 1 - (lastSeq - seq)
            return answers.indices.contains(index) ? answers[index] : nil
        }
    }

    private static let blockSize = 32

    private var blocks: [[Entry]] = []
    private var numbers: [ClientID: ClientNumber] = [:]
    private(set) var count = 0

    init() {}

    /// Numbers count from 1, in the order in which clients came.
    func number(of client: ClientID) -> ClientNumber? {
        numbers[client]
    }

    /// The number of `client`, which gets one when it has none.
    mutating func number(enrolling client: ClientID) -> ClientNumber {
        if let number = numbers[client] { return number }
        append(Entry(id: client))
        return ClientNumber(count)
    }

    mutating func append(_ entry: Entry) {
        if count % Self.blockSize == 0 { blocks.append([]) }
        blocks[blocks.count - 1].append(entry)
        count += 1
        numbers[entry.id] = ClientNumber(count)
    }

    subscript(number: ClientNumber) -> Entry {
        get {
            let index = Int(number) - 1
            return blocks[index / Self.blockSize][index % Self.blockSize]
        }
        _modify {
            let index = Int(number) - 1
            yield &blocks[index / Self.blockSize][index % Self.blockSize]
        }
    }

    /// All entries, by number.
    var entries: [Entry] { blocks.flatMap { $0 } }

    /// Writes down how the next sequence number of a client was decided.
    mutating func record(
        _ decision: Decision, revision: Int, at time: Int, for number: ClientNumber, keeping: Int
    ) {
        self[number].lastSeq += 1
        self[number].lastAt = max(self[number].lastAt, time)
        self[number].answers.append(Answer(decision: decision, revision: revision))
        let surplus = self[number].answers.count - max(keeping, 0)
        if surplus > 0 { self[number].answers.removeFirst(surplus) }
    }

    /// Forgets what every client could undo or redo.
    mutating func forgetSteps() {
        for block in blocks.indices {
            for index in blocks[block].indices {
                blocks[block][index].undo = []
                blocks[block][index].redo = []
            }
        }
    }
}
