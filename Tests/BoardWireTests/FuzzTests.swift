import BoardModel
import Foundation
import Testing

@testable import BoardWire

@Suite("Random bytes")
struct FuzzTests {
    private static let samples: [String] = [
        #"{"type":"hello","client":"\#(mia)","name":"M\u00e9 \ud83d\ude00","#
            + #""resume":{"epoch":"e","revision":3}}"#,
        #"{"type":"drag.begin","drag":1,"icons":["\#(mail)","\#(maps)"]}"#,
        #"{"type":"drag.target","drag":1,"base":42,"#
            + #""target":{"section":"home","after":"\#(mail)","index":3},"#
            + #""point":{"x":0.25,"y":1e-3},"copy":true,"t":"17"}"#,
        #"{"type":"drag.drop","drag":1,"seq":18,"target":null,"newIDs":["\#(mail)"]}"#,
        #"{"type":"edit","seq":19,"base":42,"#
            + #""edit":{"kind":"icon.update","icon":"\#(mail)","set":{"red":0.5,"label":null}}}"#,
        #"{"type":"edit","seq":1,"#
            + #""edit":{"kind":"section.add","section":{"id":"a","layout":{"columns":4},"icons":[]}}}"#,
    ]

    /// A text with a few bytes changed, lost, doubled or swapped with another's.
    private func mutated(_ text: String, _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        let telling = Array("{}[]\":,\\u0e-.+tfn 9".utf8) + [0, 0xC3, 0xE2, 0xFF, 0x80]
        for _ in 0..<generator.int(1...4) where !bytes.isEmpty {
            let at = generator.int(0...bytes.count - 1)
            switch generator.int(0...5) {
            case 0: bytes[at] = UInt8(generator.int(0...255))
            case 1: bytes[at] = generator.pick(telling)
            case 2: bytes.insert(generator.pick(telling), at: at)
            case 3: bytes.removeSubrange(at..<min(bytes.count, at + generator.int(1...8)))
            case 4: bytes.insert(contentsOf: bytes[at...].prefix(generator.int(1...20)), at: at)
            default:
                bytes.replaceSubrange(at..., with: Array(generator.pick(Self.samples).utf8)[...])
            }
        }
        return bytes
    }

    @Test("nothing that arrives can stop the server, and both ways read it alike", arguments: seeds)
    func bytes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<2_000 {
            let bytes = mutated(generator.pick(Self.samples), &generator)
            var one = SeededGenerator(seed: 0)
            var two = one
            let quick = result { () throws(MessageError) in
                try ClientMessage.decode(bytes.span, using: &one)
            }
            let general = result { () throws(MessageError) in
                try ClientMessage.decodeAny(bytes.span, using: &two, limits: WireLimits())
            }
            #expect(quick == general, "seed \(seed): \(text(bytes))")
            guard case .success = quick else { continue }
            accepted += 1
            // What is accepted here, Foundation takes for JSON too.
            #expect(
                throws: Never.self, "seed \(seed): \(text(bytes))",
                performing: { try JSONSerialization.jsonObject(with: Data(bytes)) })
        }
        #expect(accepted > 20, "the mutations are too wild to tell anything")
    }

    @Test("random bodies and records never trap", arguments: seeds)
    func bodies(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let submission = generator.submission()
            let record = DecisionRecord(
                entry: 1, submission: submission, outcome: generator.outcome(of: submission))
            let damaged = mutated(text(record.encode()), &generator)
            if let read = try? DecisionRecord.decode(damaged) {
                #expect((try? DecisionRecord.decode(read.encode())) == read, "seed \(seed)")
            }
            let board = mutated(text(encode(board: generator.board())), &generator)
            _ = try? decodeBoardBody(board)
            _ = try? decodeCreate(board)
            _ = try? decodeEditRequest(damaged, using: &generator)
            _ = cleanName(text(board))
        }
    }

    private func result(
        _ read: () throws(MessageError) -> ClientMessage
    ) -> Result<ClientMessage, MessageError> {
        do throws(MessageError) {
            return .success(try read())
        } catch {
            return .failure(error)
        }
    }
}
