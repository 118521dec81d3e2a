internal import BoardStore
internal import Foundation

/// The web client's files, read into memory at start.
struct WebAssets {
    struct Asset {
        var contentType: String
        var body: [UInt8]
        /// Strong, from the content: a page that was updated is fetched again at once.
        let etag: String
        /// What a page may run beside files of this server, as a source of a security policy.
        var inlineScript: String?

        fileprivate init(_ contentType: String, _ body: [UInt8], inlineScript: String? = nil) {
            (self.contentType, self.body, self.inlineScript) = (contentType, body, inlineScript)
            etag = "\"" + Data(WebAssets.digest(of: body).prefix(12)).base64EncodedString() + "\""
        }
    }

    private var byPath: [String: Asset] = [:]

    /// Reads the files that came with the program.
    init() {
        let root = Bundle.module.bundleURL.appendingPathComponent("Web")
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        var scripts: [String: String] = [:]
        while let file = files?.nextObject() as? URL {
            guard let type = Self.contentType(of: file.pathExtension),
                let data = try? Data(contentsOf: file)
            else { continue }
            let path = file.standardizedFileURL.path.dropFirst(root.standardizedFileURL.path.count)
            var body = Array(data)
            if file.pathExtension == "js" {
                let text = String(decoding: data, as: UTF8.self)
                scripts[file.lastPathComponent] = text
                body = Array(ScriptText.withoutComments(text).utf8)
            }
            byPath[String(path)] = Asset(type, body)
        }
        bundle(scripts)
    }

    /// Joins what the board's page needs until the board stands, and what it needs soon after.
    private mutating func bundle(_ scripts: [String: String]) {
        guard let page = byPath["/board.html"], let entry = scripts["page.js"] else { return }
        let first = ScriptBundle(of: ScriptBundle.dependencies(of: entry)) { scripts[$0] }
        let later = ScriptBundle(
            of: ["hands.js", "editing.js", "closing.js"], without: Set(first.modules)
        ) { scripts[$0] }
        var imports: [String: String] = [:]
        for (name, bundle) in [("page.bundle.js", first), ("hands.bundle.js", later)] {
            let type = Self.contentType(of: "js") ?? ""
            byPath["/assets/\(name)"] = Asset(type, Array(bundle.text.utf8))
            for module in bundle.modules { imports["/assets/\(module)"] = "/assets/\(name)" }
        }
        let lines = imports.sorted { $0.key < $1.key }.map { "\"\($0)\":\"\($1)\"" }
        let map = "{\"imports\":{\(lines.joined(separator: ","))}}"
        let html = String(decoding: page.body, as: UTF8.self).replacing(
            "<!-- bundles -->",
            with: """
                <script type="importmap">\(map)</script>
                <link rel="modulepreload" href="/assets/page.bundle.js">
                <link rel="modulepreload" href="/assets/page.js">
                """)
        let digest = Data(Self.digest(of: Array(map.utf8))).base64EncodedString()
        byPath["/board.html"] = Asset(
            page.contentType, Array(html.utf8), inlineScript: "'sha256-\(digest)'")
    }

    /// `/assets/…` by its own path; pages by their name, like `/index.html`.
    subscript(path: String) -> Asset? { byPath[path] }

    private static func contentType(of suffix: String) -> String? {
        switch suffix {
        case "html": "text/html; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "ico": "image/x-icon"
        case "webmanifest": "application/manifest+json"
        case "json": "application/json"
        case "ts": "text/plain; charset=utf-8"
        default: nil
        }
    }

    private static func digest(of bytes: [UInt8]) -> [UInt8] {
        var digest = Digest()
        digest.update(bytes)
        return digest.finish()
    }
}
