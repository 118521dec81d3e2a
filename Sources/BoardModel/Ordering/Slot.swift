/// A client as slots name it: its number in the ledger, so that a slot stays small and trivial.
typealias ClientNumber = Int32

/// A place that an icon has or had.
///
/// A slot whose icon left stays in its list as a *ghost*: it marks the gap for whoever still sees
/// the icon there, and for the undo that puts the icon back. Trivial on purpose: a list of a
/// thousand is scanned, shifted and copied as plain memory.
struct Slot: Hashable, Sendable {
    /// `gone` of a slot whose icon stands there.
    static let present = Int.max
    /// `by` of a slot that came with the board.
    static let nobody: ClientNumber = 0
    /// `pin` of a slot in the flow.
    static let unpinned = -1

    var icon: IconID
    /// Never used twice on a board; 0 is no slot.
    var serial: Int
    /// The revision that put the icon here.
    var born: Int
    /// The revision of the edit that *logically* put it here; an undo gives the old one back.
    var step: Int
    /// The revision at which the icon left.
    var gone = Slot.present
    /// The serial of the ghost that an undo, a redo or an unpinning filled again with this slot.
    var fills = 0
    /// The final index that the icon holds here, when it is (or was) pinned.
    var pin = Slot.unpinned
    var by: ClientNumber
    var goneBy = Slot.nobody
    /// Somebody's edit without effect asked for this very place: see `BoardState.wanted`.
    var isWanted = false

    init(icon: IconID, serial: Int, born: Int, by: ClientNumber, step: Int) {
        self.icon = icon
        self.serial = serial
        self.born = born
        self.by = by
        self.step = step
    }

    var isPresent: Bool { gone == Slot.present }
    var isPinned: Bool { pin != Slot.unpinned }

    mutating func leave(at revision: Int, by client: ClientNumber) {
        gone = revision
        goneBy = client
    }
}

/// A client that knows a slot because its own edit without effect asked for that place.
struct Wanted: Hashable, Comparable, Sendable {
    var serial: Int
    var client: ClientNumber

    static func < (left: Wanted, right: Wanted) -> Bool {
        (left.serial, left.client) < (right.serial, right.client)
    }
}
