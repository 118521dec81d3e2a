internal import BoardModel
internal import BoardWire

/// One board with everyone on it: who is there, what is being dragged, what is decided and what of
/// that everyone may know.
///
/// Confined to the loop thread. Two states of the board are kept: `state` with everything decided,
/// and `announced`, which is what is stored: only that is ever told. They share their memory until
/// an edit makes them differ.
final class Room {
    let id: BoardID
    let timing: Timing
    let pace: Pace
    let limits: WireLimits

    /// With every decision, stored or not; edits are decided on it.
    var state: BoardState
    /// As stored: what a welcome, a `GET` and a proposal see.
    var announced: BoardState
    /// `state` when the batch that is being written was closed.
    var writtenNext: BoardState?

    /// The number of the last entry given to the store's log.
    var entry: Int
    var entryOfSnapshot: Int
    /// The store's snapshot is known to be of `entryOfSnapshot`; of a board just read it isn't.
    var isSnapshotKnown = false
    /// Decided since the last batch was closed.
    var gathering: [Pending] = []
    /// In the batch that is being written.
    var writing: [Pending] = []
    /// What waits until a replacement or removal of the whole board is through.
    var deferred: [Deferred] = []
    /// A replacement or removal is being stored.
    var exclusive: Exclusive?

    var log: EventLog
    var commits: CommitLog
    /// The announced board as JSON text, for as long as its revision stands.
    private var snapshotText: (revision: Int, epoch: String, text: [UInt8])?

    /// By number, which is the order of arrival.
    var participants: [Participant] = []
    /// The sockets that were welcomed.
    var members: [Session] = []
    private var nextNumber = 1
    /// What clients that left may still mean by a drop that is on its way.
    var departed: [(client: ClientID, lapsed: [Int: LapsedDrag])] = []
    static let departedMax = 256

    var dragVersion = 0
    /// A commit was announced since the targets were resolved.
    var targetsAreStale = false
    /// Where the sessions that missed nothing stand.
    var lastCursor = 0
    var lastVersion = 0
    /// Something is to be told.
    var needsFlush = false
    var lastFlush: Moment
    /// When the room became empty; it is unloaded some time later.
    var emptySince: Moment?
    /// The hub will look at it at the end of the turn.
    var isTouched = false

    init(
        _ stored: StoredBoard, timing: Timing, pace: Pace, limits: WireLimits, log: EventLogLimits,
        now: Moment
    ) {
        id = stored.state.id
        self.timing = timing
        self.pace = pace
        self.limits = limits
        self.log = EventLog(limits: log)
        state = stored.state
        announced = stored.state
        entry = stored.entry
        entryOfSnapshot = stored.entry
        let first = stored.commits.first?.revision ?? stored.state.revision + 1
        commits = CommitLog(completeSince: first - 1)
        lastFlush = Moment(now.elapsed - pace.tick)
        emptySince = now
        for commit in stored.commits {
            commits.append(ServerEvent.commit(commit, peer: nil).encoded)
        }
    }

    // MARK: - Small facts

    /// Nothing decided waits for the store.
    var isSettled: Bool { gathering.isEmpty && writing.isEmpty && exclusive == nil }

    var isEmpty: Bool { participants.isEmpty && members.isEmpty }

    var etag: String { "\"\(announced.epoch):\(announced.revision)\"" }

    func takeNumber() -> Int {
        defer { nextNumber += 1 }
        return nextNumber
    }

    func participant(of client: ClientID) -> Participant? {
        participants.first { $0.client == client }
    }

    /// The announced board as JSON text; made once for each revision, however many join.
    func snapshot() -> [UInt8] {
        if let made = snapshotText, made.revision == announced.revision,
            made.epoch == announced.epoch
        {
            return made.text
        }
        let text = encode(board: announced.board)
        snapshotText = (announced.revision, announced.epoch, text)
        return text
    }

    /// Appends a public event.
    func tell(_ event: ServerEvent) {
        log.append(event.encoded, untold: lastCursor)
        needsFlush = true
    }

    /// Queues a private answer behind everything told so far.
    func tell(_ event: ServerEvent, to session: Session) {
        guard !session.isClosing else { return }
        session.answer(event.encoded, at: log.end)
        needsFlush = true
    }

    /// The board was replaced: another epoch, without a past. Everyone was sent away before.
    func become(_ next: BoardState) {
        state = next
        announced = next
        entryOfSnapshot = entry
        commits = CommitLog(completeSince: next.revision)
        snapshotText = nil
        log.clear()
        lastCursor = log.end
        lastVersion = dragVersion
        targetsAreStale = true
        departed = []
        for participant in participants { participant.lapsed = [:] }
    }

    /// The snapshot made for unloading is stored, and is what the log goes on from; or it isn't.
    func unloadAnswered(isStored: Bool) {
        guard case .unloading(let snapshot) = exclusive else { return }
        exclusive = nil
        guard isStored else { return }
        state = snapshot
        announced = snapshot
        entryOfSnapshot = entry
        isSnapshotKnown = true
    }

    /// When the room wants to be called next for its tick; `nil` when it has nothing to tell.
    var flushDue: Moment? { needsFlush ? lastFlush + pace.tick : nil }
}

@available(*, unavailable)
extension Room: Sendable {}

/// A decision, or another answer, that waits for the batch before it.
struct Pending {
    enum Origin {
        case session(Session, Participant)
        case request(RequestToken)
    }

    var seq: Int
    var outcome: Outcome
    var origin: Origin
    var isDrop = false
    /// The live drag whose drop this is.
    var drag: Drag?
    /// The lapsed one, with its number.
    var lapsed: (number: Int, drag: LapsedDrag)?
    /// The board as it was before, to be kept with this.
    var point: StoredPoint?
    /// What goes into the store's log; `nil` when nothing was decided now.
    var record: DecisionRecord?
}

/// Work that waits for its turn behind a replacement or removal of the board.
struct Deferred {
    /// Runs only once nothing decided is unstored.
    var needsSettled: Bool
    /// The HTTP request whose answer it is, to be refused when the board goes first.
    var request: RequestToken?
    var run: (Room, EventTime, inout [Effect]) -> Void
}

/// What is being done to the whole board.
enum Exclusive {
    case replacing(BoardState, RequestToken)
    case deleting(RequestToken)
    case unloading(BoardState)
}
