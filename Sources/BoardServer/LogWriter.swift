internal import Foundation

/// Lines of `key=value` on standard error, one per event.
///
/// Never writes what a client sent but in quotes with every control character escaped, so that no
/// label can forge a line. A reader of the log that went away neither ends nor blocks the server.
package struct LogWriter: Sendable {
    package var level: LogLevel

    package init(level: LogLevel) { self.level = level }

    /// `event` is stable and made for searching, like `board.damaged`.
    package func write(
        _ level: LogLevel, _ event: String, _ fields: [(name: String, value: String)] = []
    ) {
        guard level <= self.level else { return }
        var line = "\(Self.timestamp()) \(level.rawValue) \(event)"
        for field in fields { line += " \(field.name)=\(Self.quoted(field.value))" }
        line += "\n"
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }

    /// The value as it stands behind `=`: bare where that is unambiguous, else in quotes, escaped.
    package static func quoted(_ value: String) -> String {
        let isPlain =
            !value.isEmpty
            && value.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"")
                    && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "=")
            }
        if isPlain { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar.value {
            case 0x22: text += "\\\""
            case 0x5C: text += "\\\\"
            case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029:
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    private static func timestamp() -> String {
        Date().formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
    }
}
