import BoardWire
import Foundation
import Testing

@Suite("JSON reader")
struct JSONParserTests {
    private let parser = JSONParser()

    private func number(_ value: JSONValue) -> Double? {
        if case .number(let number) = value { number.double } else { nil }
    }

    private func error(_ text: String) -> JSONError? {
        do throws(JSONError) {
            _ = try parser.parse(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "reads what JSONSerialization reads, to the same values",
        arguments: [
            "null", "true", "false", " [ ] ", "{}", "[1,2.5,-3e2,0.1,1E+2,1e-2]", "\t[\r\n1 , 2 ] ",
            #"{"a":{"b":[{"c":null}]},"d":"e"}"#, #""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#,
            #"["é","👨‍👩‍👧‍👦","\u0000"]"#, "[0.100000000000000005551115123125782702118158]",
            "[123456789012345678901234567890]", "[1.7976931348623157e308,4.9e-324]",
            "[9007199254740993,-9007199254740993,1e22,1e23,8.5e-23,0.000001]",
        ])
    func agrees(_ text: String) throws {
        let bytes = Array(text.utf8)
        let found = try disagreement(over: bytes)
        #expect(found == nil, "\(found ?? "")")
    }

    @Test(
        "O-40, O-46: broken grammar is refused, with the place",
        arguments: [
            ("", 0), (" ", 1), ("[", 1), ("[1,]", 3), ("[1 2]", 3), ("{\"a\"}", 4), ("{a:1}", 1),
            ("{\"a\":1,}", 7), ("{,}", 1), ("[,]", 1), ("nul", 3), ("nulL", 3), ("truefalse", 4),
            ("NaN", 0), ("Infinity", 0), ("-Infinity", 1), ("01", 0), ("-01", 0), ("+1", 0),
            (".5", 0), ("1.", 2), ("1.e3", 2), ("1e", 2), ("1e+", 3), ("0x10", 1), ("-", 1),
            ("\"a", 0), ("\"\\", 1), ("\"\\u12", 5), ("\"\\u12g4\"", 5), ("\"\\x\"", 1),
            ("\"a\nb\"", 2), ("\"a\tb\"", 2), ("[1]]", 3), ("'a'", 0), ("[1]x", 3),
            ("\u{FEFF}1", 0), ("/**/1", 0), ("[\"a\nb\"]", 3), ("{\"a\nb\":1}", 3),
        ])
    func grammar(_ text: String, _ offset: Int) {
        #expect(error(text)?.offset == offset, "\(String(describing: error(text)))")
    }

    @Test("O-40: a number has one value, and minus zero is zero")
    func numbers() throws {
        func read(_ text: String) throws -> JSONNumber? {
            if case .number(let number) = try parser.parse(Array(text.utf8)) { number } else { nil }
        }
        for text in ["-0", "-0.0", "0e5", "1e-400", "-1e-400", "0.0000"] {
            #expect(try read(text)?.double.sign == .plus, "\(text)")
            #expect(try read(text)?.double == 0, "\(text)")
        }
        #expect(try read("5e-324")?.double == Double.leastNonzeroMagnitude)
        #expect(try read("1.0000000000000001")?.double == 1)
        for (text, integer) in [
            ("3", 3), ("3.0", 3), ("1e3", 1_000), ("-12", -12), ("9007199254740991", 1 << 53 - 1),
            ("1147e-2", nil), ("3.5", nil), ("9007199254740992", nil), ("9007199254740993", nil),
            ("9223372036854775808", nil), ("-9223372036854775808", nil), ("1e300", nil),
            ("18446744073709551616", nil),
        ] as [(String, Int?)] {
            #expect(try read(text)?.integer == integer, "\(text)")
        }
    }

    @Test(
        "O-40: a number beyond a double is refused", arguments: ["1e400", "-1e400", "1147e02864"])
    func overflow(_ text: String) {
        #expect(error(text) == JSONError("a number beyond the range of a double", at: 0))
        #expect(error(String(repeating: "9", count: 60_000)) != nil)
    }

    @Test("O-40: a number of 60,000 digits is rounded like a short one")
    func longNumber() throws {
        let text = "0." + String(repeating: "3", count: 60_000)
        let value = try parser.parse(Array(text.utf8))
        #expect(number(value) == 0.3333333333333333)
    }

    @Test("decimal spellings round like the standard library's", arguments: seeds)
    func decimals(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var text = String(generator.int(0...generator.pick([9, 99_999, Int.max])))
            if generator.oneIn(2) { text += "." + String(generator.int(0...1_000_000_000)) }
            if generator.oneIn(2) { text += "e" + String(generator.int(-40...40)) }
            let value = try parser.parse(Array(text.utf8))
            let expected = try #require(Double(text))
            #expect(number(value) == expected, "seed \(seed): \(text)")
        }
    }

    @Test(
        "O-41: half a surrogate pair is refused, in values and in keys",
        arguments: [
            #""x\ud83d""#, #""\ude00x""#, #""\ude00\ud83d""#, #""\ud83d\u0041""#,
            #""\ud83d\ud83d\ude00""#, #""\ud83dx""#, #"{"\ud83d":1}"#, #""\ud83d\n""#,
        ])
    func surrogates(_ text: String) {
        #expect(error(text)?.message.hasPrefix("half a surrogate pair") == true)
    }

    @Test("O-41: a whole surrogate pair is one character")
    func pair() throws {
        #expect(try parser.parse(Array(#""\uD83D\uDE00""#.utf8)) == .string("😀"))
    }

    @Test("O-42: a key given twice is refused, however it is spelled")
    func duplicates() {
        #expect(error(#"{"icon":1,"icon":2}"#) == JSONError("given twice", at: 10))
        #expect(error(#"{"icon":1,"\u0069con":2}"#) == JSONError("given twice", at: 10))
        #expect(error(#"[{"a":{"b":1,"b":1}}]"#) == JSONError("given twice", at: 13))
        let many = (0..<100).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(error("{\(many)}") == nil)
        for twice in [0, 31, 32, 99] {
            #expect(error("{\(many),\"k\(twice)\":0}")?.message == "given twice")
        }
    }

    @Test("O-45: keys of two Unicode forms are two keys, as everywhere else")
    func unicodeForms() throws {
        let text = "{\"caf\u{e9}\":1,\"cafe\u{301}\":2}"
        guard case .object(let members) = try parser.parse(Array(text.utf8)) else {
            Issue.record("no object")
            return
        }
        #expect(members.count == 2)
    }

    @Test("O-43: nesting beyond the limit is refused without deep recursion")
    func depth() {
        for depth in [1, 10, 16, 17, 511, 513, 5_000, 100_000] {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let inner = open == "[" ? "" : "null"
                let opening = String(repeating: open, count: depth)
                let whole = opening + inner + String(repeating: close, count: depth)
                #expect((error(whole) == nil) == (depth <= 16), "\(depth)")
                #expect(error(opening) != nil)
            }
        }
    }

