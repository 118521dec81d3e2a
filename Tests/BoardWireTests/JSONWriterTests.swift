import BoardModel
import BoardWire
import Foundation
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
    private func written(_ value: some JSONWritable) -> String {
        var writer = JSONWriter()
        value.write(into: &writer)
        return text(writer.bytes)
    }

    @Test("O-46: whatever a text holds, it stays one string on one line")
    func escapes() {
        #expect(written("a\nb\r\tc\"\\/") == #""a\nb\r\tc\"\\/""#)
        #expect(written("\u{0}\u{1b}\u{8}\u{7f}") == "\"\\u0000\\u001b\\u0008\u{7f}\"")
        #expect(written("\u{2027}\u{2028}\u{2029}\u{202A}") == "\"\u{2027}\\u2028\\u2029\u{202A}\"")
        #expect(written("é👨‍👩‍👧‍👦</script>") == "\"é👨‍👩‍👧‍👦</script>\"")
        #expect(written("") == "\"\"")
        #expect(written("\u{2028}") == #""\u2028""#)
    }

    @Test("numbers are the shortest that read back the same")
    func numbers() {
        #expect(
            [0, 7, -7, 10, 120, Int.max, Int.min].map(written) == [
                "0", "7", "-7", "10", "120", "9223372036854775807", "-9223372036854775808",
            ])
        #expect(
            [0.0, -0.0, 1, 0.1, 0.30000000000000004, -2.5].map(written) == [
                "0", "0", "1", "0.1", "0.30000000000000004", "-2.5",
            ])
        #expect([Double.nan, .infinity, -.infinity].map(written) == ["null", "null", "null"])
    }

    @Test("every double and every text reads back the same", arguments: seeds)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var double = Double(bitPattern: generator.next())
            if !double.isFinite || generator.oneIn(3) { double = generator.double() }
            let number = Array(written(double).utf8)
            let expected = try #require(JSONNumber(double))
            #expect(
                try JSONParser().parse(number) == .number(expected), "seed \(seed): \(double)")
            let string = generator.text()
            let bytes = Array(written(string).utf8)
            #expect(try JSONParser().parse(bytes) == .string(string), "seed \(seed): \(string)")
            #expect(try foundation(bytes) == .string(string), "seed \(seed): \(string)")
            #expect(!bytes.contains { $0 < 0x20 })
        }
    }

    @Test("O-45: identifiers are written in lower case")
    func identifiers() {
        let id = UniqueID("A1B2C3D4-0000-4000-8000-00000000ABCD")!
        #expect(written(id) == "\"a1b2c3d4-0000-4000-8000-00000000abcd\"")
        #expect(written(Slug("a_b-1")!) == "\"a_b-1\"")
    }

    @Test("members and items are parted by commas, values at the top are not")
    func commas() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("a", 1)
        writer.field("b", [true, false])
        writer.object("c") { $0.field("d", "{") }
        writer.field("e", "x")
        writer.object("f") { _ in }
        writer.field(orNull: "g", Int?.none)
        writer.field(ifPresent: "h", Int?.none)
        writer.array("i", encoded: [Array("1".utf8), Array("{}".utf8)])
        writer.endObject()
        writer.beginObject()
        writer.endObject()
        #expect(
            text(writer.bytes)
                == #"{"a":1,"b":[true,false],"c":{"d":"{"},"e":"x","f":{},"g":null,"i":[1,{}]}{}"#)
    }
}
