/// Blanks out comments and the insides of texts, so that a word in prose is no finding.
///
/// Newlines stay where they are, and so does the code of an interpolation.
struct CodeOnly {
    private enum Place {
        case code
        /// Inside `\( … )`, with the parentheses open so far.
        case interpolation(depth: Int)
        case text(pounds: Int, isLong: Bool)
        case lineComment
        case blockComment(depth: Int)
    }

    private let input: [UInt8]
    private var output: [UInt8] = []
    private var index = 0
    private var places: [Place] = [.code]

    static func of(_ text: String) -> String {
        var reader = CodeOnly(input: Array(text.utf8))
        while reader.index < reader.input.count { reader.step() }
        return String(decoding: reader.output, as: UTF8.self)
    }

    private init(input: [UInt8]) {
        self.input = input
        output.reserveCapacity(input.count)
    }

    private mutating func step() {
        switch places[places.count - 1] {
        case .code, .interpolation: stepCode()
        case .text(let pounds, let isLong): stepText(pounds: pounds, isLong: isLong)
        case .lineComment:
            if input[index] == newline { places.removeLast() }
            blank(1)
        case .blockComment(let depth):
            if matches("/*") {
                places[places.count - 1] = .blockComment(depth: depth + 1)
                blank(2)
            } else if matches("*/") {
                if depth == 1 {
                    places.removeLast()
                } else {
                    places[places.count - 1] = .blockComment(depth: depth - 1)
                }
                blank(2)
            } else {
                blank(1)
            }
        }
    }

    private mutating func stepCode() {
        if matches("//") {
            places.append(.lineComment)
            return blank(2)
        }
        if matches("/*") {
            places.append(.blockComment(depth: 1))
            return blank(2)
        }
        let pounds = poundsHere
        if index + pounds < input.count, input[index + pounds] == quote {
            let isLong = matches("\"\"\"", at: index + pounds)
            places.append(.text(pounds: pounds, isLong: isLong))
            return keep(pounds + (isLong ? 3 : 1))
        }
        if case .interpolation(let depth) = places[places.count - 1] {
            if input[index] == UInt8(ascii: "(") {
                places[places.count - 1] = .interpolation(depth: depth + 1)
            } else if input[index] == UInt8(ascii: ")") {
                if depth == 1 {
                    places.removeLast()
                } else {
                    places[places.count - 1] = .interpolation(depth: depth - 1)
                }
            }
        }
        keep(1)
    }

    private mutating func stepText(pounds: Int, isLong: Bool) {
        let hashes = String(repeating: "#", count: pounds)
        if matches((isLong ? "\"\"\"" : "\"") + hashes) {
            places.removeLast()
            keep((isLong ? 3 : 1) + pounds)
        } else if matches("\\" + hashes + "(") {
            places.append(.interpolation(depth: 1))
            blank(2 + pounds)
        } else if matches("\\" + hashes) {
            blank(min(2 + pounds, input.count - index))
        } else {
            // An unended text ends with its line: half-written code must not hide the rest.
            if input[index] == newline, !isLong { places.removeLast() }
            blank(1)
        }
    }

    private var poundsHere: Int {
        var count = 0
        while index + count < input.count, input[index + count] == UInt8(ascii: "#") { count += 1 }
        return count
    }

    private func matches(_ text: String, at start: Int? = nil) -> Bool {
        var position = start ?? index
        for byte in text.utf8 {
            guard position < input.count, input[position] == byte else { return false }
            position += 1
        }
        return true
    }

    private mutating func keep(_ count: Int) {
        output += input[index..<index + count]
        index += count
    }

    private mutating func blank(_ count: Int) {
        for byte in input[index..<index + count] {
            output.append(byte == newline ? newline : UInt8(ascii: " "))
        }
        index += count
    }
}

private let newline = UInt8(ascii: "\n")
private let quote = UInt8(ascii: "\"")
