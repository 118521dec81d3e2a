// Each function returns its value as the board keeps it, or names the field at fault. `field` is
// the path of the value itself: an empty one stands for the board.

extension BoardLimits {
    /// The largest whole number that every client's JSON reads exactly: 2^53 - 1.
    static let wholeNumberMax = 1 << 53 - 1
    static let columns = 1...64
    static let pressMs = 0...10_000

    func checked(_ icon: Icon, field: String) throws(BoardProblem) -> Icon {
        var icon = icon
        icon.red = try checked(colour: icon.red, field: field + ".red")
        icon.green = try checked(colour: icon.green, field: field + ".green")
        icon.blue = try checked(colour: icon.blue, field: field + ".blue")
        icon.label = try checked(icon.label, by: .label(self), field: field + ".label")
        icon.symbol = try checked(icon.symbol, by: .symbol(self), field: field + ".symbol")
        icon.link = try checked(link: icon.link, field: field + ".link")
        if let index = icon.pinnedAt {
            try check(wholeNumber: index, field: field + ".pinnedAt")
        }
        return icon
    }

    func checked(_ patch: IconPatch, field: String) throws(BoardProblem) -> IconPatch {
        var patch = patch
        if let red = patch.red { patch.red = try checked(colour: red, field: field + ".red") }
        if let green = patch.green {
            patch.green = try checked(colour: green, field: field + ".green")
        }
        if let blue = patch.blue { patch.blue = try checked(colour: blue, field: field + ".blue") }
        if case .set(let label) = patch.label {
            patch.label = .init(try checked(label, by: .label(self), field: field + ".label"))
        }
        if case .set(let symbol) = patch.symbol {
            patch.symbol = .init(try checked(symbol, by: .symbol(self), field: field + ".symbol"))
        }
        if case .set(let link) = patch.link {
            patch.link = .init(try checked(link: link, field: field + ".link"))
        }
        if case .set(let index) = patch.pinnedAt {
            try check(wholeNumber: index, field: field + ".pinnedAt")
        }
        return patch
    }

    /// Checks the section itself, not its icons.
    func check(_ frame: Section, field: String) throws(BoardProblem) {
        try TextRule.label(self).check(frame.title, field: field + ".title")
        try check(columns: frame.layout.columns, field: field + ".layout.columns")
        if let capacity = frame.capacity {
            try check(wholeNumber: capacity, field: field + ".capacity")
        }
    }

    func check(_ patch: SectionPatch, field: String) throws(BoardProblem) {
        if let title = patch.title {
            try TextRule.label(self).check(title, field: field + ".title")
        }
        if let columns = patch.layoutColumns {
            try check(columns: columns, field: field + ".layout.columns")
        }
        if case .set(let capacity) = patch.capacity {
            try check(wholeNumber: capacity, field: field + ".capacity")
        }
    }

    func check(_ patch: BoardPatch, field: String) throws(BoardProblem) {
        if let title = patch.title {
            try TextRule.label(self).check(title, field: field + ".title")
        }
        if let press = patch.minimumPressMs {
            try check(pressMs: press, field: field + ".presentation.minimumPressMs")
        }
    }

    func check(pressMs: Int, field: String) throws(BoardProblem) {
        guard Self.pressMs.contains(pressMs) else {
            throw .init(
                reason: .invalid, field: field, message: "is \(pressMs), not one of 0...10000")
        }
    }

    /// Checks a count, an index or a revision.
    func check(wholeNumber: Int, field: String) throws(BoardProblem) {
        guard (0...Self.wholeNumberMax).contains(wholeNumber) else {
            throw .init(
                reason: .invalid, field: field, message: "is \(wholeNumber), not 0 or more")
        }
    }

    private func check(columns: Int, field: String) throws(BoardProblem) {
        guard Self.columns.contains(columns) else {
            throw .init(reason: .invalid, field: field, message: "is \(columns), not one of 1...64")
        }
    }

    private func checked(colour: Double, field: String) throws(BoardProblem) -> Double {
        // Not a number fails both comparisons.
        guard colour >= 0, colour <= 1 else {
            throw .init(reason: .invalid, field: field, message: "is not in 0...1")
        }
        return colour == 0 ? 0 : colour
    }

    /// An empty text is none.
    private func checked(
        _ text: String?, by rule: TextRule, field: String
    ) throws(BoardProblem) -> String? {
        guard let text, !text.isEmpty else { return nil }
        try rule.check(text, field: field)
        return text
    }

    private func checked(link: String?, field: String) throws(BoardProblem) -> String? {
        guard let link, !link.isEmpty else { return nil }
        try LinkRule(self).check(link, field: field)
        return link
    }
}

extension FieldChange {
    /// Sets the value, or clears the field for `nil`.
    init(_ value: Value?) {
        if let value { self = .set(value) } else { self = .clear }
    }

    /// The field after this change.
    func applied(to value: Value?) -> Value? {
        switch self {
        case .keep: value
        case .clear: nil
        case .set(let new): new
        }
    }

    var isKeep: Bool { self == .keep }
}
