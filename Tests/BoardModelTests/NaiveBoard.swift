import BoardModel

/// A second implementation of the rules, as plain as can be: lists of objects, everything found by
/// searching, whole copies for every edit. It shares no code with the board it is compared with.
final class NaiveBoard {
    final class Slot {
        let icon: IconID
        let born: Int
        let by: ClientID?
        let step: Int
        var gone: Int?
        var goneBy: ClientID?
        var fills: Slot?
        var also: Set<ClientID> = []
        /// The index held, for the slot of a pinned icon.
        var pin: Int?
        /// The icon's data, for the ghost of a removed icon.
        var data: Icon?

        init(_ icon: IconID, born: Int, by: ClientID?, step: Int) {
            (self.icon, self.born, self.by, self.step) = (icon, born, by, step)
        }
    }

    struct List {
        var frame: Section
        var slots: [Slot] = []
        /// In the order in which they were pinned.
        var pins: [Slot] = []
    }

    struct Rejected: Error {
        var reason: Reason
        init(_ reason: Reason) { self.reason = reason }
    }

    struct Step {
        /// Each icon with the step of its slot after the edit, if it was still there.
        var after: [IconID: Int?]
        var made: Int
        var origins: Set<IconID>
        var lockedBefore: Set<IconID>
        /// For an update: the icon as it was and as it became.
        var update: (was: Icon, now: Icon)?
    }

    var lists: [List]
    var icons: [IconID: Icon] = [:]
    var title: String
    var revision = 0
    let window: Int
    var decided: [ClientID: [(status: Decision, revision: Int)]] = [:]
    var undos: [ClientID: [Step]] = [:]
    var redos: [ClientID: [Step]] = [:]

    init(_ board: Board, window: Int) {
        lists = []
        title = board.title
        self.window = window
        for section in board.sections { lists.append(list(of: section, by: nil, born: 0)) }
    }

    func list(of section: Section, by client: ClientID?, born: Int) -> List {
        var list = List(frame: section)
        list.frame.icons = []
        for icon in section.icons {
            icons[icon.id] = icon
            let slot = Slot(icon.id, born: born, by: client, step: born)
            slot.pin = icon.pinnedAt
            if slot.pin == nil { list.slots.append(slot) } else { list.pins.append(slot) }
        }
        return list
    }

    // MARK: What people see

    static func withPins(_ flow: [IconID], _ pins: [Slot]) -> [IconID] {
        var out = flow
        var last = -1
        for index in Set(pins.compactMap(\.pin)).sorted() {
            for pin in pins where pin.pin == index {
                last = max(min(index, out.count), last + 1)
                out.insert(pin.icon, at: last)
            }
        }
        return out
    }

    func visible(_ at: Int) -> [IconID] {
        Self.withPins(lists[at].slots.filter { $0.gone == nil }.map(\.icon), lists[at].pins)
    }

    var sections: [Section] {
        lists.indices.map { at in
            var section = lists[at].frame
            section.icons = visible(at).compactMap { icons[$0] }
            return section
        }
    }

    func find(_ icon: IconID) -> (at: Int, slot: Slot)? {
        for at in lists.indices {
            for slot in lists[at].slots + lists[at].pins where slot.icon == icon && slot.gone == nil
            {
                return (at, slot)
            }
        }
        return nil
    }

    func isPinned(_ icon: IconID) -> Bool { find(icon)?.slot.pin != nil }

    var oldest: Int { revision - window }

    // MARK: What a sender saw

    func known(_ slot: Slot, _ base: Int, _ client: ClientID) -> Bool {
        slot.born <= base || slot.by == client || slot.also.contains(client)
    }

    func saw(_ icon: IconID, _ base: Int, _ client: ClientID) -> (at: Int, slot: Slot)? {
        var best: (at: Int, slot: Slot)?
        for at in lists.indices {
            for slot in lists[at].slots + lists[at].pins
            where slot.icon == icon && known(slot, base, client) && (slot.gone ?? .max) > oldest {
                if best == nil || slot.born > best!.slot.born { best = (at, slot) }
            }
        }
        return best
    }

