internal import BoardModel
internal import BoardWire
internal import Collaboration

/// One connection: a pipe each way, late, bounded, and lost when the world says so.
final class Link {
    /// What a client sends down its pipe.
    enum Upward {
        case open
        case text([UInt8])
        case goodbye
    }

    /// What the server sends, with what was on the disk by then: the board's revision and the
    /// client's highest decided number.
    enum Downward {
        case frame([UInt8], durable: Int, durableSeq: Int)
        case close(CloseCode)
    }

    let id: SessionID
    let person: Person
    /// The life of the server that it leads to.
    let life: Int

    var up: [(arrival: Int, piece: Upward)] = []
    var down: [(arrival: Int, piece: Downward)] = []
    private var lastUp = 0
    private var lastDown = 0

    /// Each side has its own idea of whether it still stands.
    var isOpenAtServer = false
    var isOpenAtClient = true
    /// When the server heard its hello.
    var greetedAt: Int?
    /// Nothing passes any more.
    var isCut = false
    /// The client doesn't read.
    var isStalled = false
    /// The server doesn't read.
    var isPaused = false
    /// What the server sent and the client has not read, in bytes.
    var outstanding = 0
    /// Since when the server could send nothing.
    var stuckSince: Int?

    init(id: SessionID, person: Person, life: Int) {
        self.id = id
        self.person = person
        self.life = life
    }

    /// Whether the server heard this one say hello after `later`, which was opened after it.
    func wasHeardAfter(_ later: Link) -> Bool {
        guard id.number < later.id.number, let greetedAt, let other = later.greetedAt else {
            return false
        }
        return greetedAt >= other
    }

    /// Both pipes keep the order: when the piece arrives.
    func send(_ piece: Upward, at arrival: Int) -> Int {
        lastUp = max(lastUp, arrival)
        up.append((lastUp, piece))
        return lastUp
    }

    func send(_ piece: Downward, at arrival: Int) -> Int {
        lastDown = max(lastDown, arrival)
        if case .frame(let text, _, _) = piece { outstanding += text.count }
        // What is sent after the cut only fills the buffer.
        if !isCut { down.append((lastDown, piece)) }
        return lastDown
    }

    /// Loses what is on its way, but for a part at the front of each pipe: a write may be flushed
    /// in part. Answers when the last of what the server still hears arrives.
    func cut(keepingUp kept: Int, down keptDown: Int) -> Int {
        isCut = true
        up.removeLast(max(0, up.count - kept))
        down.removeLast(max(0, down.count - keptDown))
        return up.last?.arrival ?? 0
    }
}