    @Test("bytes that are not UTF-8 are refused, with the place")
    func encoding() {
        for bytes: [UInt8] in [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0x80],
        ] {
            let text = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
            #expect(throws: JSONError("not UTF-8", at: 1)) { try parser.parse(text) }
        }
    }

    @Test("a tolerant reader keeps the rest of a text with bad values")
    func tolerant() throws {
        let tolerant = JSONParser(toleratesBadValues: true)
        let deep =
            String(repeating: "[{\"x\":", count: 40) + "1" + String(repeating: "}]", count: 40)
        let text = #"{"a":1e400,"b":"\ud83d","c":1,"c":2,"d":\#(deep),"\ude00":0,"seq":7}"#
        let value = try tolerant.parse(Array(text.utf8))
        for key in ["a", "b", "c"] {
            guard case .invalid = value[key] else {
                Issue.record("\(key) is read")
                continue
            }
        }
        #expect(value["seq"].flatMap(number) == 7)
        for broken in [
            String(deep.dropLast()) + "}", deep.replacing("1", with: "01"),
            deep.replacing("1", with: ""),
            deep.replacing("1", with: "1,}"), deep.replacing("\"x\"", with: "x"), deep + "]",
            String(deep.dropLast(3)),
        ] {
            #expect(throws: JSONError.self) { try tolerant.parse(Array(broken.utf8)) }
        }
    }
}
