/// What an applied edit did to the visible lists; applying it needs no rule.
///
/// `moves` at the end of a case put pinned icons back to the index they hold. Everything is done
/// one after the other; each move takes the icon out, then inserts it.
public enum Change: Hashable, Sendable {
    case iconMove(moves: [IconMove])
    case iconAdd(adds: [IconPlacement], moves: [IconMove])
    case iconRemove(removes: [IconRemoval], moves: [IconMove])
    case iconUpdate(icon: IconID, set: IconPatch, moves: [IconMove])
    case sectionAdd(section: Section, index: Int)
    case sectionUpdate(section: SectionID, set: SectionPatch)
    case sectionMove(section: SectionID, from: Int, to: Int)
    case sectionRemove(section: SectionID, index: Int)
    case boardUpdate(set: BoardPatch)
    case boardRestore(title: String, presentation: Presentation, sections: [Section])
}

public struct IconMove: Hashable, Sendable {
    public var icon: IconID
    public var from: Position
    public var to: Position

    public init(icon: IconID, from: Position, to: Position) {
        self.icon = icon
        self.from = from
        self.to = to
    }
}

public struct IconPlacement: Hashable, Sendable {
    public var icon: Icon
    public var position: Position

    public init(icon: Icon, position: Position) {
        self.icon = icon
        self.position = position
    }
}

public struct IconRemoval: Hashable, Sendable {
    public var icon: IconID
    public var position: Position

    public init(icon: IconID, position: Position) {
        self.icon = icon
        self.position = position
    }
}

/// An applied edit: exactly one revision.
public struct Commit: Hashable, Sendable {
    public var revision: Int
    public var client: ClientID
    public var seq: Int
    /// Milliseconds since 1970.
    public var at: Int
    public var change: Change
    /// The change takes back an earlier step of the same client.
    public var isUndo: Bool

    public init(
        revision: Int, client: ClientID, seq: Int, at: Int, change: Change, isUndo: Bool = false
    ) {
        self.revision = revision
        self.client = client
        self.seq = seq
        self.at = at
        self.change = change
        self.isUndo = isUndo
    }
}

/// How a sequence number was decided, remembered for its repeats.
public enum Decision: String, Hashable, Sendable, Codable {
    case applied, noop, rejected
}

/// The answer to a submission.
public enum Outcome: Hashable, Sendable {
    case applied(Commit)
    case noop(revision: Int)
    case rejected(Reason, field: String?, revision: Int)
    /// Decided before; nothing was done now. `decided` is `nil` when that answer is forgotten.
    case duplicate(decided: Decision?, revision: Int)
    /// The sequence number is neither decided nor the next one; nothing was decided now.
    case gap(lastSeq: Int, revision: Int)
    /// The sequence number is below 1; nothing was decided now.
    case unnumbered(revision: Int)

    /// Whether this answer spent the sequence number, so that it must be stored.
    public var isDecision: Bool {
        switch self {
        case .applied, .noop, .rejected: true
        case .duplicate, .gap, .unnumbered: false
        }
    }
}

/// What would become of a drop, asked without any effect.
public struct Proposal: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, Codable {
        case move, copy, forbidden, cancel
    }

    public var kind: Kind
    public var reason: Reason?
    /// Where the block's first icon would land, with the drag's own icons taken out; `nil` when the
    /// target names no place on this board.
    public var position: Position?

    public init(kind: Kind, reason: Reason? = nil, position: Position? = nil) {
        self.kind = kind
        self.reason = reason
        self.position = position
    }
}
