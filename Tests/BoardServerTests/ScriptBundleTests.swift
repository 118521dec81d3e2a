import Foundation
import Testing

@testable import BoardServer

@Suite("Script bundle")
struct ScriptBundleTests {
    private static let web = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/BoardServer/Web/assets").standardizedFileURL

    private static func source(_ file: String) -> String? {
        try? String(contentsOf: web.appending(path: file), encoding: .utf8)
    }

    @Test("modules stand after what they import; what is elsewhere stays an import")
    func order() {
        let files = [
            "a.js": """
            import { b } from './b.js';
            import { z } from './z.js';

            // Why.
            export const a = b + z;

            """,
            "b.js": "import { y, z } from './z.js';\nexport const b = y;\n",
        ]
        let bundle = ScriptBundle(of: ["a.js"], without: ["z.js"]) { files[$0] }
        #expect(bundle.modules == ["b.js", "a.js"])
        #expect(
            bundle.text == """
                import { y, z } from './z.js';
                // b.js
                export const b = y;
                // a.js
                export const a = b + z;

                """)
    }

    @Test("two modules may use one name for their own things")
    func privateNames() {
        let files = [
            "a.js": """
            import { b } from './b.js';
            const own = 1;
            export const a = () => b() + own;

            """,
            "b.js": "const own = 2;\nexport function b() {\n  return own;\n}\n",
        ]
        let bundle = ScriptBundle(of: ["a.js"]) { files[$0] }
        #expect(
            bundle.text == """
                // b.js
                const own = 2;
                export function b() {
                return own;
                }
                // a.js
                export const { a } = (() => {
                const own = 1;
                const a = () => b() + own;
                return { a };
                })();

                """)
    }

    @Test("every script is written as the bundle reads it, and no two export one name")
    func scripts() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.web.path)
            .filter { $0.hasSuffix(".js") }
        #expect(files.count > 20)
        for file in files {
            let text = try #require(Self.source(file))
            let lines = text.split(separator: "\n")
            let imports = lines.count { $0.hasPrefix("import ") }
            #expect(ScriptBundle.dependencies(of: text).count == imports, "\(file)")
            let exports = lines.count { $0.hasPrefix("export ") && !$0.hasPrefix("export {") }
            #expect(ScriptBundle.exports(of: text).count == exports, "\(file)")
        }
        let bundle = ScriptBundle(of: ["page.js", "hands.js", "editing.js", "closing.js"]) {
            Self.source($0)
        }
        let names = bundle.modules.compactMap(Self.source).flatMap(ScriptBundle.exports)
        #expect(names.count == Set(names).count, "\(names.sorted())")
    }

    @Test("the board's page finds each module in the bundle that has it")
    func importMap() throws {
        let assets = WebAssets()
        let page = try #require(assets["/board.html"])
        let html = String(decoding: page.body, as: UTF8.self)
        let match = try #require(html.firstMatch(of: /<script type="importmap">(.*?)<\/script>/))
        let map = try JSONDecoder().decode(
            [String: [String: String]].self, from: Data(match.output.1.utf8))
        let imports = try #require(map["imports"])
        #expect(imports["/assets/faces.js"] == "/assets/page.bundle.js")
        #expect(imports["/assets/pointer.js"] == "/assets/hands.bundle.js")
        #expect(imports["/assets/page.js"] == nil, "a page asks for its entry by its own name")
        for (module, bundle) in imports {
            let text = try #require(assets[bundle].map { String(decoding: $0.body, as: UTF8.self) })
            let file = try #require(module.split(separator: "/").last.map(String.init))
            let source = try #require(Self.source(file))
            for name in ScriptBundle.exports(of: source) {
                let export = try Regex("(?m)^export [^=\\n]*\\b\(name)\\b")
                #expect(text.contains(export), "\(file) \(name)")
            }
        }
        #expect(page.inlineScript?.hasPrefix("'sha256-") == true)
    }

    @Test("until the first board stands, a page reads less than 60 kB of script")
    func firstBoard() throws {
        let assets = WebAssets()
        let html = String(decoding: try #require(assets["/board.html"]).body, as: UTF8.self)
        let named = Set(html.matches(of: /(?:href|src)="(\S+\.js)"/).map { String($0.output.1) })
        #expect(named == ["/assets/page.js", "/assets/page.bundle.js"])
        let sizes = named.compactMap { assets[$0]?.body.count }
        #expect(sizes.count == 2 && sizes.reduce(0, +) < 60_000, "\(sizes)")
    }
}
