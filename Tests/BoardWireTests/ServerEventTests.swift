import BoardModel
import BoardWire
import Testing

@Suite("Events of the server")
struct ServerEventTests {
    private let peer = Peer(number: 3, client: mia, name: "Mia \"M\"", colour: "#3366cc")
    private let place = Position(section: home, index: 4)
    private let mails = "6f9619ff-8b86-4011-b42d-00c04fc964ff"
    private let mias = "0f9619ff-8b86-4011-b42d-00c04fc964ff"

    private func check(_ event: ServerEvent, _ expected: String) throws {
        let lines = expected.split(separator: "\n").joined()
        #expect(text(event.encoded) == lines)
        #expect(try disagreement(over: event.encoded) == nil)
    }

    @Test("a commit of a peer, out of the log, and of an undo")
    func commit() throws {
        let change = Change.iconMove(moves: [
            IconMove(icon: mail, from: place, to: Position(section: home, index: 0))
        ])
        var commit = Commit(
            revision: 43, client: mia, seq: 18, at: 1_700_000_000_123, change: change)
        let edit = """
            "edit":{"kind":"icon.move","moves":[{"icon":"\(mails)",
            "from":{"section":"home","index":4},"to":{"section":"home","index":0}}]}
            """
        try check(
            .commit(commit, peer: 3),
            """
            {"type":"commit","revision":43,"peer":3,"client":"\(mias)","seq":18,"at":1700000000123,
            \(edit)}
            """)
        commit.isUndo = true
        try check(
            .commit(commit, peer: nil),
            """
            {"type":"commit","revision":43,"peer":null,"client":"\(mias)","seq":18,
            "at":1700000000123,\(edit),"undo":true}
            """)
    }

