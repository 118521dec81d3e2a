import BoardServer
import Testing

@Suite("Log lines")
struct LogWriterTests {
    @Test(
        "(O-46) what came from outside can't forge a line, a field or a terminal command",
        arguments: [
            ("plain", "plain"), ("/var/lib/homeboard", "/var/lib/homeboard"), ("", "\"\""),
            ("two words", "\"two words\""), ("a=b", "\"a=b\""), ("a\nb", "\"a\\u{a}b\""),
            ("a\r\nb", "\"a\\u{d}\\u{a}b\""), ("\u{1B}[31m", "\"\\u{1b}[31m\""),
            ("\u{0}", "\"\\u{0}\""), ("\u{85}", "\"\\u{85}\""), ("\u{7F}", "\"\\u{7f}\""),
            ("\u{2028}\u{2029}", "\"\\u{2028}\\u{2029}\""), ("\"", "\"\\\"\""),
            ("\\", "\"\\\\\""), ("我的频道", "\"我的频道\""),
        ])
    func quoting(value: String, written: String) {
        #expect(LogWriter.quoted(value) == written)
    }

    @Test("(O-46) a quoted value has one line, and as many quotes as two")
    func oneLine() {
        let nasty = [
            "{\"t\":\"remove\"}\n{\"t\":\"remove\"}", "</script><img src=x onerror=alert(1)>",
            String(repeating: "\\", count: 64), "\" level=error event=forged",
        ]
        for value in nasty {
            let written = LogWriter.quoted(value)
            #expect(!written.unicodeScalars.contains { $0.value < 0x20 })
            var inner = written.dropFirst().dropLast()
            var isEnded = false
            while let character = inner.popFirst(), !isEnded {
                if character == "\\" { _ = inner.popFirst() }
                isEnded = character == "\""
            }
            #expect(!isEnded, "\(written) ends before its end")
        }
    }

    @Test("levels are ordered from the gravest, so that a level lets the graver ones through")
    func levels() {
        #expect(LogLevel.allCases.sorted() == [.error, .warning, .info, .debug])
    }
}
