/// A section with its slots: the flow (visible slots and ghosts in one order) and the pins.
struct SectionState: Hashable, Sendable, Codable {
    var id: SectionID
    var title: String
    var layout: Section.Layout
    var lift: Section.Lift
    var drop: Section.Drop
    var capacity: Int?
    /// The flow: unpinned icons and ghosts, in order.
    var slots: [Slot] = []
    /// Slots of pinned icons, in the order in which they are put into the flow: see `isBefore`.
    var pins: [Slot] = []

    init(_ section: Section) {
        id = section.id
        title = section.title
        layout = section.layout
        lift = section.lift
        drop = section.drop
        capacity = section.capacity
    }

    /// The section without its icons.
    var frame: Section {
        Section(
            id: id, title: title, layout: layout, lift: lift, drop: drop, capacity: capacity)
    }

    /// How many icons are visible.
    var count: Int {
        var count = pins.count
        for slot in slots where slot.isPresent { count += 1 }
        return count
    }

    /// The unpinned icons, in order.
    var flow: [IconID] {
        var icons: [IconID] = []
        icons.reserveCapacity(slots.count)
        for slot in slots where slot.isPresent { icons.append(slot.icon) }
        return icons
    }

    /// The icons as people see them.
    var visible: [IconID] {
        var icons = flow
        var cursor = PinCursor()
        for pin in pins {
            icons.insert(pin.icon, at: cursor.next(holding: pin.pin, count: icons.count))
        }
        return icons
    }

    /// Pins are put in by their index, of equal ones the eldest first: see `PinCursor`.
    static func isBefore(_ left: Slot, _ right: Slot) -> Bool {
        (left.pin, left.serial) < (right.pin, right.serial)
    }

    mutating func addPin(_ pin: Slot) {
        let index = pins.firstIndex { Self.isBefore(pin, $0) } ?? pins.count
        pins.insert(pin, at: index)
    }

    /// Where in `slots` an unpinned icon stands.
    func slotIndex(of icon: IconID) -> Int? {
        slots.firstIndex { $0.icon == icon && $0.isPresent }
    }

    func pinIndex(of icon: IconID) -> Int? {
        pins.firstIndex { $0.icon == icon }
    }

    /// Where in `slots` one with this serial is.
    func slotIndex(serial: Int) -> Int? {
        slots.firstIndex { $0.serial == serial }
    }
}
