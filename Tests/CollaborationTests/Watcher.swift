import BoardModel
import BoardWire
import Foundation

/// A client that knows no rule: it applies what it hears, event by event, and complains when
/// something can't be.
struct Watcher {
    struct Complaint: Error, CustomStringConvertible { var description: String }

    private struct Envelope: Decodable { var board: Board? }

    let client: ClientID
    private(set) var board: Board?
    private(set) var peers: [Int: String] = [:]
    /// Live drags by peer, with their number.
    private(set) var drags: [Int: Set<Int>] = [:]
    /// Own numbers answered on this connection, in order.
    private(set) var answered: [Int] = []
    private(set) var lastSeq = 0
    private(set) var peer = 0
    private var welcomes = 0
    /// The connection was too far behind and got a second welcome.
    var isRewelcomed: Bool { welcomes > 1 }
    private(set) var commits = 0
    private(set) var ended = 0
    private(set) var targets = 0

    init(client: ClientID) { self.client = client }

    /// A new socket was opened.
    mutating func connected() { welcomes = 0 }

    mutating func hear(_ frame: [UInt8]) throws {
        guard case .array(let events) = try JSONParser().parse(frame) else {
            throw Complaint(description: "FR3: not an array")
        }
        for event in events { try hear(event, of: frame) }
    }

    private mutating func hear(_ event: JSONValue, of frame: [UInt8]) throws {
        guard case .string(let type)? = event["type"] else {
            throw Complaint(description: "an event without a type")
        }
        switch type {
        case "welcome": try welcome(event, of: frame)
        case "commit": try commit(event)
        case "result":
            let seq = try number(event, "seq")
            guard try number(event, "revision") <= (board?.revision ?? 0) else {
                throw Complaint(description: "CM8: a result ahead of its commits")
            }
            answered.append(seq)
        case "drag.began":
            let peer = try number(event, "peer")
            let drag = try number(event, "drag")
            guard peers[peer] != nil, drags[peer, default: []].insert(drag).inserted else {
                throw Complaint(description: "DR1: a drag began twice, or of nobody")
            }
        case "drag.ended":
            let (peer, drag) = (try number(event, "peer"), try number(event, "drag"))
            guard drags[peer]?.remove(drag) != nil else {
                throw Complaint(description: "DR11: a drag ended that was not live")
            }
            ended += 1
        case "drag.target":
            let (peer, drag) = (try number(event, "peer"), try number(event, "drag"))
            guard drags[peer]?.contains(drag) == true else {
                throw Complaint(description: "DR13: a target of a drag that is not live")
            }
            targets += 1
            try check(target: event["target"])
        case "peer.joined": try joined(event)
        case "peer.left":
            let peer = try number(event, "peer")
            guard peers.removeValue(forKey: peer) != nil, drags[peer, default: []].isEmpty else {
                throw Complaint(description: "PR2: left twice, or with a live drag")
            }
            drags[peer] = nil
        case "drag.denied", "error": return
        default: throw Complaint(description: "unknown event \(type)")
        }
    }

    private mutating func welcome(_ event: JSONValue, of frame: [UInt8]) throws {
        peer = try number(event, "peer")
        lastSeq = try number(event, "lastSeq")
        welcomes += 1
        answered = []
        if case .array(let missed)? = event["commits"] {
            for commit in missed { try self.commit(commit) }
        } else {
            // A welcome has a frame of its own.
            board = try JSONDecoder().decode([Envelope].self, from: Data(frame)).first?.board
        }
        guard board?.revision == (try number(event, "revision")) else {
            throw Complaint(description: "HS5: a welcome of another revision than it leads to")
        }
        peers = [:]
        drags = [:]
        for peer in array(event["peers"]) { peers[try number(peer, "peer")] = "here" }
        for drag in array(event["drags"]) {
            let (peer, number) = (try number(drag, "peer"), try number(drag, "drag"))
            drags[peer, default: []].insert(number)
            try check(target: drag["target"])
        }
    }

    private mutating func commit(_ event: JSONValue) throws {
        let revision = try number(event, "revision")
        guard let before = board, revision == before.revision + 1, let edit = event["edit"] else {
            throw Complaint(description: "CM7: revision \(revision) after \(board?.revision ?? -1)")
        }
        var after = before
        try after.apply(try decodeChange(edit))
        after.revision = revision
        board = after
        commits += 1
        let icons = after.sections.flatMap(\.icons).map(\.id)
        guard Set(icons).count == icons.count else { throw Complaint(description: "BD2: doubled") }
        if case .string(let text)? = event["client"], text == client.description,
            event["peer"] != .null
        {
            answered.append(try number(event, "seq"))
        }
    }

    private mutating func joined(_ event: JSONValue) throws {
        guard let value = event["peer"] else { throw Complaint(description: "nobody joined") }
        let peer = try number(value, "peer")
        if case .number? = event["replaces"] {
            let old = try number(event, "replaces")
            guard peers.removeValue(forKey: old) != nil else {
                throw Complaint(description: "PR4: replaces nobody")
            }
            drags[peer] = drags.removeValue(forKey: old)
        }
        peers[peer] = "here"
    }

    /// DR5: a target is a place in the list as announced.
    private func check(target: JSONValue?) throws {
        guard let target, case .string(let section)? = target["section"] else { return }
        guard let found = board?.sections.first(where: { $0.id.text == section }),
            (0...found.icons.count).contains(try number(target, "index"))
        else { throw Complaint(description: "DR5: a target outside of the list") }
    }

    private func number(_ event: JSONValue, _ key: String) throws -> Int {
        guard case .number(let number)? = event[key], let integer = number.integer else {
            throw Complaint(description: "\(key) is not a number")
        }
        return integer
    }

    private func array(_ value: JSONValue?) -> [JSONValue] {
        guard case .array(let items)? = value else { return [] }
        return items
    }
}
