import BoardWire
import Testing

@Suite("Display names")
struct DisplayNameTests {
    @Test(
        "O-44, O-46: a name is cleaned, and never cut inside a character",
        arguments: [
            ("Mia", "Mia"), ("  Mia \t\r\n M. ", "Mia M."), ("", "Guest"), (" \n ", "Guest"),
            ("\u{200B}\u{FEFF}", "Guest"), ("\u{200D}\u{FE0F}", "Guest"), ("M\u{0}i\u{7}a", "Mia"),
            ("\u{202E}aiM\u{202C}", "aiM"), ("\u{2066}Mia\u{2069}\u{200F}", "Mia"),
            ("a\u{85}b\u{2028}c\u{A0}d", "a b c d"), ("\u{1B}[31mred", "[31mred"),
            ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"), ("e" + String(repeating: "\u{301}", count: 2_000), "Guest"),
            ("Mia e" + String(repeating: "\u{301}", count: 2_000), "Mia"), ("<b>", "<b>"),
            (String(repeating: "a", count: 65), String(repeating: "a", count: 64)),
            (String(repeating: "a", count: 63) + "🏳️‍🌈x", String(repeating: "a", count: 63) + "🏳️‍🌈"),
            (String(repeating: "a", count: 63) + " b", String(repeating: "a", count: 63)),
            (String(repeating: "👨‍👩‍👧‍👦", count: 64), String(repeating: "👨‍👩‍👧‍👦", count: 10)),
        ])
    func cleaned(_ raw: String, _ name: String) {
        let cleaned = cleanName(raw)
        #expect(Array(cleaned.utf8) == Array(name.utf8))
        #expect(cleanName(cleaned) == cleaned)
    }

    @Test("any text at all becomes a name within the limits", arguments: seeds)
    func limits(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let raw = generator.many(0...30) { $0.text() }.joined(separator: " ")
            let name = cleanName(raw)
            #expect(!name.isEmpty && name.count <= 64 && name.utf8.count <= 256, "seed \(seed)")
            #expect(cleanName(name) == name, "seed \(seed): \(raw.debugDescription)")
        }
    }
}
