internal import BoardModel
internal import BoardWire

/// One socket: where it stands in its room's events, and nothing that grows without bound.
final class Session {
    enum Stage {
        /// Nothing may come but the hello.
        case awaitingHello(until: Moment)
        /// The hello came; its board is being read. What follows waits.
        case joining(Hello, waiting: [[UInt8]], bytes: Int)
        case live(Participant)
    }

    let id: SessionID
    let board: BoardID
    var stage: Stage

    /// The next event of the room's log to be sent.
    var cursor = 0
    /// The newest drag version sent.
    var dragVersion = 0
    /// Private answers, each with the position in the log before which it belongs.
    var answers: [(position: Int, event: [UInt8])] = []
    private(set) var answerBytes = 0
    /// It lacks the whole board: it just joined, or the log no longer reaches back to it.
    var needsWelcome = false
    /// What the hello said of an earlier connection.
    var resume: Hello.Resume?
    /// Nothing can be written until the transport says so.
    var isBehind = false
    /// Undecided edits of this socket; too many, and no more are read for a while.
    var undecided = 0
    var isPaused = false
    var lastSent: Moment
    /// Where it stood before the frame on its way, in case that isn't taken.
    private var before: Standing?

    private struct Standing {
        var cursor: Int
        var dragVersion: Int
        var needsWelcome: Bool
        var resume: Hello.Resume?
        /// Those that were in the frame.
        var answers: [(position: Int, event: [UInt8])]
        /// How many came to stand before the others because of the frame.
        var sequel: Int
    }

    private var errors = RateWindow(span: .seconds(60))
    private var messages = RateWindow(span: .seconds(1))

    /// Errors a minute that are answered; the next one ends the connection.
    static let errorsMax = 20
    /// Messages a second about drags that are read; beyond, the connection ends.
    static let messagesMax = 3_000
    /// What may wait for a board to be read.
    static let waitingBytesMax = 1_024 * 1_024
    /// Answers that wait for a peer, in bytes, after which it is read from no more until half of
    /// them are sent. One that never reads is then closed by the transport's own patience.
    static let answerBytesMax = 64 * 1_024
    /// Undecided edits after which reading stops until half of them are decided.
    static let undecidedMax = 256

    init(id: SessionID, board: BoardID, now: Moment, timing: Timing) {
        self.id = id
        self.board = board
        lastSent = now
        stage = .awaitingHello(until: now + timing.hello)
    }

    var participant: Participant? {
        guard case .live(let participant) = stage else { return nil }
        return participant
    }

    /// What it is closed with once everything it sent is answered; nothing more is heard of it.
    var goodbye: (code: CloseCode, reason: String)?
    /// A close was ordered, or the socket is gone: nothing is heard or said any more.
    var isClosing = false

    func answer(_ event: [UInt8], at position: Int) {
        answers.append((position, event))
        answerBytes += event.count
    }

    /// Records that a frame is on its way.
    func sent(_ portion: Portion, now: Moment) {
        before = Standing(
            cursor: cursor, dragVersion: dragVersion, needsWelcome: needsWelcome, resume: resume,
            answers: Array(answers.prefix(portion.answers)), sequel: portion.sequel.count)
        cursor = portion.cursor
        dragVersion = portion.dragVersion
        needsWelcome = false
        // Said once: what it has by then is told by where it stands.
        resume = nil
        answers.replaceSubrange(..<portion.answers, with: portion.sequel)
        answerBytes = answers.reduce(0) { $0 + $1.event.count }
        lastSent = now
    }

    /// Records that an empty frame is on its way; should it not be taken, nothing is lost.
    func sentNothing(now: Moment) {
        before = nil
        lastSent = now
    }

    /// The frame on its way was not taken.
    func refused() {
        isBehind = true
        guard let standing = before else { return }
        before = nil
        cursor = standing.cursor
        dragVersion = standing.dragVersion
        needsWelcome = standing.needsWelcome
        resume = standing.resume
        answers.replaceSubrange(..<standing.sequel, with: standing.answers)
        answerBytes = answers.reduce(0) { $0 + $1.event.count }
    }

    /// It has much undecided, or doesn't read what it was answered: no more is read for a while.
    /// Nor from one that is being sent away.
    var isBusy: Bool {
        goodbye != nil || undecided >= Self.undecidedMax || answerBytes > Self.answerBytesMax
    }

    /// Little enough is left of that to read on.
    var isIdle: Bool {
        goodbye == nil && undecided <= Self.undecidedMax / 2
            && answerBytes <= Self.answerBytesMax / 2
    }

    /// Counts an error; false when there were too many.
    func allowsError(now: Moment) -> Bool { errors.count(now: now) <= Self.errorsMax }

    /// Counts a message; false when there were too many.
    func allowsMessage(now: Moment) -> Bool { messages.count(now: now) <= Self.messagesMax }
}

/// Counts events in spans that start anew with the first event after the last one ended.
struct RateWindow {
    let span: Duration
    private var start: Moment?
    private var events = 0

    init(span: Duration) { self.span = span }

    mutating func count(now: Moment) -> Int {
        if let start, now - start < span {
            events += 1
        } else {
            start = now
            events = 1
        }
        return events
    }
}
