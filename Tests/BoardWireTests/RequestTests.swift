import BoardModel
import BoardWire
import Foundation
import Testing

@Suite("HTTP bodies")
struct RequestTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func field(_ read: () throws(MessageError) -> Void) -> String? {
        do throws(MessageError) {
            try read()
            return "accepted"
        } catch {
            return error.field
        }
    }

    @Test("a PUT takes title, presentation and sections, and nothing else")
    func put() throws {
        let body = try decodeBoardBody(
            bytes(
                #"""
                {"id":7,"revision":"x","epoch":null,"later":[],"title":"Home","sections":[
                {"id":"a"},{"id":"b","title":"B","layout":{"kind":"row"},"lift":"copy","drop":"own",
                "capacity":3,"icons":[{"id":"\#(mail)","red":0,"green":0,"blue":1,"pinnedAt":0}]}]}
                """#))
        #expect(body.title == "Home")
        #expect(body.presentation == Presentation())
        #expect(
            body.sections == [
                Section(id: Slug("a")!),
                Section(
                    id: Slug("b")!, title: "B", layout: Section.Layout(kind: .row, columns: 4),
                    lift: .copy, drop: .own, capacity: 3,
                    icons: [Icon(id: mail, red: 0, green: 0, blue: 1, pinnedAt: 0)]),
            ])
    }

    @Test(
        "a PUT that is no board names the field",
        arguments: [
            ("{}", "title"), (#"{"title":"x"}"#, "sections"), (#"{"title":7}"#, "title"),
            (#"{"title":"x","sections":{}}"#, "sections"),
            (#"{"title":"x","sections":[7]}"#, "sections[0]"),
            (#"{"title":"x","sections":[{"id":"a"},{}]}"#, "sections[1].id"),
            (#"{"title":"x","sections":[{"id":"a","icons":[{}]}]}"#, "sections[0].icons[0].id"),
            (#"{"title":"x","sections":[],"presentation":{"axis":1}}"#, "presentation.axis"),
            (#"{"title":"x","sections":[],"epoch":1e400}"#, "epoch"),
            (#"{"title":"x","title":"y","sections":[]}"#, "title"),
        ])
    func badPut(_ text: String, _ path: String) {
        #expect(field { () throws(MessageError) in _ = try decodeBoardBody(bytes(text)) } == path)
    }

    @Test("a new board may say its id, title and template")
    func create() throws {
        #expect(try decodeCreate(bytes("{}")) == CreateRequest())
        #expect(
            try decodeCreate(bytes(#"{"id":"team-1","title":"Team","template":"channels"}"#))
                == CreateRequest(id: Slug("team-1"), title: "Team", template: .channels))
        for (text, path) in [
            (#"{"id":"A"}"#, "id"), (#"{"id":7}"#, "id"), (#"{"title":7}"#, "title"),
            (#"{"template":"x"}"#, "template"), (#"{"id":""}"#, "id"),
        ] {
            #expect(field { () throws(MessageError) in _ = try decodeCreate(bytes(text)) } == path)
        }
        for text in ["", "[]", "null", "{"] {
            #expect(
                throws: MessageError.self, performing: { try decodeCreate(bytes(text)) })
        }
    }

    @Test("an edit over HTTP, and what is kept of a bad one")
    func edit() throws {
        var generator = SeededGenerator(seed: 1)
        let request = try decodeEditRequest(
            bytes(#"{"client":"\#(mia)","seq":2,"base":5,"edit":{"kind":"undo"}}"#),
            using: &generator)
        #expect(request.client == mia)
        #expect(request.message == EditMessage(seq: 2, base: 5, edit: .undo))
        let expected: [(String, MessageError)] = [
            (
                #"{"client":"\#(mia)","seq":2,"base":5,"edit":{"kind":"x"}}"#,
                MessageError(
                    .invalid, "", field: "edit.kind", seq: 2, base: 5, client: mia, kind: .edit)
            ),
            (
                #"{"client":"x","seq":0,"edit":{"kind":"undo"}}"#,
                MessageError(.invalid, "", field: "client", seq: 0, kind: .edit)
            ),
            (
                #"{"client":"\#(mia)","edit":{"kind":"undo"}}"#,
                MessageError(.invalid, "", field: "seq", client: mia, kind: .edit)
            ), ("[", MessageError(.malformed, "")),
        ]
        for (text, wanted) in expected {
            do throws(MessageError) {
                _ = try decodeEditRequest(bytes(text), using: &generator)
                Issue.record("accepted: \(text)")
            } catch {
                var error = error
                error.message = ""
                #expect(error == wanted, "\(text)")
            }
        }
    }

    @Test("the list of boards, the commits since, and problems")
    func answers() {
        let entry = BoardListEntry(id: home, title: "H\n", revision: 4, icons: 24, peers: 2)
        #expect(
            text(encodeBoardList([entry]))
                == #"{"boards":[{"id":"home","title":"H\n","revision":4,"icons":24,"peers":2}]}"#)
        #expect(text(encodeBoardList([])) == #"{"boards":[]}"#)
        #expect(
            text(encodeCommits(epoch: "e1", [bytes("{}"), bytes("{}")]))
                == #"{"epoch":"e1","commits":[{},{}]}"#)
        let problem = ProblemDetails(MessageError(.invalid, "missing", field: "title"))
        #expect(
            text(problem.encoded)
                == #"{"type":"about:blank","title":"Bad Request","status":400,"#
                + #""detail":"missing","field":"title"}"#)
        #expect(
            text(ProblemDetails(status: 404, title: "Not Found").encoded)
                == #"{"type":"about:blank","title":"Not Found","status":404}"#)
    }
}
