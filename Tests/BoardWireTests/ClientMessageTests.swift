import BoardModel
import BoardWire
import Testing

@Suite("Messages of a client")
struct ClientMessageTests {
    @Test("a hello, bare and returning")
    func hello() throws {
        #expect(
            try decode(#"{"type":"hello","client":"\#(mia)","name":"Mia"}"#)
                == .hello(Hello(client: mia, name: "Mia")))
        #expect(
            try decode(
                #"""
                {"resume":{"revision":42,"epoch":"e1"},"token":"t","name":" M\n","type":"hello",
                "client":"\#(mia.description.uppercased())","later":[{}]}
                """#)
                == .hello(
                    Hello(
                        client: mia, name: " M\n", token: "t",
                        resume: Hello.Resume(epoch: "e1", revision: 42))))
        #expect(
            try decode(
                #"{"type":"hello","client":"\#(mia)","name":"","token":null,"resume":null}"#)
                == .hello(Hello(client: mia, name: "")))
    }

    @Test("a drag from its beginning to its end")
    func drag() throws {
        #expect(
            try decode(#"{"type":"drag.begin","drag":1,"icons":["\#(mail)","\#(maps)"]}"#)
                == .dragBegin(drag: 1, icons: [mail, maps]))
        #expect(
            try decode(#"{"type":"drag.target","drag":1,"target":null}"#)
                == .dragTarget(DragTarget(drag: 1)))
        #expect(
            try decode(
                #"""
                {"type":"drag.target","drag":1,"base":42,"target":{"section":"home",
                "after":"\#(mail)","index":3},"point":{"x":0.25,"y":-7},"copy":true,"t":"17é"}
                """#)
                == .dragTarget(
                    DragTarget(
                        drag: 1, base: 42, target: Target(section: home, after: mail, index: 3),
                        point: Point(x: 0.25, y: -7), copy: true, tag: "17é")))
        #expect(
            try decode(#"{"type":"drag.cancel","drag":3.0}"#) == .dragCancel(drag: 3))
    }

    @Test("PR7: presence says whether somebody is editing")
    func presence() throws {
        #expect(
            try decode(#"{"type":"presence","editing":true}"#) == .presence(isEditing: true))
        #expect(
            try decode(#"{"type":"presence","editing":false}"#) == .presence(isEditing: false))
    }

    @Test("a drop tells a place, nothing, or nothing new")
    func drop() throws {
        #expect(
            try decode(#"{"type":"drag.drop","drag":1,"seq":18}"#)
                == .dragDrop(DragDrop(drag: 1, seq: 18)))
        #expect(
            try decode(#"{"type":"drag.drop","drag":1,"seq":18,"base":4,"target":null}"#)
                == .dragDrop(DragDrop(drag: 1, seq: 18, base: 4, target: .nothing)))
        #expect(
            try decode(
                #"""
                {"type":"drag.drop","drag":1,"seq":1e0,"target":{"section":"home","at":"end"},
                "copy":false,"newIDs":["\#(maps)"]}
                """#)
                == .dragDrop(
                    DragDrop(
                        drag: 1, seq: 1, target: .place(Target(section: home, at: .end)),
                        copy: false, newIDs: [maps])))
    }

    @Test("an edit keeps a sequence number below 1, which the board answers")
    func lowSequence() throws {
        for seq in [0, -1, -9_007_199_254_740_991] {
            #expect(
                try decode(#"{"type":"edit","seq":\#(seq),"edit":{"kind":"undo"}}"#)
                    == .edit(EditMessage(seq: seq, edit: .undo)))
        }
    }

    @Test("every kind of edit")
    func edits() throws {
        func edit(_ text: String) throws -> Edit? {
            let message = try decode(#"{"type":"edit","seq":1,"base":0,"edit":\#(text)}"#)
            guard case .edit(let message) = message else { return nil }
            return message.edit
        }
        var iconPatch = IconPatch()
        iconPatch.red = 1
        iconPatch.label = .clear
        iconPatch.pinnedAt = .set(3)
        var sectionPatch = SectionPatch()
        sectionPatch.layoutColumns = 6
        sectionPatch.capacity = .clear
        var boardPatch = BoardPatch()
        boardPatch.axis = .vertical
        let green = Icon(id: mail, red: 0, green: 1, blue: 0, label: "Mail")
        let expected: [(String, Edit)] = [
            (
                #"{"kind":"icon.move","icons":["\#(mail)"],"to":{"before":"\#(maps)"}}"#,
                .iconMove(icons: [mail], to: Target(before: maps))
            ),
            (
                #"""
                {"kind":"icon.add","icon":{"id":"\#(mail)","red":-0,"green":1.0,"blue":0,
                "label":"Mail","symbol":null},"to":{"section":"home","at":"start"}}
                """#, .iconAdd(icon: green, to: Target(section: home, at: .start))
            ),
            (
                #"""
                {"kind":"icon.update","icon":"\#(mail)",
                "set":{"red":1,"label":null,"pinnedAt":3}}
                """#,
                .iconUpdate(icon: mail, set: iconPatch)
            ),
            (
                #"{"kind":"icon.remove","icons":["\#(mail)","\#(maps)"]}"#,
                .iconRemove(icons: [mail, maps])
            ),
            (
                #"{"kind":"section.add","section":{"id":"home"}}"#,
                .sectionAdd(section: Section(id: home), before: nil)
            ),
            (
                #"""
                {"kind":"section.update","section":"home",
                "set":{"layout":{"columns":6},"capacity":null}}
                """#,
                .sectionUpdate(section: home, set: sectionPatch)
            ),
            (
                #"{"kind":"section.move","section":"home","before":null}"#,
                .sectionMove(section: home, before: nil)
            ),
            (#"{"kind":"section.remove","section":"home"}"#, .sectionRemove(section: home)),
            (
                #"{"kind":"board.update","set":{"presentation":{"axis":"vertical"}}}"#,
                .boardUpdate(set: boardPatch)
            ), (#"{"kind":"undo"}"#, .undo), (#"{"kind":"redo","more":1}"#, .redo),
        ]
        for (text, value) in expected { #expect(try edit(text) == value, "\(text)") }
    }

    @Test("identifiers left to the server are made, the client's kept, and none is made in vain")
    func newIdentifiers() throws {
        var generator = SeededGenerator(seed: 5)
        var same = SeededGenerator(seed: 5)
        let add =
            #"""
            {"type":"edit","seq":1,"edit":{"kind":"icon.add",
            "icon":{"red":0,"green":0,"blue":0},"to":{"section":"home"}}}
            """#
        let made = UniqueID.random(using: &same)
        #expect(
            try ClientMessage.decode(Array(add.utf8).span, using: &generator)
                == .edit(
                    EditMessage(
                        seq: 1,
                        edit: .iconAdd(
                            icon: Icon(id: made, red: 0, green: 0, blue: 0),
                            to: Target(section: home)))))
        let copy =
            #"""
            {"type":"edit","seq":1,"edit":{"kind":"icon.copy",
            "icons":["\#(mail)","\#(maps)"],"newIDs":["\#(mia)"],"to":{"section":"home"}}}
            """#
        let second = UniqueID.random(using: &same)
        #expect(
            try ClientMessage.decode(Array(copy.utf8).span, using: &generator)
                == .edit(
                    EditMessage(
                        seq: 1,
                        edit: .iconCopy(
                            icons: [mail, maps], newIDs: [mia, second], to: Target(section: home)))
                ))
        #expect(generator.next() == same.next())
    }

    @Test("O-40: values at the edge of a double are read as every reader reads them")
    func edges() throws {
        for (spelled, value) in [
            ("1e-400", 0), ("5e-324", Double.leastNonzeroMagnitude), ("-0", 0), ("-0.0", 0),
            ("1.0000000000000001", 1), ("3.0", 3), ("1e3", 1_000),
        ] {
            let text =
                #"""
                {"type":"edit","seq":1,"edit":{"kind":"icon.update","icon":"\#(mail)",
                "set":{"red":\#(spelled)}}}
                """#
            var patch = IconPatch()
            patch.red = value
            #expect(
                try decode(text)
                    == .edit(EditMessage(seq: 1, edit: .iconUpdate(icon: mail, set: patch))))
        }
    }
}
