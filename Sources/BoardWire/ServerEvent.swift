public import BoardModel

/// What the server may say; a frame is an array of these.
public enum ServerEvent: Hashable, Sendable {
    case welcome(Welcome)
    /// `peer` is `nil` for an edit over HTTP and for a commit out of the log.
    case commit(Commit, peer: Int?)
    case result(ResultEvent)
    case dragBegan(peer: Int, drag: Int, icons: [IconID])
    case dragDenied(drag: Int, reason: Reason, holder: Peer?)
    case dragTarget(DragState)
    case dragEnded(peer: Int, drag: Int, outcome: DragOutcome, revision: Int?)
    /// `replaces` is the number under which the same client was known before.
    case peerJoined(Peer, replaces: Int?)
    case peerLeft(Int)
    case peerChanged(Peer)
    case error(ErrorEvent)
}

/// Somebody on a board.
public struct Peer: Hashable, Sendable {
    /// The wire's `peer`: one connection's number, never used again on the same board.
    public var number: Int
    public var client: ClientID
    public var name: String
    /// `#rrggbb`, chosen by the server.
    public var colour: String
    /// In an edit mode: about to change more than the order.
    public var isEditing: Bool

    public init(
        number: Int, client: ClientID, name: String, colour: String, isEditing: Bool = false
    ) {
        self.number = number
        self.client = client
        self.name = name
        self.colour = colour
        self.isEditing = isEditing
    }
}

/// A live drag, as everyone sees it.
public struct DragState: Hashable, Sendable {
    public var peer: Int
    public var drag: Int
    /// Told in `welcome` and `drag.began`, not with each target.
    public var icons: [IconID]
    /// Where the block would land; `nil` over nothing.
    public var target: Position?
    public var proposal: Proposal.Kind
    public var reason: Reason?
    public var point: Point?
    /// The wire's `t`.
    public var tag: String?

    public init(
        peer: Int, drag: Int, icons: [IconID], target: Position? = nil,
        proposal: Proposal.Kind = .cancel, reason: Reason? = nil, point: Point? = nil,
        tag: String? = nil
    ) {
        self.peer = peer
        self.drag = drag
        self.icons = icons
        self.target = target
        self.proposal = proposal
        self.reason = reason
        self.point = point
        self.tag = tag
    }
}

/// How a drag ended.
public enum DragOutcome: String, Hashable, Sendable, CaseIterable {
    case dropped, cancelled, rejected, expired, disconnected, removed, forbidden
}

/// The answer to an edit or drop that was not applied.
public struct ResultEvent: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable, CaseIterable {
        case noop, rejected, duplicate
    }

    public var seq: Int
    public var status: Status
    /// The board's when it was decided.
    public var revision: Int
    public var reason: Reason?
    public var field: String?
    /// What a duplicate's first was; `nil` when that is forgotten.
    public var decided: Decision?
    /// The client's highest decided number; with `seq_gap`.
    public var lastSeq: Int?

    public init(
        seq: Int, status: Status, revision: Int, reason: Reason? = nil, field: String? = nil,
        decided: Decision? = nil, lastSeq: Int? = nil
    ) {
        self.seq = seq
        self.status = status
        self.revision = revision
        self.reason = reason
        self.field = field
        self.decided = decided
        self.lastSeq = lastSeq
    }

    /// The result that says `outcome`; `nil` for an applied edit, which its commit says.
    public init?(seq: Int, outcome: Outcome) {
        switch outcome {
        case .applied: return nil
        case .noop(let revision): self.init(seq: seq, status: .noop, revision: revision)
        case .rejected(let reason, let field, let revision):
            self.init(
                seq: seq, status: .rejected, revision: revision, reason: reason, field: field)
        case .duplicate(let decided, let revision):
            self.init(seq: seq, status: .duplicate, revision: revision, decided: decided)
        case .gap(let lastSeq, let revision):
            self.init(
                seq: seq, status: .rejected, revision: revision, reason: .seqGap, lastSeq: lastSeq)
        case .unnumbered(let revision):
            self.init(
                seq: seq, status: .rejected, revision: revision, reason: .invalid, field: "seq")
        }
    }
}

/// A complaint about a message without a readable `seq`.
public struct ErrorEvent: Hashable, Sendable {
    public var code: MessageError.Code
    public var message: String
    public var field: String?
    public var drag: Int?

    public init(
        code: MessageError.Code, message: String, field: String? = nil, drag: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.drag = drag
    }
}
