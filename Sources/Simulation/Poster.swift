internal import BoardModel
internal import BoardStore
internal import BoardWire
internal import Collaboration

/// A program that edits a board over HTTP: one numbered edit at a time, said again until it is
/// answered.
final class Poster {
    private unowned let world: World
    private let client: ClientID
    private let board: BoardID
    private var seq = 0
    private var edit: Edit?
    private var lastToken: UInt64 = 0
    /// The request of the edit that waits for its answer, and the life of the server it went to.
    private var asked: (token: UInt64, life: Int)?
    /// What a PUT was sent with.
    private var putToken: UInt64?
    /// Requests about restore points that wait for their answers.
    private var pointToken: UInt64?
    private var restoreToken: UInt64?
    /// Points that were said to be kept, with the board that they hold.
    private var points: [(id: PointID, board: Board)] = []
    private var pointed: Board?

    init(_ world: World) {
        self.world = world
        client = world.dice.id()
        board = world.boards[0]
    }

    /// All it ever sent was answered.
    var isIdle: Bool { edit == nil }
    var decided: Int { isIdle ? seq : seq - 1 }
    var id: ClientID { client }

    func begin() {
        guard edit == nil else { return }
        seq += 1
        world.totals.posts += 1
        edit = .iconAdd(
            icon: Icon(id: world.dice.id(), red: 0, green: 0, blue: 1),
            to: Target(section: world.judge.board(board)?.sections.first?.id, at: .end))
        post()
    }

    /// Sends the edit, unless it is on its way; looks again a while later.
    func post() {
        guard let edit else { return }
        world.add(.post, at: world.now + 2_000_000)
        guard let host = world.host, asked?.life != host.life else { return }
        lastToken += 1
        asked = (lastToken, host.life)
        world.trace.note(world.now, .post, seq)
        ask(host, lastToken, .edit(client: client, seq: seq, base: nil, intent: .edit(edit)))
    }

    /// Replaces the board: another history from here on.
    func put() {
        guard let host = world.host, let current = world.judge.board(board) else { return }
        lastToken += 1
        putToken = lastToken
        world.trace.note(world.now, .put, current.revision)
        var sections = current.sections
        for index in sections.indices { sections[index].icons.shuffle(using: &world.dice) }
        ask(
            host, lastToken,
            .put(
                ifMatch: "\"\(current.epoch):\(current.revision)\"", title: current.title,
                presentation: current.presentation, sections: sections))
    }

    func makePoint() {
        guard let host = world.host else { return }
        lastToken += 1
        pointToken = lastToken
        world.trace.note(world.now, .point, points.count)
        ask(host, lastToken, .makePoint(name: "point \(points.count)"))
    }

    /// Brings back one of the points that were confirmed.
    func restore() {
        guard let host = world.host, !points.isEmpty else { return }
        lastToken += 1
        restoreToken = lastToken
        let point = world.dice.pick(points)
        pointed = point.board
        world.trace.note(world.now, .restore, points.count)
        ask(host, lastToken, .restore(point.id, client: nil, seq: nil, base: nil))
    }

    private func ask(_ host: Host, _ token: UInt64, _ request: BoardRequest) {
        host.respond = { [unowned self] in answered($0, $1.number) }
        host.turn { hub, time, effects in
            hub.request(
                RequestToken(token), board: board, request, time: time, into: &effects)
        }
    }

    private func answered(_ answer: Answer, _ token: UInt64) {
        world.trace.note(world.now, .answer, Int(token))
        switch answer {
        case .board where token == putToken: world.totals.replacements += 1
        case .json(let event) where token == asked?.token: take(event)
        case .created(let text) where token == pointToken: pointKept(text)
        case .json(let event) where token == restoreToken: restored(event)
        case .problem(404, _, _, _) where token == restoreToken:
            world.judge.complain("a restore point that was kept is gone")
        // A full disk, or a stop: the same is sent again.
        case .problem where token == asked?.token: asked = nil
        case .board, .json, .created, .noContent, .problem: return
        }
    }

    private func pointKept(_ text: [UInt8]) {
        guard case .string(let name)? = (try? JSONParser().parse(text))?["id"],
            let id = PointID(name), let stored = try? world.store.point(id, of: board)
        else {
            world.judge.complain("a point was confirmed that is not stored")
            return
        }
        world.totals.points += 1
        points.append((id, stored.board))
    }

    /// What everyone is told then is the board as it was.
    private func restored(_ event: [UInt8]) {
        let frame = [UInt8(ascii: "[")] + event + [UInt8(ascii: "]")]
        guard case .told(.commit(let commit, _))? = try? decodeFrame(frame).first,
            case .boardRestore(let title, let presentation, let sections) = commit.change
        else { return }
        world.totals.restores += 1
        let content = BoardContent(
            title: title, presentation: presentation, sections: sections)
        if content != pointed.map({ BoardContent($0) }) {
            world.judge.complain("another board was restored than the point holds")
        }
    }

    private func take(_ event: [UInt8]) {
        asked = nil
        let frame = [UInt8(ascii: "[")] + event + [UInt8(ascii: "]")]
        switch try? decodeFrame(frame).first {
        case .told(.commit(let commit, _)):
            if commit.seq != seq { world.judge.complain("a POST got another's answer") }
            edit = nil
        case .told(.result(let result)):
            if result.reason == .storage { return }
            if result.reason == .seqGap { world.judge.complain("a POST of \(seq) makes a gap") }
            if world.judge.durableSeq(of: client, on: board) < seq {
                world.judge.complain("a POST was answered before it was stored")
            }
            edit = nil
        default: world.judge.complain("a POST got no answer that can be read")
        }
    }
}

@available(*, unavailable)
extension Poster: Sendable {}
