/// Several of our modules as one: each request of a page costs its browser about as long as the
/// drawing of a small board.
///
/// The modules stay the truth: they are joined at start, and a page's import map says that the
/// joined ones are found in the bundle. Whoever imports a module by its own path, as apps do with
/// `homeboard.js`, gets the module itself.
///
/// It reads lines, not JavaScript: `import { a, b } from './c.js';` on one of its own, and what a
/// module declares at the beginning of one. `ScriptBundleTests` hold our modules to that.
struct ScriptBundle {
    /// File names of the joined modules, dependencies first.
    let modules: [String]
    let text: String

    private typealias Import = (names: String, file: String)

    /// - Parameters:
    ///   - entries: File names of modules to join with everything that they import.
    ///   - known: File names of modules that are elsewhere: they stay imports of the bundle.
    ///   - source: The text of a module, with its indentation, by its file name.
    init(
        of entries: [String], without known: Set<String> = [], source: (String) -> String?
    ) {
        var order: [(file: String, text: String)] = []
        var seen = known
        func visit(_ file: String) {
            guard seen.insert(file).inserted, let text = source(file) else { return }
            for (_, file) in Self.imports(in: text) { visit(file) }
            order.append((file, text))
        }
        entries.forEach(visit)
        modules = order.map(\.file)
        let joined = Set(modules)
        var outside: [String: Set<String>] = [:]
        var taken: Set<String> = []
        var body = ""
        for (file, text) in order {
            for (names, file) in Self.imports(in: text) where !joined.contains(file) {
                outside[file, default: []].formUnion(names.split(separator: ", ").map(String.init))
            }
            let lines = ScriptText.withoutComments(text.replacing(Self.importLine, with: ""))
                .split(separator: "\n").joined(separator: "\n")
            let names = Self.declared(in: text)
            let isFree = taken.isDisjoint(with: names)
            body += "// \(file)\n"
            body += isFree ? lines + "\n" : Self.wrapped(lines, exports: Self.exports(of: text))
            taken.formUnion(isFree ? names : Self.exports(of: text))
        }
        let head = outside.sorted { $0.key < $1.key }.map { file, names in
            "import { \(names.sorted().joined(separator: ", ")) } from './\(file)';\n"
        }
        self.text = head.joined() + body
    }

    /// The modules that a module imports before it runs, in its order.
    static func dependencies(of text: String) -> [String] { imports(in: text).map(\.file) }

    /// The names that a module exports.
    static func exports(of text: String) -> [String] {
        text.matches(of: declaration).filter { $0.output.1 != nil }.map { String($0.output.2) }
    }

    /// All the names that a module takes for itself.
    private static func declared(in text: String) -> [String] {
        text.matches(of: declaration).map { String($0.output.2) }
    }

    private static func imports(in text: String) -> [Import] {
        text.matches(of: importLine).map { (String($0.output.1), String($0.output.2)) }
    }

    private static var importLine: Regex<(Substring, Substring, Substring)> {
        #/(?m)^import \{ ([^}]+) \} from '\./(\w+\.js)';$/#
    }

    private static var declaration: Regex<(Substring, Substring?, Substring)> {
        #/(?m)^(export )?(?:const|let|class|(?:\w+ )?function) (\w+)/#
    }

    /// A module that uses a name of another for something of its own keeps it to itself.
    private static func wrapped(_ lines: String, exports: [String]) -> String {
        let names = exports.joined(separator: ", ")
        let code = lines.replacing(#/(?m)^export /#, with: "")
        return "export const { \(names) } = (() => {\n\(code)\nreturn { \(names) };\n})();\n"
    }
}
