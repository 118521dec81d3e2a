internal import BoardModel
internal import BoardWire

/// One drag of one participant, from its begin until everyone was told of its end.
///
/// State, not a history: only the newest target counts, and it is resolved when a frame is made,
/// however many came in since the last one.
final class Drag {
    let number: Int
    let icons: [IconID]
    /// The newest target as sent, with the base it was sent for.
    private(set) var target: Target?
    private(set) var base: Int?
    private(set) var copy = false
    private(set) var point: Point?
    private(set) var tag: String?
    /// Whether a target ever came, be it `nil`.
    private(set) var hasTarget = false
    let begun: Moment
    /// When the last message about it came.
    var touched: Moment

    /// What everyone was, or is about to be, told.
    private(set) var proposal = Proposal(kind: .cancel)
    /// The room's drag version of what was told last; 0 before the first target.
    private(set) var version = 0
    /// A message came that was not made into an event yet.
    private(set) var isUnsent = false

    init(number: Int, icons: [IconID], now: Moment) {
        self.number = number
        self.icons = icons
        begun = now
        touched = now
    }

    func take(_ message: DragTarget, base: Int, point: Point?, now: Moment) {
        target = message.target
        self.base = base
        copy = message.copy
        self.point = point
        tag = message.tag
        hasTarget = true
        isUnsent = true
        touched = now
    }

    /// Records what is told now; returns whether that is news.
    func resolve(to proposal: Proposal, version: Int) -> Bool {
        guard isUnsent || proposal != self.proposal else { return false }
        self.proposal = proposal
        self.version = version
        isUnsent = false
        return true
    }

    /// As everyone sees it; `now` in place of what was told last.
    func state(peer: Int, now: Proposal? = nil) -> DragState {
        let proposal = now ?? self.proposal
        return DragState(
            peer: peer, drag: number, icons: icons, target: proposal.position,
            proposal: proposal.kind, reason: proposal.reason, point: point, tag: tag)
    }
}

/// What is remembered of a drag that ended without its person's doing, so that a drop on its way
/// still means what it meant.
struct LapsedDrag {
    var icons: [IconID]
    var target: Target?
    var base: Int?
    var copy: Bool

    init(_ drag: Drag) {
        icons = drag.icons
        target = drag.target
        base = drag.base
        copy = drag.copy
    }
}
