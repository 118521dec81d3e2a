/// Where a client wants icons to go, as it saw the board when the person acted.
///
/// Either `at`, or any of `after`, `before` and `index` (a final index, counted with pins and
/// without the moving icons). Resolved by the rules of docs/PROTOCOL.md, "Ordering".
public struct Target: Hashable, Sendable {
    public enum Edge: String, Hashable, Sendable, CaseIterable {
        case start, end
    }

    /// Left out: the section in which the sender saw the first icon.
    public var section: SectionID?
    public var at: Edge?
    public var after: IconID?
    public var before: IconID?
    public var index: Int?

    public init(
        section: SectionID? = nil, at: Edge? = nil, after: IconID? = nil, before: IconID? = nil,
        index: Int? = nil
    ) {
        self.section = section
        self.at = at
        self.after = after
        self.before = before
        self.index = index
    }
}

/// What a patch says of one optional field.
public enum FieldChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Not named in the patch.
    case keep
    /// `null` in the patch.
    case clear
    case set(Value)
}

public struct IconPatch: Hashable, Sendable {
    public var red: Double?
    public var green: Double?
    public var blue: Double?
    public var label: FieldChange<String> = .keep
    public var symbol: FieldChange<String> = .keep
    public var link: FieldChange<String> = .keep
    public var locked: FieldChange<Bool> = .keep
    public var pinnedAt: FieldChange<Int> = .keep

    public init() {}
}

public struct SectionPatch: Hashable, Sendable {
    public var title: String?
    public var layoutKind: Section.Layout.Kind?
    public var layoutColumns: Int?
    public var lift: Section.Lift?
    public var drop: Section.Drop?
    public var capacity: FieldChange<Int> = .keep

    public init() {}
}

public struct BoardPatch: Hashable, Sendable {
    public var title: String?
    public var axis: Presentation.Axis?
    public var minimumPressMs: Int?

    public init() {}
}

/// What a person wants; the board decides what becomes of it.
///
/// Complete: identifiers that the client left to the server are already made, so that deciding the
/// same edit again after a restart gives the same board.
public enum Edit: Hashable, Sendable {
    case iconMove(icons: [IconID], to: Target)
    case iconAdd(icon: Icon, to: Target)
    /// `newIDs` has one identifier for each of `icons`, in their order.
    case iconCopy(icons: [IconID], newIDs: [IconID], to: Target)
    case iconUpdate(icon: IconID, set: IconPatch)
    case iconRemove(icons: [IconID])
    case sectionAdd(section: Section, before: SectionID?)
    case sectionUpdate(section: SectionID, set: SectionPatch)
    case sectionMove(section: SectionID, before: SectionID?)
    case sectionRemove(section: SectionID)
    case boardUpdate(set: BoardPatch)
    case undo
    case redo
}

public enum Role: String, Hashable, Sendable, Codable {
    case viewer, editor, owner
}

/// What is to be decided for a sequence number of a client.
public enum Intent: Hashable, Sendable {
    case edit(Edit)
    /// Everything that people see is to be as it was at a restore point. No client can say
    /// this: it names a point, and the server knows what that holds.
    case restore(BoardContent)
    /// Already refused (a drop whose drag was denied, an edit that is not well formed); decided all
    /// the same, so that its sequence number is spent.
    case refused(Reason, field: String?)
    /// A drop on nothing.
    case nothing
}

/// What people see of a board, whatever its revision.
public struct BoardContent: Hashable, Sendable {
    public var title: String
    public var presentation: Presentation
    public var sections: [Section]

    public init(title: String, presentation: Presentation, sections: [Section]) {
        self.title = title
        self.presentation = presentation
        self.sections = sections
    }

    public init(_ board: Board) {
        self.init(
            title: board.title, presentation: board.presentation, sections: board.sections)
    }
}

/// One numbered intent of one client.
public struct Submission: Hashable, Sendable {
    public var client: ClientID
    /// Counts up by one per client, from 1.
    public var seq: Int
    /// The revision the client had applied when the person acted; `nil` for the newest.
    public var base: Int?
    public var role: Role
    public var intent: Intent
    /// Wall-clock time of arrival, in milliseconds since 1970; goes into the commit.
    public var at: Int

    public init(
        client: ClientID, seq: Int, base: Int?, role: Role = .owner, intent: Intent, at: Int = 0
    ) {
        self.client = client
        self.seq = seq
        self.base = base
        self.role = role
        self.intent = intent
        self.at = at
    }
}

public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    case iconGone = "icon_gone"
    case sectionGone = "section_gone"
    case sectionLocked = "section_locked"
    case iconLocked = "icon_locked"
    case iconPinned = "icon_pinned"
    case sectionFull = "section_full"
    case sectionNotEmpty = "section_not_empty"
    case dropForbidden = "drop_forbidden"
    case duplicateID = "duplicate_id"
    case staleBase = "stale_base"
    case seqGap = "seq_gap"
    case superseded
    case nothingToUndo = "nothing_to_undo"
    case nothingToRedo = "nothing_to_redo"
    case noDrag = "no_drag"
    case held
    case external
    case readOnly = "read_only"
    case invalid
    case limit
    case storage
}