    @Test("an outcome becomes the result that says it")
    func results() throws {
        let commit = Commit(revision: 1, client: mia, seq: 1, at: 0, change: .iconMove(moves: []))
        #expect(ResultEvent(seq: 1, outcome: .applied(commit)) == nil)
        let expected: [(Outcome, String)] = [
            (.noop(revision: 43), #""status":"noop","revision":43"#),
            (
                .rejected(.sectionFull, field: nil, revision: 43),
                #""status":"rejected","revision":43,"reason":"section_full""#
            ),
            (
                .rejected(.invalid, field: "edit.to.after", revision: 43),
                #""status":"rejected","revision":43,"reason":"invalid","field":"edit.to.after""#
            ),
            (
                .duplicate(decided: .applied, revision: 43),
                #""status":"duplicate","revision":43,"decided":"applied""#
            ), (.duplicate(decided: nil, revision: 43), #""status":"duplicate","revision":43"#),
            (
                .gap(lastSeq: 17, revision: 43),
                #""status":"rejected","revision":43,"reason":"seq_gap","lastSeq":17"#
            ),
            (
                .unnumbered(revision: 43),
                #""status":"rejected","revision":43,"reason":"invalid","field":"seq""#
            ),
        ]
        for (outcome, members) in expected {
            let result = try #require(ResultEvent(seq: 19, outcome: outcome))
            try check(.result(result), #"{"type":"result","seq":19,\#(members)}"#)
        }
    }

    @Test("drags, with and without what may be left out")
    func drags() throws {
        let holder = ##"{"peer":3,"client":"\##(mias)","name":"Mia \"M\"","colour":"#3366cc"}"##
        try check(
            .dragBegan(peer: 3, drag: 1, icons: [mail]),
            #"{"type":"drag.began","peer":3,"drag":1,"icons":["\#(mails)"]}"#)
        try check(
            .dragDenied(drag: 1, reason: .held, holder: peer),
            #"{"type":"drag.denied","drag":1,"reason":"held","holder":\#(holder)}"#)
        try check(
            .dragDenied(drag: 1, reason: .noDrag, holder: nil),
            #"{"type":"drag.denied","drag":1,"reason":"no_drag"}"#)
        try check(
            .dragTarget(DragState(peer: 3, drag: 1, icons: [mail])),
            #"{"type":"drag.target","peer":3,"drag":1,"target":null,"proposal":"cancel"}"#)
        let state = DragState(
            peer: 3, drag: 1, icons: [mail], target: place, proposal: .forbidden,
            reason: .dropForbidden, point: Point(x: 0.5, y: 1), tag: "1\"2")
        try check(
            .dragTarget(state),
            #"""
            {"type":"drag.target","peer":3,"drag":1,"target":{"section":"home","index":4},
            "proposal":"forbidden","reason":"drop_forbidden","point":{"x":0.5,"y":1},"t":"1\"2"}
            """#)
        try check(
            .dragEnded(peer: 3, drag: 1, outcome: .dropped, revision: 43),
            #"{"type":"drag.ended","peer":3,"drag":1,"outcome":"dropped","revision":43}"#)
        try check(
            .dragEnded(peer: 3, drag: 1, outcome: .expired, revision: nil),
            #"{"type":"drag.ended","peer":3,"drag":1,"outcome":"expired"}"#)
    }

    @Test("presence and errors")
    func presence() throws {
        let mia = ##"{"peer":3,"client":"\##(mias)","name":"Mia \"M\"","colour":"#3366cc"}"##
        try check(.peerJoined(peer, replaces: nil), #"{"type":"peer.joined","peer":\#(mia)}"#)
        try check(
            .peerJoined(peer, replaces: 2), #"{"type":"peer.joined","peer":\#(mia),"replaces":2}"#)
        try check(.peerLeft(3), #"{"type":"peer.left","peer":3}"#)
        try check(.peerChanged(peer), #"{"type":"peer.changed","peer":\#(mia)}"#)
        var editing = peer
        editing.isEditing = true
        try check(
            .peerChanged(editing),
            #"{"type":"peer.changed","peer":\#(mia.dropLast()),"editing":true}}"#)
        let error = try #require(refusal(of: #"{"type":"drag.begin","drag":2,"icons":[]}"#))
        try check(
            .error(error.event),
            #"""
            {"type":"error","code":"invalid","message":"expected at least one icon",
            "field":"icons","drag":2}
            """#)
        try check(
            .error(ErrorEvent(code: .unknownType, message: "no")),
            #"{"type":"error","code":"unknown_type","message":"no"}"#)
    }

    @Test("a welcome with the board, and one with the commits since")
    func welcome() throws {
        let board = Board(id: home, title: "Home", revision: 42, epoch: "e1")
        var welcome = Welcome(
            peer: 3, role: .owner, epoch: "e1", revision: 42, lastSeq: 17, recovered: false,
            boardJSON: encode(board: board), peers: [peer],
            drags: [DragState(peer: 4, drag: 2, icons: [maps], target: place, proposal: .move)])
        let limits = """
            "limits":{"messageBytes":65536,"icons":2000,"labelCharacters":100,"labelBytes":400}
            """
        try check(
            .welcome(welcome),
            #"""
            {"type":"welcome","peer":3,"role":"owner","epoch":"e1","revision":42,"lastSeq":17,
            "recovered":false,"board":{"id":"home","title":"Home","revision":42,"epoch":"e1",
            "presentation":{"axis":"free","minimumPressMs":300},"sections":[]},
            "peers":[{"peer":3,"client":"\#(mias)","name":"Mia \"M\"","colour":"#3366cc"}],
            "drags":[{"peer":4,"drag":2,"icons":["\#(maps)"],
            "target":{"section":"home","index":4},"proposal":"move"}],\#(limits)}
            """#)
        welcome.boardJSON = nil
        welcome.recovered = true
        welcome.commits = [Array("{\"a\":1}".utf8), Array("{\"b\":2}".utf8)]
        welcome.peers = []
        welcome.drags = []
        try check(
            .welcome(welcome),
            #"""
            {"type":"welcome","peer":3,"role":"owner","epoch":"e1","revision":42,"lastSeq":17,
            "recovered":true,"commits":[{"a":1},{"b":2}],"peers":[],"drags":[],\#(limits)}
            """#)
    }

    @Test("events follow each other without commas, which are the frame's")
    func joined() {
        var writer = JSONWriter()
        ServerEvent.peerLeft(1).encode(into: &writer)
        ServerEvent.dragTarget(DragState(peer: 3, drag: 1, icons: [])).encode(into: &writer)
        #expect(
            text(writer.bytes) == #"{"type":"peer.left","peer":1}"#
                + #"{"type":"drag.target","peer":3,"drag":1,"target":null,"proposal":"cancel"}"#)
    }
}
