internal import BoardModel

/// The short way for the message that comes sixty times a second from everyone who drags.
///
/// Reads a `drag.target` in the shape that clients write it - known members only, each once, no
/// escapes - without building a tree. Whatever else it meets it leaves to the general way, so it
/// never refuses anything and both always agree.
struct DragTargetScanner {
    private var scanner = JSONScanner(depthMax: 0, tolerant: false)
    private let limits: WireLimits

    /// `nil` for anything but a plain `drag.target`.
    static func scan(_ text: Span<UInt8>, limits: WireLimits) -> DragTarget? {
        var scanner = DragTargetScanner(limits: limits)
        return scanner.message(text)
    }

    private init(limits: WireLimits) {
        self.limits = limits
    }

    private enum Step {
        case key(Range<Int>)
        case end
        case odd
    }

    private struct Seen: OptionSet {
        let rawValue: UInt8
        static let type = Seen(rawValue: 1)
        static let drag = Seen(rawValue: 2)
        static let target = Seen(rawValue: 4)
        static let base = Seen(rawValue: 8)
        static let point = Seen(rawValue: 16)
        static let copy = Seen(rawValue: 32)
        static let tag = Seen(rawValue: 64)
        static let required: Seen = [.type, .drag, .target]
    }

    private mutating func message(_ text: Span<UInt8>) -> DragTarget? {
        var message = DragTarget(drag: 0)
        var seen: Seen = []
        guard scanner.skip(UInt8(ascii: "{"), text) else { return nil }
        while true {
            switch step(text, isFirst: seen.isEmpty) {
            case .odd: return nil
            case .end:
                scanner.skipSpace(text)
                guard scanner.offset == text.count, seen.isSuperset(of: .required) else {
                    return nil
                }
                return message
            case .key(let key):
                guard let member = read(key, text, into: &message), seen.insert(member).inserted
                else { return nil }
            }
        }
    }

    /// Reads the member of that key; `nil` when it isn't plain.
    private mutating func read(
        _ key: Range<Int>, _ text: Span<UInt8>, into message: inout DragTarget
    ) -> Seen? {
        if text.has("type", at: key) {
            guard let value = string(text), text.has("drag.target", at: value) else { return nil }
            return .type
        }
        if text.has("drag", at: key) {
            guard let drag = natural(text) else { return nil }
            message.drag = drag
            return .drag
        }
        if text.has("base", at: key) {
            message.base = natural(text)
            return message.base == nil ? nil : .base
        }
        if text.has("target", at: key) {
            if word("null", text) { return .target }
            message.target = target(text)
            return message.target == nil ? nil : .target
        }
        if text.has("point", at: key) {
            message.point = point(text)
            return message.point == nil ? nil : .point
        }
        if text.has("copy", at: key) {
            message.copy = word("true", text)
            return message.copy || word("false", text) ? .copy : nil
        }
        guard text.has("t", at: key), let value = string(text),
            value.count <= min(limits.tagCharacters, limits.tagBytes)
        else { return nil }
        message.tag = copied(text, value)
        return message.tag == nil ? nil : .tag
    }

    private mutating func target(_ text: Span<UInt8>) -> Target? {
        var target = Target()
        var members = 0
        guard scanner.skip(UInt8(ascii: "{"), text) else { return nil }
        while true {
            switch step(text, isFirst: members == 0) {
            case .odd: return nil
            case .end:
                guard target.at == nil || members == (target.section == nil ? 1 : 2) else {
                    return nil
                }
                return target
            case .key(let key):
                guard readMember(key, text, into: &target) else { return nil }
                members += 1
            }
        }
    }

    /// Reads the member of that key; false when it isn't plain or came before.
    private mutating func readMember(
        _ key: Range<Int>, _ text: Span<UInt8>, into target: inout Target
    ) -> Bool {
        if text.has("section", at: key) {
            guard target.section == nil, let value = string(text) else { return false }
            target.section = copied(text, value).flatMap { Slug($0) }
            return target.section != nil
        }
        if text.has("after", at: key) {
            guard target.after == nil else { return false }
            target.after = uuid(text)
            return target.after != nil
        }
        if text.has("before", at: key) {
            guard target.before == nil else { return false }
            target.before = uuid(text)
            return target.before != nil
        }
        if text.has("index", at: key) {
            guard target.index == nil else { return false }
            target.index = natural(text)
            return target.index != nil
        }
        guard text.has("at", at: key), target.at == nil, let value = string(text) else {
            return false
        }
        target.at = text.has("start", at: value) ? .start : text.has("end", at: value) ? .end : nil
        return target.at != nil
    }

