internal import Foundation

/// The web client's files, read into memory at start.
struct WebAssets {
    struct Asset {
        var contentType: String
        var body: [UInt8]
        /// Strong, from the content: a page that was updated is fetched again at once.
        var etag: String
    }

    private var byPath: [String: Asset] = [:]

    /// Reads the files that came with the program.
    init() {
        let root = Bundle.module.bundleURL.appendingPathComponent("Web")
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard let type = Self.contentType(of: file.pathExtension),
                let body = Self.body(of: file)
            else { continue }
            let path = file.standardizedFileURL.path.dropFirst(root.standardizedFileURL.path.count)
            byPath[String(path)] = Asset(
                contentType: type, body: body, etag: Self.etag(of: body))
        }
    }

    /// `/assets/…` by its own path; pages by their name, like `/index.html`.
    subscript(path: String) -> Asset? { byPath[path] }

    private static func body(of file: URL) -> [UInt8]? {
        guard let data = try? Data(contentsOf: file) else { return nil }
        guard file.pathExtension == "js" else { return Array(data) }
        return Array(ScriptText.withoutComments(String(decoding: data, as: UTF8.self)).utf8)
    }

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

    /// FNV-1a: not against forgers, only to tell one version of our own file from the next.
    private static func etag(of body: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in body { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return "\"" + String(hash, radix: 16) + "\""
    }
}
