internal import BoardModel
internal import BoardWire

/// One client on one board: outlives its socket for the grace, and keeps its drag meanwhile.
final class Participant {
    let client: ClientID
    let colour: String
    var name: String
    /// Said anew on each connection.
    var isEditing = false
    let role: Role
    /// The wire's `peer`; a client that comes back gets a new one.
    var number: Int
    /// `nil` while its socket is lost.
    var session: Session?
    /// When the grace of a lost socket ends.
    var leavesAt: Moment?
    /// It left, and is gone once its last drop is decided.
    var isLeaving = false

    /// The live drag, if any; at most one.
    var drag: Drag?
    /// Drags whose drop is being decided.
    var deciding: [Drag] = []
    /// The highest drag number begun on this connection.
    var dragHighest = 0
    /// Drags of this connection that lapsed, by number.
    var lapsed: [Int: LapsedDrag] = [:]
    /// Begins that were refused, by number: a drop of one is refused for the same reason.
    var denied: [Int: Reason] = [:]

    /// How many lapsed and denied drags are remembered; a client with more than this in flight has
    /// long since been told.
    static let memoryMax = 64

    init(client: ClientID, name: String, role: Role, number: Int, session: Session) {
        self.client = client
        self.name = name
        self.role = role
        self.number = number
        self.session = session
        colour = Palette.colour(of: client)
    }

    var peer: Peer {
        Peer(number: number, client: client, name: name, colour: colour, isEditing: isEditing)
    }

    /// The drag of that number, live or lapsed, as a drop of it means it.
    func dragged(_ number: Int) -> LapsedDrag? {
        if let drag, drag.number == number { return LapsedDrag(drag) }
        return lapsed[number]
    }

    /// From its drop on: takes the live drag of that number out, if it is the one.
    func beginDeciding(drag number: Int) -> Drag? {
        guard let dropped = drag, dropped.number == number else { return nil }
        drag = nil
        deciding.append(dropped)
        return dropped
    }

    func remember(denied reason: Reason, drag: Int) {
        if denied.count >= Self.memoryMax, let oldest = denied.keys.min() {
            denied[oldest] = nil
        }
        denied[drag] = reason
    }

    func remember(lapsed ended: Drag) {
        if lapsed.count >= Self.memoryMax, let oldest = lapsed.keys.min() {
            lapsed[oldest] = nil
        }
        lapsed[ended.number] = LapsedDrag(ended)
    }

    /// A new socket of the same client took over: drag numbers count anew, above a live one.
    func beginConnection(_ session: Session, number: Int, name: String) {
        self.session = session
        self.number = number
        self.name = name
        isEditing = false
        leavesAt = nil
        denied = [:]
        dragHighest = max(drag?.number ?? 0, deciding.map(\.number).max() ?? 0)
    }
}

/// The colours of people: told apart at a glance, and readable under white text.
enum Palette {
    static let colours = [
        "#d32f2f", "#c2185b", "#7b1fa2", "#512da8", "#303f9f", "#1565c0", "#00697a", "#00796b",
        "#2e7d32", "#8a5a00", "#bf360c", "#6d4c41",
    ]

    /// The same for a client wherever and whenever it joins.
    static func colour(of client: ClientID) -> String {
        // Mixed, because version 4 identifiers aside, clients may count theirs up.
        var mixed = client.high ^ client.low
        mixed = (mixed ^ mixed >> 33) &* 0xff51_afd7_ed55_8ccd
        mixed ^= mixed >> 33
        return colours[Int(mixed % UInt64(colours.count))]
    }
}
