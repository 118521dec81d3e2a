import BoardModel
import Testing

@Suite("Replica")
struct ReplicaTests {
    private let client = ClientID.named("u1")

    private func replica(_ board: Board) -> BoardReplica {
        BoardReplica(client: client, board: board)
    }

    private func commit(
        _ revision: Int, _ change: Change, by client: String = "u2", seq: Int = 1
    ) -> Commit {
        Commit(revision: revision, client: .named(client), seq: seq, at: 0, change: change)
    }

    private func letters(_ board: Board, _ section: Int = 0) -> String {
        board.sections[section].icons.map(\.id.name).joined()
    }

    @Test("An edit is shown at once, and sent with the neighbours that the person saw")
    func anchors() {
        var replica = replica(.sample("ABCD"))
        replica.perform(.move("A", .index(2)))
        #expect(letters(replica.shown) == "BCAD")
        #expect(letters(replica.confirmed) == "ABCD")
        replica.perform(.move("D", .index(1)))
        replica.perform(.move("B", .index(9)))
        let sent = replica.outgoing()
        #expect(sent.map(\.seq) == [1, 2, 3])
        #expect(sent.map(\.base) == [0, 0, 0])
        // The first is under nothing undecided: its index means something to the server too.
        #expect(
            sent[0].edit
                == .move(
                    "A",
                    Target(section: .named("s"), after: .named("C"), before: .named("D"), index: 2))
        )
        #expect(
            sent[1].edit
                == .move("D", Target(section: .named("s"), after: .named("B"), before: .named("C")))
        )
        #expect(sent[2].edit == .move("B", .at(.end, of: "s")))
        #expect(replica.outgoing().isEmpty)
    }

    @Test("Nothing is sent that builds on an own undo before that is answered")
    func undoHolds() throws {
        var replica = replica(.sample("ABC"))
        replica.perform(.undo)
        replica.perform(.move("A", .index(2)))
        #expect(replica.outgoing().map(\.seq) == [1])
        #expect(replica.outgoing().isEmpty)
        replica.answered(seq: 1, .rejected(.nothingToUndo, field: nil, revision: 0))
        #expect(replica.outgoing().map(\.seq) == [2])
    }

    @Test("Others' commits go under the pending edits")
    func rebase() throws {
        var replica = replica(.sample("ABCD"))
        replica.perform(.move("A", .index(2)))
        let other = IconMove(
            icon: .named("D"), from: Position(section: .named("s"), index: 3),
            to: Position(section: .named("s"), index: 0))
        try replica.heard(commit(1, .iconMove(moves: [other])))
        #expect(letters(replica.confirmed) == "DABC")
        #expect(letters(replica.shown) == "DBCA")
        try replica.heard(commit(1, .iconMove(moves: [other])))
        #expect(letters(replica.confirmed) == "DABC")
    }

    @Test("A change that does not fit is an error and leaves the board as it was")
    func strict() throws {
        let board = Board.sample("AB", "")
        let wrong: [Change] = [
            .iconMove(moves: [
                IconMove(
                    icon: .named("A"), from: Position(section: .named("s"), index: 0),
                    to: Position(section: .named("s"), index: 1)),
                IconMove(
                    icon: .named("A"), from: Position(section: .named("s"), index: 0),
                    to: Position(section: .named("s"), index: 1)),
            ]),
            .iconAdd(
                adds: [
                    IconPlacement(
                        icon: .letter("A"), position: Position(section: .named("t"), index: 0))
                ], moves: []),
            .iconAdd(
                adds: [
                    IconPlacement(
                        icon: .letter("N"), position: Position(section: .named("t"), index: 1))
                ], moves: []),
            .iconRemove(
                removes: [
                    IconRemoval(
                        icon: .named("A"), position: Position(section: .named("z"), index: 0))
                ], moves: []),
            .iconUpdate(icon: .named("Z"), set: IconPatch(), moves: []),
            .sectionAdd(section: Section(id: .named("s")), index: 0),
            .sectionMove(section: .named("s"), from: 1, to: 0),
            .sectionRemove(section: .named("s"), index: 0),
            .sectionUpdate(section: .named("z"), set: SectionPatch()),
        ]
        for change in wrong {
            var copy = board
            #expect(throws: ReplicaError.self, "\(change)") { try copy.apply(change) }
            #expect(copy == board)
        }
        var replica = replica(board)
        #expect(throws: ReplicaError.self) {
            try replica.heard(commit(2, .boardUpdate(set: BoardPatch())))
        }
    }

    @Test("A stale edit is sent again under a new number, beside the neighbours that still stand")
    func stale() {
        var replica = replica(.sample("ABCD", "X"))
        replica.perform(.move("A", .index(2)))
        _ = replica.outgoing()
        replica.perform(.move("X", .index(1, of: "t")))
        replica.answered(seq: 1, .rejected(.staleBase, field: nil, revision: 0))
        let sent = replica.outgoing()
        #expect(sent.map(\.seq) == [2, 3])
        #expect(
            sent.first?.edit
                == .move("A", Target(section: .named("s"), after: .named("C"), before: .named("D")))
        )
    }

    @Test("A gap or a failed store makes all from there on be sent again")
    func undecided() {
        var replica = replica(.sample("ABCD"))
        for icon in ["A", "B", "C"] { replica.perform(.move(icon, .at(.end, of: "s"))) }
        _ = replica.outgoing()
        replica.answered(seq: 1, .noop(revision: 0))
        replica.answered(seq: 2, .rejected(.storage, field: nil, revision: 0))
        replica.answered(seq: 3, .gap(lastSeq: 1, revision: 0))
        #expect(replica.outgoing().map(\.seq) == [2, 3])
        replica.answered(seq: 2, .gap(lastSeq: 0, revision: 0))
        #expect(replica.outgoing().map(\.seq) == [1, 2])
    }

    @Test("A welcome ends what is decided and numbers the rest anew")
    func welcome() throws {
        var replica = replica(.sample("ABCD"))
        for icon in ["A", "B", "C"] { replica.perform(.move(icon, .at(.end, of: "s"))) }
        _ = replica.outgoing()
        let move = IconMove(
            icon: .named("A"), from: Position(section: .named("s"), index: 0),
            to: Position(section: .named("s"), index: 3))
        try replica.welcomed(
            epoch: "e1", revision: 1, lastSeq: 1, board: nil,
            commits: [commit(1, .iconMove(moves: [move]), by: "u1")])
        #expect(letters(replica.confirmed) == "BCDA")
        #expect(letters(replica.shown) == "DABC")
        #expect(replica.outgoing().map(\.seq) == [2, 3])
        #expect(replica.pending.map(\.base) == [0, 0])
        #expect(throws: ReplicaError.self) {
            try replica.welcomed(epoch: "e1", revision: 3, lastSeq: 1, board: nil)
        }
        #expect(throws: ReplicaError.self) {
            try replica.welcomed(epoch: "e2", revision: 1, lastSeq: 1, board: nil)
        }
    }

    @Test("In a new epoch queued edits lose their index, and without a neighbour go to the end")
    func newEpoch() throws {
        var replica = replica(.sample("ABCD"))
        replica.perform(.move("A", .index(2)))
        var board = Board.sample("ABD")
        board.epoch = "e2"
        board.revision = 9
        var lost = replica
        try replica.welcomed(epoch: "e2", revision: 9, lastSeq: 4, board: board)
        // Number 1 is decided there: nothing is left to send.
        #expect(replica.pending.isEmpty)
        try lost.welcomed(epoch: "e2", revision: 9, lastSeq: 0, board: board)
        #expect(lost.pending.map(\.base) == [9])
        #expect(
            lost.outgoing().first?.edit
                == .move("A", Target(section: .named("s"), before: .named("D"))))
        board.sections[0].icons.removeLast()
        board.epoch = "e3"
        try lost.welcomed(epoch: "e3", revision: 9, lastSeq: 0, board: board)
        #expect(lost.outgoing().first?.edit == .move("A", .at(.end, of: "s")))
        #expect(letters(lost.shown) == "BA")
    }
}