    /// The flow and the pins that a sender saw, without the icons it moves.
    func seen(
        _ at: Int, _ base: Int, _ client: ClientID, _ moving: [IconID]
    ) -> (flow: [Slot], view: [IconID], pins: [IconID]) {
        let all = (lists[at].slots + lists[at].pins).filter { slot in
            guard !moving.contains(slot.icon), saw(slot.icon, base, client)?.slot === slot else {
                return false
            }
            guard let gone = slot.gone else { return true }
            return gone > base && slot.goneBy != client
        }
        let flow = all.filter { $0.pin == nil }
        let living = all.filter { $0.pin != nil && $0.gone == nil }
        let pins = (living + all.filter { $0.pin != nil && $0.gone != nil })
            .sorted { $0.born < $1.born }
        return (flow, Self.withPins(flow.map(\.icon), pins), pins.map(\.icon))
    }

    // MARK: Where a target is

    func resolve(
        _ at: Int, _ target: Target, _ base: Int, _ client: ClientID, _ moving: [IconID] = []
    ) throws -> Int {
        if target.at == .start { return 0 }
        if target.at == .end { return lists[at].slots.count }
        for (anchor, isAfter) in [(target.after, true), (target.before, false)] {
            guard let anchor else { continue }
            if lists[at].pins.contains(where: { $0.icon == anchor && known($0, base, client) }) {
                let (flow, view, pins) = seen(at, base, client, moving)
                guard let index = view.firstIndex(of: anchor) else { continue }
                return beside(at, flow, view, pins, index)
            }
            let slots = lists[at].slots.filter {
                $0.icon == anchor && known($0, base, client)
                    && ($0.gone == nil || $0.gone! > max(base, oldest))
            }
            var best: Slot?
            for slot in slots where best == nil || slot.born > best!.born { best = slot }
            if let best {
                return isAfter ? past(at, best) : lists[at].slots.firstIndex { $0 === best }!
            }
        }
        guard let index = target.index else {
            throw Rejected(base < oldest ? .staleBase : .invalid)
        }
        if index < 0 { throw Rejected(.invalid) }
        if base < oldest { throw Rejected(.staleBase) }
        let (flow, view, pins) = seen(at, base, client, moving)
        return beside(at, flow, view, pins, min(index, view.count))
    }

    func beside(
        _ at: Int, _ flow: [Slot], _ view: [IconID], _ pins: [IconID], _ index: Int
    ) -> Int {
        let left = view[..<index].filter { !pins.contains($0) }
        let right = view[index...].filter { !pins.contains($0) }
        if left.isEmpty { return 0 }
        if right.isEmpty { return lists[at].slots.count }
        return past(at, flow.first { $0.icon == left.last! }!)
    }

    func past(_ at: Int, _ slot: Slot) -> Int {
        var slot = slot
        while let next = lists[at].slots.first(where: { $0.fills === slot }) { slot = next }
        return lists[at].slots.firstIndex { $0 === slot }! + 1
    }

    // MARK: Copies for taking an edit back whole

    typealias Saved = (lists: [List], icons: [IconID: Icon], title: String)

    func save() -> Saved {
        var twins: [ObjectIdentifier: Slot] = [:]
        func twin(_ slot: Slot) -> Slot {
            if let twin = twins[ObjectIdentifier(slot)] { return twin }
            let twin = Slot(slot.icon, born: slot.born, by: slot.by, step: slot.step)
            twins[ObjectIdentifier(slot)] = twin
            (twin.gone, twin.goneBy, twin.also) = (slot.gone, slot.goneBy, slot.also)
            (twin.pin, twin.data) = (slot.pin, slot.data)
            return twin
        }
        let saved = lists.map { list in
            List(frame: list.frame, slots: list.slots.map(twin), pins: list.pins.map(twin))
        }
        for slot in lists.flatMap({ $0.slots + $0.pins }) {
            if let fills = slot.fills { twin(slot).fills = twin(fills) }
        }
        return (saved, icons, title)
    }

    func restore(_ saved: Saved) {
        (lists, icons, title) = saved
    }
}
