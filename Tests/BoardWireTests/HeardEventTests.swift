import BoardModel
import BoardWire
import Testing

/// The client's half of the wire: what it writes the server reads, and the other way round.
@Suite("What clients write and hear")
struct HeardEventTests {
    @Test("a message that a client writes is read back equal", arguments: seeds)
    func messages(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let message = message(&generator)
            let written = text(message.encoded)
            #expect(try decode(written) == message, "seed \(seed): \(written)")
            #expect(try disagreement(over: message.encoded) == nil, "seed \(seed)")
        }
    }

    @Test("events that a server writes are heard as they were meant", arguments: seeds)
    func events(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let events = (0..<50).map { _ in event(&generator) }
        let frame = "[" + events.map { text($0.encoded) }.joined(separator: ",") + "]"
        #expect(try decodeFrame(Array(frame.utf8)) == events.map(HeardEvent.told), "seed \(seed)")
    }

    @Test("a welcome brings the board, or the commits since", arguments: seeds)
    func welcomes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let board = generator.board()
        let commits = (1...3).map { commit(&generator, revision: $0) }
        let peers = (1...3).map { peer(&generator, number: $0) }
        for recovered in [true, false] {
            let welcome = Welcome(
                peer: 3, role: .editor, epoch: board.epoch, revision: 3, lastSeq: 17,
                recovered: recovered, boardJSON: recovered ? nil : encode(board: board),
                commits: recovered
                    ? commits.map { ServerEvent.commit($0, peer: nil).encoded } : nil,
                peers: peers, drags: [state(&generator)])
            let frame =
                [UInt8(ascii: "[")] + ServerEvent.welcome(welcome).encoded + [UInt8(ascii: "]")]
            guard case .welcome(let heard) = try decodeFrame(frame).first else {
                Issue.record("no welcome")
                return
            }
            #expect(heard.board == (recovered ? nil : board), "seed \(seed)")
            #expect(heard.commits == (recovered ? commits : []), "seed \(seed)")
            #expect(heard.peers == peers && heard.drags == welcome.drags, "seed \(seed)")
            #expect(heard.peer == 3 && heard.role == .editor && heard.epoch == board.epoch)
            #expect(heard.revision == 3 && heard.lastSeq == 17)
        }
    }

    @Test("an event of a later version is named, not refused")
    func unknown() throws {
        let heard = try decodeFrame(Array(#"[{"type":"weather","sun":1}]"#.utf8))
        #expect(heard == [.unknown(type: "weather")])
    }

    @Test(
        "what no server says is refused with its place",
        arguments: [
            ("{}", nil), ("[1]", "[0]"), ("[", nil), (#"[{"type":"commit"}]"#, "[0].edit"),
            (#"[{"type":"drag.began","peer":1,"drag":1}]"#, "[0].icons"),
            (#"[{"type":"result","seq":1,"status":"fine","revision":1}]"#, "[0].status"),
        ])
    func refused(frame: String, field: String?) {
        do throws(MessageError) {
            let heard = try decodeFrame(Array(frame.utf8))
            Issue.record("heard \(heard)")
        } catch {
            #expect(error.field == field)
        }
    }

    @Test("a result says the outcome that it was made of")
    func outcomes() throws {
        let outcomes: [Outcome] = [
            .noop(revision: 4), .rejected(.held, field: "icons", revision: 4),
            .duplicate(decided: .noop, revision: 4), .gap(lastSeq: 3, revision: 4),
        ]
        for outcome in outcomes {
            #expect(ResultEvent(seq: 9, outcome: outcome)?.outcome == outcome)
        }
    }

    // MARK: - Random values

    private func message(_ generator: inout SeededGenerator) -> ClientMessage {
        let number = generator.natural()
        switch generator.int(0...6) {
        case 0:
            let resume = generator.maybe { Hello.Resume(epoch: $0.text(), revision: $0.natural()) }
            return .hello(
                Hello(
                    client: generator.id(), name: generator.text(),
                    token: generator.maybe { $0.text() }, resume: resume))
        case 1: return .dragBegin(drag: number, icons: generator.many(1...3) { $0.id() })
        case 2: return .dragTarget(generator.dragTarget())
        case 3:
            let places: [DropTarget] = [.last, .nothing, .place(generator.target())]
            return .dragDrop(
                DragDrop(
                    drag: number, seq: generator.natural(), base: generator.maybe { $0.natural() },
                    target: generator.pick(places), copy: generator.maybe { $0.oneIn(2) },
                    newIDs: generator.many(0...3) { $0.id() }))
        case 4: return .dragCancel(drag: number)
        case 5:
            return .edit(
                EditMessage(
                    seq: number, base: generator.maybe { $0.natural() }, edit: generator.edit()))
        default: return .presence(isEditing: generator.oneIn(2))
        }
    }

    private func event(_ generator: inout SeededGenerator) -> ServerEvent {
        let (number, drag) = (generator.natural(), generator.natural())
        let someone = peer(&generator, number: number)
        switch generator.int(0...9) {
        case 0:
            return .commit(
                commit(&generator, revision: number), peer: generator.maybe { $0.natural() })
        case 1:
            return .result(
                ResultEvent(
                    seq: number, status: generator.pick(ResultEvent.Status.allCases),
                    revision: generator.natural(),
                    reason: generator.maybe { $0.pick(Reason.allCases) },
                    field: generator.maybe { $0.text() },
                    decided: generator.maybe { $0.pick([.applied, .noop, .rejected]) },
                    lastSeq: generator.maybe { $0.natural() }))
        case 2:
            return .dragBegan(peer: number, drag: drag, icons: generator.many(0...3) { $0.id() })
        case 3:
            return .dragDenied(
                drag: drag, reason: generator.pick(Reason.allCases),
                holder: generator.oneIn(2) ? someone : nil)
        case 4:
            var state = state(&generator)
            state.icons = []
            state.tag = generator.maybe { $0.text() }
            return .dragTarget(state)
        case 5:
            return .dragEnded(
                peer: number, drag: drag, outcome: generator.pick(DragOutcome.allCases),
                revision: generator.maybe { $0.natural() })
        case 6: return .peerJoined(someone, replaces: generator.maybe { $0.natural() })
        case 7: return .peerLeft(number)
        case 8: return .peerChanged(someone)
        default:
            return .error(
                ErrorEvent(
                    code: generator.pick([.malformed, .unknownType, .invalid]),
                    message: generator.text(), field: generator.maybe { $0.text() },
                    drag: generator.maybe { $0.natural() }))
        }
    }

    private func commit(_ generator: inout SeededGenerator, revision: Int) -> Commit {
        Commit(
            revision: revision, client: generator.id(), seq: generator.natural(),
            at: generator.natural(), change: generator.change(), isUndo: generator.oneIn(2))
    }

    private func peer(_ generator: inout SeededGenerator, number: Int) -> Peer {
        Peer(
            number: number, client: generator.id(), name: generator.text(), colour: "#336699",
            isEditing: generator.oneIn(2))
    }

    private func state(_ generator: inout SeededGenerator) -> DragState {
        DragState(
            peer: generator.natural(), drag: generator.natural(),
            icons: generator.many(1...3) { $0.id() }, target: generator.maybe { $0.position() },
            proposal: generator.pick([.cancel, .copy, .forbidden, .move]),
            reason: generator.maybe { $0.pick(Reason.allCases) },
            point: generator.maybe { Point(x: $0.double(), y: $0.double()) })
    }
}
