/// The authoritative board: what people see, and all that decides how their edits land.
///
/// A plain value. Copying one costs a few reference counts; writing to a copy copies the section
/// that is written to. Everything that decides an outcome is part of the persisted form, so that a
/// board that was saved and read back decides exactly like one that was not.
public struct BoardState: Sendable, Equatable {
    public let id: BoardID
    public internal(set) var title: String
    public internal(set) var revision: Int
    public internal(set) var epoch: String
    public internal(set) var presentation: Presentation
    /// What the board may hold. Not part of the persisted form: set it after decoding.
    public var limits: BoardLimits

    var sections: [SectionState]
    /// The data of the icons on the board; where they stand is told by slots alone.
    var icons: [IconID: Icon]
    /// The data of icons that were removed, by the serial of the ghost they left.
    var removed: [Int: Icon] = [:]
    /// Clients whose edits without effect asked for the place that an icon has.
    var wanted: Set<Wanted> = []
    var ledger = ClientLedger()
    var lastSerial = 0
    /// An upper bound of the length of the snapshot as JSON text: see `Board.jsonBytes`.
    public internal(set) var jsonBytes: Int

    /// A board with the given lists, at the given revision and epoch.
    ///
    /// Throws the first fault, with the path of its field. Pinned icons are put at the index they
    /// hold, wherever they stand in `board`. O(icons).
    public init(board: Board, limits: BoardLimits = BoardLimits()) throws(BoardProblem) {
        let board = try limits.checked(board)
        id = board.id
        title = board.title
        revision = board.revision
        epoch = board.epoch
        presentation = board.presentation
        self.limits = limits
        jsonBytes = board.jsonBytes
        icons = [:]
        sections = []
        fill(board.sections)
    }

    /// Replaces everything that people see: a new epoch, one revision on. Ghosts and undo are
    /// forgotten, the sequences of clients are not.
    ///
    /// Throws the first fault and changes nothing.
    public mutating func replace(
        title: String, presentation: Presentation, sections: [Section], epoch: String
    ) throws(BoardProblem) {
        let board = try limits.checked(
            Board(
                id: id, title: title, revision: revision + 1, epoch: epoch,
                presentation: presentation, sections: sections))
        self.title = board.title
        self.presentation = board.presentation
        self.epoch = board.epoch
        revision = board.revision
        jsonBytes = board.jsonBytes
        removed = [:]
        wanted = []
        ledger.forgetSteps()
        fill(board.sections)
    }

    /// Sets all sections; every slot is born now, unless told.
    mutating func fill(_ lists: [Section], bornAt birth: Int? = nil) {
        icons = [:]
        icons.reserveCapacity(lists.reduce(0) { $0 + $1.icons.count })
        sections = []
        for list in lists {
            sections.append(populated(list, by: Slot.nobody, at: birth ?? revision))
        }
    }

    /// The slots of a checked section; its icons' data are taken in.
    mutating func populated(
        _ list: Section, by client: ClientNumber, at revision: Int
    ) -> SectionState {
        var section = SectionState(list)
        section.slots.reserveCapacity(list.icons.count)
        for icon in list.icons {
            icons[icon.id] = icon
            var slot = newSlot(icon.id, at: revision, by: client)
            if let index = icon.pinnedAt {
                slot.pin = index
                section.addPin(slot)
            } else {
                section.slots.append(slot)
            }
        }
        return section
    }

    mutating func newSlot(
        _ icon: IconID, at revision: Int, by client: ClientNumber, step: Int? = nil
    ) -> Slot {
        lastSerial += 1
        return Slot(
            icon: icon, serial: lastSerial, born: revision, by: client, step: step ?? revision)
    }
}

// MARK: - What people see

extension BoardState {
    /// How many icons stand on the board.
    public var iconCount: Int { icons.count }

    /// The board as clients see it. O(icons).
    public var board: Board {
        Board(
            id: id, title: title, revision: revision, epoch: epoch, presentation: presentation,
            sections: sections.map(section))
    }

    /// The icons of a section in order, pinned ones included; `nil` when there is no such section.
    /// O(slots).
    public func visible(_ section: SectionID) -> [IconID]? {
        sectionIndex(of: section).map { sections[$0].visible }
    }

    public func icon(_ id: IconID) -> Icon? { icons[id] }

    /// Where an icon stands; `nil` when it is not on the board. O(slots).
    public func position(of icon: IconID) -> Position? {
        guard icons[icon] != nil, let place = place(of: icon),
            let index = sections[place.section].visible.firstIndex(of: icon)
        else { return nil }
        return Position(section: sections[place.section].id, index: index)
    }

    func section(_ state: SectionState) -> Section {
        var section = state.frame
        section.icons = state.visible.compactMap { icons[$0] }
        return section
    }

    func sectionIndex(of section: SectionID) -> Int? {
        sections.firstIndex { $0.id == section }
    }
}

// MARK: - Where an icon stands

/// Where in the state an icon stands.
struct Place: Hashable, Sendable {
    /// An index of `sections`.
    var section: Int
    /// An index of the section's `pins` when pinned, else of its `slots`.
    var index: Int
    var isPinned: Bool
}

extension BoardState {
    func place(of icon: IconID) -> Place? {
        for section in sections.indices {
            if let index = sections[section].slotIndex(of: icon) {
                return Place(section: section, index: index, isPinned: false)
            }
            if let index = sections[section].pinIndex(of: icon) {
                return Place(section: section, index: index, isPinned: true)
            }
        }
        return nil
    }

    func slot(at place: Place) -> Slot {
        place.isPinned
            ? sections[place.section].pins[place.index]
            : sections[place.section].slots[place.index]
    }

    func isLocked(_ icon: IconID) -> Bool { icons[icon]?.locked ?? false }
}
