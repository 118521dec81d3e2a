import BoardModel
import BoardWire
import Testing

/// A message that must be refused, and how.
struct Refusal: Sendable, CustomTestStringConvertible {
    let text: String
    let field: String?
    var code = MessageError.Code.invalid
    var seq: Int?
    var drag: Int?
    var testDescription: String { text }
}

private let hello = #""type":"hello","client":"\#(mia)","name":"Mia""#
private let toEnd = #"{"section":"home","at":"end"}"#
private let id = "\"\(mail)\""

private func rows(_ fields: KeyValuePairs<String, String>) -> [Refusal] {
    fields.map { Refusal(text: "{\($0.key)}", field: $0.value) }
}

private func drags(_ fields: KeyValuePairs<String, String>) -> [Refusal] {
    fields.map { Refusal(text: "{\($0.key),\"drag\":4}", field: $0.value, drag: 4) }
}

private func drops(_ fields: KeyValuePairs<String, String>) -> [Refusal] {
    fields.map {
        let text = #"{"type":"drag.drop","seq":9,"drag":4,\#($0.key)}"#
        return Refusal(text: text, field: $0.value, seq: 9, drag: 4)
    }
}

private func edits(_ fields: KeyValuePairs<String, String>) -> [Refusal] {
    fields.map {
        let text = #"{"type":"edit","base":1,"edit":{\#($0.key)},"seq":9}"#
        return Refusal(text: text, field: $0.value, seq: 9)
    }
}

/// An `icon.update` with that member in its `set`.
private func updates(_ fields: KeyValuePairs<String, String>) -> [Refusal] {
    fields.map {
        let edit = #"{"kind":"icon.update","icon":\#(id),"set":{\#($0.key)}}"#
        let text = #"{"type":"edit","seq":9,"base":1,"edit":\#(edit)}"#
        return Refusal(text: text, field: "edit.set.\($0.value)", seq: 9)
    }
}

private let malformed: [Refusal] = [
    "", " ", "x", "[]", "[{}]", "null", "\"hello\"", "7", "{", "{\"type\":\"undo\"", "{}{}",
    "{\"type\":\"edit\",\"seq\":1,}", "{'type':'edit'}", "{\"type\":\"edit\",\"seq\":01}",
    "{\"type\":\"edit\",\"seq\":+1}", "{\"type\":\"edit\",\"seq\":NaN}",
    "{\"type\":\"edit\",\"seq\":.5}", "{\"type\":\"edit\",\"seq\":1.}",
    "{\"type\":\"edit\",\"seq\":0x10}", "{\"type\":\"ed\nit\"}",
    "{\"type\":\"edit\",\"a\":\"\\x\"}",
    "{\"type\":\"drag.target\",\"drag\":1,\"target\":null,}",
    "{\"type\":\"drag.target\",\"drag\":1,\"target\":null}}",
].map { Refusal(text: $0, field: nil, code: .malformed) }

private let unknownTypes: [Refusal] = [
    #"{"type":"drag.move","drag":1}"#, #"{"type":"","seq":4}"#, #"{"type":"Hello"}"#,
    #"{"type":"commit","seq":4}"#, #"{"type":"hello "}"#,
].map { Refusal(text: $0, field: "type", code: .unknownType) }

private let types = rows([
    "": "type", #""typ":"hello""#: "type", #""type":null"#: "type", #""type":7"#: "type",
    #""type":["edit"]"#: "type", #""type":"edit","type":"hello","seq":1"#: "type",
    #""type":"edit","\u0074ype":"hello","seq":1"#: "type",
])

