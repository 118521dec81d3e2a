import Foundation
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

    @Test("until the first board stands, a page reads less than 60 kB of script")
    func firstBoard() throws {
        let web = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/BoardServer/Web").standardizedFileURL
        let page = try String(contentsOf: web.appending(path: "board.html"), encoding: .utf8)
        let named = page.matches(of: /"\/(assets\/\w+\.js)"/).map { String($0.output.1) }
        var read: Set<String> = []
        var bytes = 0
        var waiting = ["assets/page.js"]
        while let path = waiting.popLast() {
            guard read.insert(path).inserted else { continue }
            let source = try String(contentsOf: web.appending(path: path), encoding: .utf8)
            bytes += ScriptText.withoutComments(source).utf8.count
            waiting += source.matches(of: /(?m)^import .* from '\.\/(\w+\.js)'/).map {
                "assets/\($0.output.1)"
            }
        }
        #expect(bytes < 60_000)
        #expect(Set(named) == read, "board.html asks for them before they are imported")
    }
}
