import BoardModel
import Foundation
import Testing

@testable import BoardWire

/// A `drag.target` as Foundation reads it.
private struct DecodedTarget: Decodable {
    struct Place: Decodable {
        var section: Slug?
        var at: String?
        var after: UniqueID?
        var before: UniqueID?
        var index: Int?
    }

    struct Spot: Decodable {
        var x: Double
        var y: Double
    }

    var drag: Int
    var base: Int?
    var target: Place?
    var point: Spot?
    var copy: Bool?
    var t: String?

    var message: DragTarget {
        DragTarget(
            drag: drag, base: base,
            target: target.map {
                Target(
                    section: $0.section, at: $0.at.flatMap(Target.Edge.init), after: $0.after,
                    before: $0.before, index: $0.index)
            }, point: point.map { Point(x: $0.x, y: $0.y) }, copy: copy ?? false, tag: t)
    }
}

@Suite("The short way for drag targets")
struct DragTargetScannerTests {
    /// The message in a random order of members, with random white space.
    private func spelled(_ message: DragTarget, _ generator: inout SeededGenerator) -> String {
        func written(_ value: some JSONWritable) -> String {
            var writer = JSONWriter()
            value.write(into: &writer)
            return text(writer.bytes)
        }
        var members = [
            ("type", "\"drag.target\""), ("drag", written(message.drag)),
            ("target", message.target.map(written) ?? "null"),
        ]
        if let base = message.base { members.append(("base", written(base))) }
        if let point = message.point { members.append(("point", written(point))) }
        if message.copy || generator.oneIn(2) { members.append(("copy", written(message.copy))) }
        if let tag = message.tag { members.append(("t", written(tag))) }
        members.shuffle(using: &generator)
        let space = generator.pick(["", "", " ", "\n\t"])
        let list = members.map { "\"\($0.0)\"\(space):\(space)\($0.1)" }
        return "{\(space)\(list.joined(separator: "\(space),\(space)"))\(space)}"
    }

    @Test(
        "agrees with the general way and with JSONDecoder, and is the way taken", arguments: seeds)
    func agrees(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var taken = 0
        for _ in 0..<300 {
            let message = generator.dragTarget()
            let spelled = spelled(message, &generator)
            let bytes = Array(spelled.utf8)
            if let quick = DragTargetScanner.scan(bytes.span, limits: WireLimits()) {
                taken += 1
                #expect(quick == message, "seed \(seed): \(spelled)")
            }
            var unused = SeededGenerator(seed: 0)
            #expect(
                try ClientMessage.decodeAny(bytes.span, using: &unused, limits: WireLimits())
                    == .dragTarget(message), "seed \(seed): \(spelled)")
            let theirs = try JSONDecoder().decode(DecodedTarget.self, from: Data(bytes))
            #expect(theirs.message == message, "seed \(seed): \(spelled)")
        }
        #expect(taken > 200)
    }

    @Test(
        "leaves what is not plain to the general way",
        arguments: [
            #"{"type":"drag.target","drag":1}"#, #"{"drag":1,"target":null}"#, "{}", "",
            #"{"type":"drag.cancel","drag":1,"target":null}"#,
            #"{"type":"drag.target","drag":1,"target":null,"later":1}"#,
            #"{"type":"drag.target","drag":1,"drag":1,"target":null}"#,
            #"{"type":"drag.target","drag":1,"target":{"index":1,"index":1}}"#,
            #"{"type":"drag.target","drag":1,"target":{"at":"end","index":1}}"#,
            #"{"type":"drag.target","drag":1,"target":null,"base":null}"#,
            #"{"type":"drag.target","drag":1,"target":null,"t":"é"}"#,
            #"{"type":"drag.target","drag":1,"target":null,"t":"\u0041"}"#,
            #"{"type":"drag.target","drag":1,"target":null,}"#,
            #"{,"type":"drag.target","drag":1,"target":null}"#,
            #"{"type":"drag.target","drag":1,"target":null} 1"#,
            #"{"type":"drag.target","drag":1,"target":null"#,
            #"{"type":"drag.target","drag":1,"target":null,"point":{"x":1,"x":1,"y":1}}"#,
            #"{"type":"drag.target","drag":1,"target":nul}"#,
            #"{"type":"drag.target","drag":-1,"target":null}"#,
            #"{"type":"drag.target","drag":1.5,"target":null}"#,
        ])
    func declines(_ text: String) {
        #expect(DragTargetScanner.scan(Array(text.utf8).span, limits: WireLimits()) == nil)
    }
}