private let hellos = rows([
    #""type":"hello","name":"Mia""#: "client",
    #""type":"hello","client":"mia","name":"""#: "client",
    #""type":"hello","client":null,"name":"""#: "client",
    #""type":"hello","client":"\#(mia)x","name":"""#: "client",
    #""type":"hello","client":"{\#(mia)}","name":"""#: "client",
    #""type":"hello","client":"\#(mia)""#: "name",
    #""type":"hello","client":"\#(mia)","name":null"#: "name",
    #""type":"hello","client":"\#(mia)","name":7"#: "name",
    #""type":"hello","client":"\#(mia)","name":"\ud83d""#: "name",
    #""type":"hello","client":"\#(mia)","name":"a","name":"b""#: "name",
    "\(hello),\"token\":7": "token",
    "\(hello),\"resume\":7": "resume", "\(hello),\"resume\":{}": "resume.epoch",
    "\(hello),\"resume\":{\"revision\":1}": "resume.epoch",
    "\(hello),\"resume\":{\"epoch\":1,\"revision\":1}": "resume.epoch",
    "\(hello),\"resume\":{\"epoch\":\"e\"}": "resume.revision",
    "\(hello),\"resume\":{\"epoch\":\"e\",\"revision\":1.5}": "resume.revision",
    "\(hello),\"resume\":{\"epoch\":\"e\",\"revision\":-1}": "resume.revision",
    "\(hello),\"resume\":{\"epoch\":\"e\",\"revision\":\"12\"}": "resume.revision",
    "\(hello),\"resume\":{\"epoch\":\"e\",\"revision\":null}": "resume.revision",
    "\(hello),\"resume\":{\"epoch\":\"e\",\"revision\":9007199254740993}": "resume.revision",
    "\(hello),\"resume\":{\"epoch\":\"e\",\"revision\":18446744073709551616}": "resume.revision",
    "\(hello),\"later\":1e400": "later", "\(hello),\"<b>\":{\"x\":1,\"x\":2}": "?.x",
])

private let dragMessages =
    rows([
        #""type":"drag.begin","icons":[\#(id)]"#: "drag", #""type":"drag.cancel""#: "drag",
        #""type":"drag.cancel","drag":"1""#: "drag", #""type":"drag.cancel","drag":1.5"#: "drag",
        #""type":"drag.cancel","drag":null"#: "drag", #""type":"drag.cancel","drag":1e400"#: "drag",
        #""type":"presence""#: "editing", #""type":"presence","editing":1"#: "editing",
        #""type":"drag.target","target":null"#: "drag",
        #""type":"drag.target","drag":true,"target":null"#: "drag",
        #""type":"drag.target","drag":1,"target":null,"drag":2"#: "drag",
    ])
    + drags([
        #""type":"drag.begin""#: "icons", #""type":"drag.begin","icons":null"#: "icons",
        #""type":"drag.begin","icons":{}"#: "icons", #""type":"drag.begin","icons":[]"#: "icons",
        #""type":"drag.begin","icons":[\#(id),"\#(maps)",7]"#: "icons[2]",
        #""type":"drag.begin","icons":["x"]"#: "icons[0]",
        #""type":"drag.begin","icons":[\#(id),\#(id)]"#: "icons[1]",
        #""type":"drag.target""#: "target", #""type":"drag.target","target":7"#: "target",
        #""type":"drag.target","target":[]"#: "target",
        #""type":"drag.target","target":null,"base":-1"#: "base",
        #""type":"drag.target","target":null,"base":null"#: "base",
        #""type":"drag.target","target":null,"base":"42""#: "base",
        #""type":"drag.target","target":{"section":"Home"}"#: "target.section",
        #""type":"drag.target","target":{"section":7}"#: "target.section",
        #""type":"drag.target","target":{"after":"x"}"#: "target.after",
        #""type":"drag.target","target":{"before":7}"#: "target.before",
        #""type":"drag.target","target":{"at":"middle"}"#: "target.at",
        #""type":"drag.target","target":{"at":"end","index":1}"#: "target.at",
        #""type":"drag.target","target":{"at":"end","after":\#(id)}"#: "target.at",
        #""type":"drag.target","target":{"index":-1}"#: "target.index",
        #""type":"drag.target","target":{"index":1.5}"#: "target.index",
        #""type":"drag.target","target":{"index":"1"}"#: "target.index",
        #""type":"drag.target","target":{"index":9007199254740993}"#: "target.index",
        #""type":"drag.target","target":{"index":1,"index":1}"#: "target.index",
        #""type":"drag.target","target":null,"point":[1,2]"#: "point",
        #""type":"drag.target","target":null,"point":{}"#: "point.x",
        #""type":"drag.target","target":null,"point":{"x":"1","y":1}"#: "point.x",
        #""type":"drag.target","target":null,"point":{"x":1}"#: "point.y",
        #""type":"drag.target","target":null,"point":{"x":1,"y":1e400}"#: "point.y",
        #""type":"drag.target","target":null,"copy":1"#: "copy",
        #""type":"drag.target","target":null,"t":7"#: "t",
        #""type":"drag.target","target":null,"t":"123456789012345678901234567890123""#: "t",
        #""type":"drag.target","target":null,"t":"\ud83d""#: "t",
        #""type":"drag.target","target":null,"later":\#(deep)"#: "later" + inside(15),
    ])

