/// A board as people and clients see it: the visible lists, without ghosts.
public struct Board: Hashable, Sendable, Codable {
    public var id: BoardID
    public var title: String
    /// How many commits the board has had; each applied edit raises it by exactly one.
    public var revision: Int
    /// Changes when the board's history was lost or replaced; revisions of different epochs do not
    /// compare.
    public var epoch: String
    public var presentation: Presentation
    public var sections: [Section]

    public init(
        id: BoardID, title: String, revision: Int = 0, epoch: String,
        presentation: Presentation = Presentation(), sections: [Section] = []
    ) {
        self.id = id
        self.title = title
        self.revision = revision
        self.epoch = epoch
        self.presentation = presentation
        self.sections = sections
    }
}

/// Hints that every client of a board shares.
public struct Presentation: Hashable, Sendable, Codable {
    public enum Axis: String, Hashable, Sendable, Codable, CaseIterable {
        case free, horizontal, vertical
    }

    /// The axis a drag is held to; relayed pointer positions are clamped to it.
    public var axis: Axis
    /// How long a finger rests on an icon before it lifts, in milliseconds, 0...10,000.
    public var minimumPressMs: Int

    public init(axis: Axis = .free, minimumPressMs: Int = 300) {
        self.axis = axis
        self.minimumPressMs = minimumPressMs
    }
}

/// An ordered, titled list of icons with its own rules.
public struct Section: Hashable, Sendable, Codable {
    public struct Layout: Hashable, Sendable, Codable {
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            case grid, row
        }
        public var kind: Kind
        /// 1...64.
        public var columns: Int

        public init(kind: Kind = .grid, columns: Int = 4) {
            self.kind = kind
            self.columns = columns
        }
    }

    /// What may leave a section.
    public enum Lift: String, Hashable, Sendable, Codable, CaseIterable {
        case move, copy, none
    }

    /// What may enter a section: anything, only its own icons (reordering), or nothing.
    public enum Drop: String, Hashable, Sendable, Codable, CaseIterable {
        case any, own, none
    }

    public var id: SectionID
    public var title: String
    public var layout: Layout
    public var lift: Lift
    public var drop: Drop
    /// The most icons the section takes from elsewhere; `nil` for no limit but the board's.
    public var capacity: Int?
    public var icons: [Icon]

    public init(
        id: SectionID, title: String = "", layout: Layout = Layout(), lift: Lift = .move,
        drop: Drop = .any, capacity: Int? = nil, icons: [Icon] = []
    ) {
        self.id = id
        self.title = title
        self.layout = layout
        self.lift = lift
        self.drop = drop
        self.capacity = capacity
        self.icons = icons
    }
}

/// One coloured tile.
public struct Icon: Hashable, Sendable, Codable {
    public var id: IconID
    /// Colour components, 0...1.
    public var red: Double
    public var green: Double
    public var blue: Double
    public var label: String?
    public var symbol: String?
    public var link: String?
    /// Cannot be lifted; may be pushed along by others. Absent means no.
    public var locked: Bool?
    /// Cannot be lifted, and holds this final index while the others flow round it.
    public var pinnedAt: Int?

    public init(
        id: IconID, red: Double, green: Double, blue: Double, label: String? = nil,
        symbol: String? = nil, link: String? = nil, locked: Bool? = nil, pinnedAt: Int? = nil
    ) {
        self.id = id
        self.red = red
        self.green = green
        self.blue = blue
        self.label = label
        self.symbol = symbol
        self.link = link
        self.locked = locked
        self.pinnedAt = pinnedAt
    }
}

/// A place in a visible list. `index` is a *final index*: where the icon is once it stands there.
public struct Position: Hashable, Sendable, Codable {
    public var section: SectionID
    public var index: Int

    public init(section: SectionID, index: Int) {
        self.section = section
        self.index = index
    }
}