    private mutating func point(_ text: Span<UInt8>) -> Point? {
        var x: Double?
        var y: Double?
        guard scanner.skip(UInt8(ascii: "{"), text) else { return nil }
        while true {
            switch step(text, isFirst: x == nil && y == nil) {
            case .odd: return nil
            case .end:
                guard let x, let y else { return nil }
                return Point(x: x, y: y)
            case .key(let key):
                guard let value = number(text) else { return nil }
                if text.has("x", at: key), x == nil {
                    x = value
                } else if text.has("y", at: key), y == nil {
                    y = value
                } else {
                    return nil
                }
            }
        }
    }
}

// The words of the grammar, each `nil` or false when it is not there in its plain form.
extension DragTargetScanner {
    private mutating func step(_ text: Span<UInt8>, isFirst: Bool) -> Step {
        if scanner.skip(UInt8(ascii: "}"), text) { return .end }
        if !isFirst, !scanner.skip(UInt8(ascii: ","), text) { return .odd }
        guard let key = string(text), scanner.skip(UInt8(ascii: ":"), text) else { return .odd }
        return .key(key)
    }

    /// Where the content of a string of printable ASCII without escapes lies.
    private mutating func string(_ text: Span<UInt8>) -> Range<Int>? {
        guard scanner.skip(UInt8(ascii: "\""), text) else { return nil }
        let begin = scanner.offset
        while scanner.offset < text.count {
            let byte = text[scanner.offset]
            if byte == UInt8(ascii: "\"") {
                scanner.offset += 1
                return begin..<scanner.offset - 1
            }
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { return nil }
            scanner.offset += 1
        }
        return nil
    }

    private func copied(_ text: Span<UInt8>, _ range: Range<Int>) -> String? {
        guard let content = try? UTF8Span(validating: text.extracting(range)) else { return nil }
        return String(copying: content)
    }

    private mutating func word(_ word: String, _ text: Span<UInt8>) -> Bool {
        scanner.skipSpace(text)
        let range = scanner.offset..<scanner.offset + word.utf8.count
        guard range.upperBound <= text.count, text.has(word, at: range) else { return false }
        scanner.offset = range.upperBound
        return true
    }

    private mutating func number(_ text: Span<UInt8>) -> Double? {
        scanner.skipSpace(text)
        guard let value = try? scanner.number(text) else { return nil }
        return JSONNumber(value)?.double
    }

    private mutating func natural(_ text: Span<UInt8>) -> Int? {
        guard let value = number(text), let integer = JSONNumber(value)?.integer, integer >= 0
        else { return nil }
        return integer
    }

    private mutating func uuid(_ text: Span<UInt8>) -> UniqueID? {
        guard let range = string(text), range.count == 36 else { return nil }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for position in 0..<36 {
            let byte = text[range.lowerBound + position]
            switch position {
            case 8, 13, 18, 23:
                guard byte == UInt8(ascii: "-") else { return nil }
            default:
                guard let digit = JSONScanner.hexValue(byte) else { return nil }
                if position < 18 {
                    words.high = words.high << 4 | UInt64(digit)
                } else {
                    words.low = words.low << 4 | UInt64(digit)
                }
            }
        }
        return UniqueID(high: words.high, low: words.low)
    }
}

extension Span<UInt8> {
    /// Whether exactly `word`, plain ASCII, stands at `range`.
    fileprivate func has(_ word: String, at range: Range<Int>) -> Bool {
        guard word.utf8.count == range.count else { return false }
        var position = range.lowerBound
        for byte in word.utf8 {
            guard self[position] == byte else { return false }
            position += 1
        }
        return true
    }
}
