import Testing

@testable import BoardServer

@Suite("Script text")
struct ScriptTextTests {
    @Test(
        "comments of whole lines and indentation go; code and the number of lines stay",
        arguments: [
            ("// why\nlet a;\n", "\nlet a;\n"),
            ("/**\n * Long.\n */\nlet a;", "\n\n\nlet a;"),
            ("  /** @type {number} */ size = 1;", "size = 1;"),
            ("    if (a) { // why\n      b();", "if (a) { // why\nb();"),
            ("const a = 'http://x'; /* not at the start */", nil),
            ("const a = `//`;\n`/*`;", nil),
            ("/* one */ /* two */ a();", "/* two */ a();"),
        ])
    func cut(source: String, wanted: String?) {
        #expect(ScriptText.withoutComments(source) == wanted ?? source)
    }
}
