import BoardModel
import BoardWire
import Testing

@Suite("Changes and boards on the wire")
struct ChangeTests {
    private let id = "6f9619ff-8b86-4011-b42d-00c04fc964ff"

    @Test("every kind of change has its shape")
    func shapes() throws {
        let at = Position(section: home, index: 1)
        let move = IconMove(icon: mail, from: at, to: Position(section: home, index: 0))
        let icon = Icon(id: mail, red: 0, green: 0.5, blue: 1, locked: true)
        var iconPatch = IconPatch()
        iconPatch.label = .clear
        iconPatch.locked = .set(false)
        var sectionPatch = SectionPatch()
        sectionPatch.layoutKind = .row
        sectionPatch.capacity = .set(8)
        var boardPatch = BoardPatch()
        boardPatch.title = "Work"
        boardPatch.minimumPressMs = 0
        let moves =
            #"[{"icon":"\#(id)","from":{"section":"home","index":1},"#
            + #""to":{"section":"home","index":0}}]"#
        let section =
            #"{"id":"home","title":"","layout":{"kind":"grid","columns":4},"#
            + #""lift":"move","drop":"any","icons":[]}"#
        let placed =
            #"{"icon":{"id":"\#(id)","red":0,"green":0.5,"blue":1,"locked":true},"#
            + #""section":"home","index":1}"#
        let expected: [(Change, String)] = [
            (.iconMove(moves: [move]), #"{"kind":"icon.move","moves":\#(moves)}"#),
            (
                .iconAdd(adds: [IconPlacement(icon: icon, position: at)], moves: []),
                #"{"kind":"icon.add","adds":[\#(placed)]}"#
            ),
            (
                .iconRemove(removes: [IconRemoval(icon: mail, position: at)], moves: [move]),
                #"{"kind":"icon.remove","removes":[{"icon":"\#(id)","section":"home","index":1}],"#
                    + #""moves":\#(moves)}"#
            ),
            (
                .iconUpdate(icon: mail, set: iconPatch, moves: []),
                #"{"kind":"icon.update","icon":"\#(id)","set":{"label":null,"locked":false}}"#
            ),
            (
                .sectionAdd(section: Section(id: home), index: 2),
                #"{"kind":"section.add","section":\#(section),"index":2}"#
            ),
            (
                .sectionUpdate(section: home, set: sectionPatch),
                #"{"kind":"section.update","section":"home","#
                    + #""set":{"layout":{"kind":"row"},"capacity":8}}"#
            ),
            (
                .sectionMove(section: home, from: 1, to: 0),
                #"{"kind":"section.move","section":"home","from":1,"to":0}"#
            ),
            (
                .sectionRemove(section: home, index: 3),
                #"{"kind":"section.remove","section":"home","index":3}"#
            ),
            (
                .boardUpdate(set: boardPatch),
                #"{"kind":"board.update","set":{"title":"Work","#
                    + #""presentation":{"minimumPressMs":0}}}"#
            ),
            (
                .boardRestore(
                    title: "T", presentation: Presentation(), sections: [Section(id: home)]),
                #"{"kind":"board.restore","title":"T","#
                    + #""presentation":{"axis":"free","minimumPressMs":300},"#
                    + #""sections":[\#(section)]}"#
            ),
        ]
        for (change, json) in expected { #expect(text(encode(change: change)) == json) }
    }

    @Test("O-45: an identifier sent in upper case comes back in lower case")
    func lowerCase() throws {
        let message = try decode(
            #"{"type":"edit","seq":1,"edit":{"kind":"icon.remove","#
                + #""icons":["\#(id.uppercased())"]}}"#
        )
        guard case .edit(let edit) = message else {
            Issue.record("not an edit")
            return
        }
        #expect(text(encode(edit: edit.edit)) == #"{"kind":"icon.remove","icons":["\#(id)"]}"#)
    }

    @Test("O-46: markup and line breaks in a label are text, and one line")
    func labels() {
        let label = "</script><img src=x onerror=alert(1)>\n\u{2028}{\"type\":\"undo\"}"
        let change = Change.iconUpdate(icon: mail, set: patch(label: label), moves: [])
        #expect(
            text(encode(change: change))
                == #"{"kind":"icon.update","icon":"\#(id)","set":{"label":"</script>"#
                + #"<img src=x onerror=alert(1)>\n\u2028{\"type\":\"undo\"}"}}"#)
    }

    private func patch(label: String) -> IconPatch {
        var patch = IconPatch()
        patch.label = .set(label)
        return patch
    }
}