/// The path into `deep`, as far as it is read.
private func inside(_ depth: Int) -> String { String(repeating: "[0]", count: depth) }

private let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)

private let dropMessages =
    drops([
        #""target":7"#: "target", #""target":{"index":-1}"#: "target.index",
        #""target":{"at":"end","before":\#(id)}"#: "target.at", #""base":"1""#: "base",
        #""base":1.5"#: "base", #""copy":"yes""#: "copy", #""newIDs":7"#: "newIDs",
        #""newIDs":[\#(id),null]"#: "newIDs[1]",
    ]) + [
        Refusal(text: #"{"type":"drag.drop","seq":9}"#, field: "drag", seq: 9),
        Refusal(text: #"{"type":"drag.drop","seq":-3,"drag":"1"}"#, field: "drag", seq: -3),
        Refusal(text: #"{"type":"drag.drop","drag":4}"#, field: "seq", drag: 4),
        Refusal(text: #"{"type":"drag.drop","drag":4,"seq":1.5}"#, field: "seq", drag: 4),
    ]

private let editMessages =
    edits([
        "": "edit.kind", #""kind":7"#: "edit.kind", #""kind":"icon.fly""#: "edit.kind",
        #""kind":null"#: "edit.kind", #""kind":"undo","kind":"redo""#: "edit.kind",
        #""kind":"icon.move","to":\#(toEnd)"#: "edit.icons",
        #""kind":"icon.move","icons":\#(id),"to":\#(toEnd)"#: "edit.icons",
        #""kind":"icon.move","icons":[],"to":\#(toEnd)"#: "edit.icons",
        #""kind":"icon.move","icons":[\#(id),"caf\u00e9"],"to":\#(toEnd)"#: "edit.icons[1]",
        #""kind":"icon.move","icons":[[]],"to":\#(toEnd)"#: "edit.icons[0]",
        #""kind":"icon.move","icons":[\#(id)],"icons":[\#(id)],"to":\#(toEnd)"#: "edit.icons",
        #""kind":"icon.move","icons":[\#(id)],"\u0069cons":[\#(id)],"to":\#(toEnd)"#: "edit.icons",
        #""kind":"icon.move","icons":[\#(id)]"#: "edit.to",
        #""kind":"icon.move","icons":[\#(id)],"to":null"#: "edit.to",
        #""kind":"icon.move","icons":[\#(id)],"to":{"section":"a b"}"#: "edit.to.section",
        #""kind":"icon.move","icons":[\#(id)],"to":{"after":3}"#: "edit.to.after",
        #""kind":"icon.move","icons":[\#(id)],"to":{"index":1e400}"#: "edit.to.index",
        #""kind":"icon.move","icons":[\#(id)],"to":{"index":3.5}"#: "edit.to.index",
        #""kind":"icon.move","icons":[\#(id)],"to":{"at":"start","index":0}"#: "edit.to.at",
        #""kind":"icon.add","to":\#(toEnd)"#: "edit.icon",
        #""kind":"icon.add","icon":{"green":0,"blue":0},"to":\#(toEnd)"#: "edit.icon.red",
        #""kind":"icon.add","icon":{"id":7,"red":0,"green":0,"blue":0},"to":\#(toEnd)"#:
            "edit.icon.id",
        #""kind":"icon.add","icon":{"red":0,"green":"0","blue":0},"to":\#(toEnd)"#:
            "edit.icon.green",
        #""kind":"icon.add","icon":{"red":0,"green":0,"blue":0},"to":{"at":"end"}"#:
            "edit.to.section",
        #""kind":"icon.add","icon":{"red":0,"green":0,"blue":0}"#: "edit.to",
        #""kind":"icon.copy","icons":[\#(id)],"to":{}"#: "edit.to.section",
        #""kind":"icon.copy","icons":[\#(id)],"newIDs":[\#(id),\#(id)],"to":\#(toEnd)"#:
            "edit.newIDs",
        #""kind":"icon.copy","icons":[\#(id)],"newIDs":["x"],"to":\#(toEnd)"#: "edit.newIDs[0]",
        #""kind":"icon.update","set":{}"#: "edit.icon",
        #""kind":"icon.update","icon":\#(id)"#: "edit.set",
        #""kind":"icon.update","icon":\#(id),"set":null"#: "edit.set",
        #""kind":"icon.remove","icons":"all""#: "edit.icons",
        #""kind":"section.add""#: "edit.section",
        #""kind":"section.add","section":"home""#: "edit.section",
        #""kind":"section.add","section":{"title":"x"}"#: "edit.section.id",
        #""kind":"section.add","section":{"id":"Caf\u00e9"}"#: "edit.section.id",
        #""kind":"section.add","section":{"id":"a","title":7}"#: "edit.section.title",
        #""kind":"section.add","section":{"id":"a","layout":7}"#: "edit.section.layout",
        #""kind":"section.add","section":{"id":"a","layout":{"kind":"x"}}"#:
            "edit.section.layout.kind",
        #""kind":"section.add","section":{"id":"a","layout":{"columns":"4"}}"#:
            "edit.section.layout.columns",
        #""kind":"section.add","section":{"id":"a","lift":true}"#: "edit.section.lift",
        #""kind":"section.add","section":{"id":"a","drop":"all"}"#: "edit.section.drop",
        #""kind":"section.add","section":{"id":"a","capacity":1.5}"#: "edit.section.capacity",
        #""kind":"section.add","section":{"id":"a","icons":{}}"#: "edit.section.icons",
        #""kind":"section.add","section":{"id":"a","icons":[7]}"#: "edit.section.icons[0]",
        #""kind":"section.add","section":{"id":"a","icons":[{"red":0}]}"#:
            "edit.section.icons[0].id",
        #""kind":"section.add","section":{"id":"a"},"before":7"#: "edit.before",
        #""kind":"section.update","section":"a""#: "edit.set",
        #""kind":"section.update","set":{}"#: "edit.section",
        #""kind":"section.update","section":"a","set":{"title":null}"#: "edit.set.title",
        #""kind":"section.update","section":"a","set":{"lift":null}"#: "edit.set.lift",
        #""kind":"section.update","section":"a","set":{"layout":null}"#: "edit.set.layout",
        #""kind":"section.update","section":"a","set":{"layout":{"columns":null}}"#:
            "edit.set.layout.columns",
        #""kind":"section.update","section":"a","set":{"capacity":"9"}"#: "edit.set.capacity",
        #""kind":"section.move","section":7"#: "edit.section",
        #""kind":"section.move","section":"a","before":"B""#: "edit.before",
        #""kind":"section.remove""#: "edit.section", #""kind":"board.update""#: "edit.set",
        #""kind":"board.update","set":{"title":7}"#: "edit.set.title",
        #""kind":"board.update","set":{"presentation":"free"}"#: "edit.set.presentation",
        #""kind":"board.update","set":{"presentation":{"axis":"x"}}"#: "edit.set.presentation.axis",
        #""kind":"board.update","set":{"presentation":{"minimumPressMs":0.5}}"#:
            "edit.set.presentation.minimumPressMs",
    ])
    + updates([
        #""red":"NaN""#: "red", #""red":1e400"#: "red", #""red":-1e400"#: "red",
        #""red":true"#: "red",
        #""red":null"#: "red", #""red":[]"#: "red", #""green":"1""#: "green", #""blue":{}"#: "blue",
        #""red":1147e02864"#: "red", #""red":0,"red":1"#: "red", #""label":7"#: "label",
        #""label":"x\ud83d""#: "label", #""label":"\ude00x""#: "label",
        #""label":"\ude00\ud83d""#: "label", #""label":"\ud83d\u0041""#: "label",
        #""label":"\ud83d\ud83d\ude00""#: "label", #""label":\#(deep)"#: "label",
        #""symbol":false"#: "symbol", #""link":{}"#: "link", #""locked":"yes""#: "locked",
        #""locked":0"#: "locked", #""pinnedAt":1.5"#: "pinnedAt", #""pinnedAt":"1""#: "pinnedAt",
        #""pinnedAt":9223372036854775808"#: "pinnedAt", #""later":\#(deep)"#: "later" + inside(13),
    ]) + [
        Refusal(text: #"{"type":"edit","seq":9}"#, field: "edit", seq: 9),
        Refusal(text: #"{"type":"edit","seq":9,"edit":null}"#, field: "edit", seq: 9),
        Refusal(text: #"{"type":"edit","seq":9,"base":null,"edit":{}}"#, field: "base", seq: 9),
        Refusal(text: #"{"type":"edit","seq":9,"base":-1,"edit":{}}"#, field: "base", seq: 9),
        Refusal(text: #"{"type":"edit","seq":-9,"base":1,"edit":7}"#, field: "edit", seq: -9),
        Refusal(text: #"{"type":"edit","edit":{"kind":"undo"}}"#, field: "seq"),
        Refusal(text: #"{"type":"edit","seq":null,"edit":{"kind":"undo"}}"#, field: "seq"),
        Refusal(text: #"{"type":"edit","seq":"1","edit":{"kind":"undo"}}"#, field: "seq"),
        Refusal(text: #"{"type":"edit","seq":1.5,"edit":{"kind":"undo"}}"#, field: "seq"),
        Refusal(text: #"{"type":"edit","seq":1e400,"edit":{"kind":"undo"}}"#, field: "seq"),
        Refusal(text: #"{"type":"edit","seq":1,"seq":1,"edit":{"kind":"undo"}}"#, field: "seq"),
        Refusal(text: #"{"type":"edit","seq":9007199254740993,"edit":{}}"#, field: "seq"),
        Refusal(
            text: #"{"type":"edit","seq":9,"edit":{"kind":"undo"},"more":[1,{"a":1e999}]}"#,
            field: "more[1].a", seq: 9),
    ]

private let all =
    malformed + unknownTypes + types + hellos + dragMessages + dropMessages + editMessages

@Suite("Refused messages")
struct RefusedMessageTests {
    @Test(
        "O-40, O-41, O-42, O-43, O-47: the field at fault is named, and whose turn it was",
        arguments: all)
    func refused(_ expected: Refusal) {
        let error = refusal(of: expected.text)
        #expect(error?.code == expected.code)
        #expect(error?.field == expected.field)
        #expect(error?.seq == expected.seq)
        #expect(error?.drag == expected.drag)
        #expect(error?.message.isEmpty == false)
    }

    @Test("there are over a hundred ways to be refused")
    func count() { #expect(all.count > 200) }

    @Test("an error never repeats what the client sent")
    func noEcho() throws {
        let evil = "<img src=x>"
        for text in [
            #"{"type":"\#(evil)"}"#, #"{"type":"hello","client":"\#(evil)","name":""}"#,
            #"{"type":"edit","seq":1,"edit":{"kind":"\#(evil)"}}"#,
            #"{"type":"edit","seq":1,"edit":{"kind":"undo"},"\#(evil)":1e400}"#, #"{"\#(evil)}"#,
        ] {
            let error = try #require(refusal(of: text))
            #expect(!"\(error)".contains(evil), "\(error)")
        }
    }

    @Test("a message of more icons than the limit is refused")
    func tooManyIcons() {
        var limits = WireLimits()
        limits.iconsPerMessage = 1
        #expect(throws: MessageError.self) {
            try decode(
                #"{"type":"drag.begin","drag":1,"icons":["\#(mail)","\#(maps)"]}"#, limits: limits)
        }
    }

    @Test("O-44: a tag is counted in characters and in bytes")
    func tags() {
        func target(_ tag: String) -> String {
            #"{"type":"drag.target","drag":1,"target":null,"t":"\#(tag)"}"#
        }
        for tag in [
            String(repeating: "a", count: 32), String(repeating: "é", count: 32),
            String(repeating: "👨‍👩‍👧‍👦", count: 5), "",
        ] {
            #expect(refusal(of: target(tag)) == nil)
        }
        for tag in [
            String(repeating: "a", count: 33), String(repeating: "é", count: 33),
            String(repeating: "👨‍👩‍👧‍👦", count: 6), "e" + String(repeating: "\u{301}", count: 2_000),
        ] {
            #expect(refusal(of: target(tag))?.field == "t")
        }
    }
}
