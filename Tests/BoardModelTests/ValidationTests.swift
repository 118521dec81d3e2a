import BoardModel
import Testing

@Suite("Validation")
struct ValidationTests {
    struct BadIcon: CustomTestStringConvertible {
        var field: String
        var reason: Reason
        var testDescription: String
        var spoil: @Sendable (inout Icon) -> Void

        init(
            _ field: String, _ why: String, _ reason: Reason = .invalid,
            _ spoil: @escaping @Sendable (inout Icon) -> Void
        ) {
            (self.field, self.reason, self.spoil) = (field, reason, spoil)
            testDescription = "\(field): \(why)"
        }
    }

    static let badIcons: [BadIcon] = [
        BadIcon("red", "over 1") { $0.red = 1.001 },
        BadIcon("green", "below 0") { $0.green = -0.001 },
        BadIcon("blue", "not a number") { $0.blue = .nan },
        BadIcon("blue", "infinite") { $0.blue = .infinity },
        BadIcon("label", "a line break") { $0.label = "a\nb" },
        BadIcon("label", "NUL") { $0.label = "a\u{0}b" },
        BadIcon("label", "DEL") { $0.label = "\u{7F}" },
        BadIcon("label", "right-to-left override") { $0.label = "a\u{202E}b" },
        BadIcon("label", "isolate") { $0.label = "\u{2066}" },
        BadIcon("label", "101 characters", .limit) {
            $0.label = String(repeating: "ä", count: 101)
        },
        BadIcon("label", "one character of many bytes", .limit) {
            $0.label = "e" + String(repeating: "\u{301}", count: 200)
        },
        BadIcon("symbol", "65 bytes", .limit) { $0.symbol = String(repeating: "s", count: 65) },
        BadIcon("symbol", "a tab") { $0.symbol = "\t" },
        BadIcon("link", "1025 bytes", .limit) {
            $0.link = "https://" + String(repeating: "x", count: 1_017)
        },
        BadIcon("link", "javascript") { $0.link = "JavaScript:alert(1)" },
        BadIcon("link", "data") { $0.link = "data:text/html,x" },
        BadIcon("link", "vbscript") { $0.link = "vbscript:x" },
        BadIcon("link", "file") { $0.link = "file:///etc/passwd" },
        BadIcon("link", "no scheme") { $0.link = "example.org" },
        BadIcon("link", "a path") { $0.link = "/boards" },
        BadIcon("link", "no host") { $0.link = "https://" },
        BadIcon("link", "a blank before") { $0.link = " https://example.org" },
        BadIcon("link", "a tab in the scheme") { $0.link = "java\tscript:x" },
        BadIcon("pinnedAt", "negative") { $0.pinnedAt = -1 },
    ]

    @Test(
        "A bad value of an icon is refused by its field, wherever it comes in", arguments: badIcons)
    func badIcon(bad: BadIcon) throws {
        var icon = Icon.letter("N")
        bad.spoil(&icon)
        var table = try Table(.sample("AB", "C"))
        let added = try table.edit(.iconAdd(icon: icon, to: .index(0)))
        #expect(added == .rejected(bad.reason, field: "edit.icon." + bad.field, revision: 0))
        let section = Section(id: .named("new"), icons: [icon])
        #expect(
            try table.edit(.sectionAdd(section: section, before: nil))
                == .rejected(
                    bad.reason, field: "edit.section.icons[0]." + bad.field, revision: 0))
        let patched = try table.edit(.iconUpdate(icon: .named("A"), set: .all(of: icon)))
        #expect(patched == .rejected(bad.reason, field: "edit.set." + bad.field, revision: 0))

        var board = Board.sample("AB", "C")
        board.sections[1].icons.append(icon)
        let problem = #expect(throws: BoardProblem.self) { try BoardState(board: board) }
        #expect(problem?.field == "sections[1].icons[1]." + bad.field)
        #expect(problem?.reason == bad.reason)
        var state = try BoardState(board: .sample("AB"))
        let before = state
        #expect(throws: BoardProblem.self) {
            try state.replace(
                title: "", presentation: Presentation(), sections: board.sections, epoch: "e2")
        }
        #expect(state == before)
    }

    @Test(
        "Good links are taken",
        arguments: ["http://a", "https://example.org/a?b=c#d", "tel:112", "my-app+1.x://go", "x:y"])
    func goodLink(link: String) throws {
        var table = try Table(.sample("A"))
        let outcome = try table.set("A") { $0.link = .set(link) }
        #expect(outcome.commit != nil)
        #expect(table.isSound)
    }

    @Test("Bad values of sections and boards are refused by their field")
    func badFrames() throws {
        func field(_ spoil: (inout Board) -> Void) -> String? {
            var board = Board.sample("A", "B")
            spoil(&board)
            do throws(BoardProblem) {
                _ = try BoardState(board: board)
                return nil
            } catch {
                return "\(error.field) \(error.reason.rawValue)"
            }
        }
        #expect(field { _ in } == nil)
        #expect(field { $0.title = "a\u{1}" } == "title invalid")
        #expect(field { $0.title = String(repeating: "x", count: 101) } == "title limit")
        #expect(field { $0.revision = -1 } == "revision invalid")
        #expect(
            field { $0.presentation.minimumPressMs = 10_001 }
                == "presentation.minimumPressMs invalid")
        #expect(field { $0.sections[1].title = "\r" } == "sections[1].title invalid")
        #expect(field { $0.sections[0].layout.columns = 0 } == "sections[0].layout.columns invalid")
        #expect(
            field { $0.sections[0].layout.columns = 65 } == "sections[0].layout.columns invalid")
        #expect(field { $0.sections[1].capacity = -1 } == "sections[1].capacity invalid")
        #expect(field { $0.sections[1].id = $0.sections[0].id } == "sections[1].id duplicate_id")
        #expect(
            field { $0.sections[1].icons = $0.sections[0].icons }
                == "sections[1].icons[0].id duplicate_id")
        #expect(
            field { board in
                board.sections = (0...100).map { Section(id: .named("s\($0)")) }
            } == "sections limit")
    }

    @Test("Bad patches of sections and boards are refused by their field")
    func badPatches() throws {
        var table = try Table(.sample("A"))
        func refused(_ edit: Edit) throws -> String? {
            let outcome = try table.edit(edit)
            return outcome.field.map { "\($0) \(outcome.reason?.rawValue ?? "")" }
        }
        func section(_ spoil: (inout SectionPatch) -> Void) -> Edit {
            var set = SectionPatch()
            spoil(&set)
            return .sectionUpdate(section: .named("s"), set: set)
        }
        #expect(try refused(section { $0.title = "\u{202A}" }) == "edit.set.title invalid")
        #expect(
            try refused(section { $0.layoutColumns = 65 }) == "edit.set.layout.columns invalid")
        #expect(
            try refused(section { $0.capacity = .set(-1) }) == "edit.set.capacity invalid")
        var set = BoardPatch()
        set.minimumPressMs = -1
        #expect(
            try refused(.boardUpdate(set: set))
                == "edit.set.presentation.minimumPressMs invalid")
        set = BoardPatch()
        set.title = String(repeating: "x", count: 401)
        #expect(try refused(.boardUpdate(set: set)) == "edit.set.title limit")
    }

    @Test("Bad lists, targets and bases are refused by their field")
    func badShapes() throws {
        var table = try Table(.sample("AB", "C"))
        func refused(_ edit: Edit, base: Int? = nil) throws -> String? {
            let outcome = try table.edit(edit, base: base)
            return outcome.field.map { "\($0) \(outcome.reason?.rawValue ?? "")" }
        }
        #expect(try refused(.move("", .index(0))) == "edit.icons invalid")
        #expect(try refused(.move("AA", .index(0))) == "edit.icons invalid")
        #expect(try refused(.remove("")) == "edit.icons invalid")
        #expect(try refused(.remove("BB")) == "edit.icons invalid")
        #expect(try refused(.move("A", .index(-1))) == "edit.to.index invalid")
        #expect(try refused(.move("A", Target())) == "edit.to invalid")
        #expect(
            try refused(.iconAdd(icon: .letter("N"), to: Target(at: .end)))
                == "edit.to.section invalid")
        #expect(try refused(.move("A", .index(1)), base: -1) == "base invalid")
        #expect(try refused(.move("A", .index(1)), base: 1) == "base invalid")
        #expect(try refused(.undo, base: 1) == "base invalid")
        let a = IconID.named("A")
        let end = Target.at(.end, of: "t")
        #expect(
            try refused(.iconCopy(icons: [a], newIDs: [], to: end)) == "edit.newIDs invalid")
        #expect(
            try refused(
                .iconCopy(
                    icons: [a, .named("B")], newIDs: [.named("N"), .named("N")], to: end))
                == "edit.newIDs invalid")
        #expect(
            try refused(.iconCopy(icons: [a], newIDs: [a], to: end))
                == "edit.newIDs duplicate_id")
        #expect(
            try refused(.iconAdd(icon: .letter("C"), to: end)) == "edit.icon.id duplicate_id")
        #expect(table.state.revision == 0)
    }

    @Test("Values are kept in one form: no negative zero, no empty texts")
    func normalised() throws {
        var table = try Table(.sample("A"))
        var icon = Icon.letter("N")
        icon.red = -0.0
        icon.label = ""
        try table.edit(.iconAdd(icon: icon, to: .index(0)))
        let stored = table.state.icon(.named("N"))
        #expect(stored?.red.sign == .plus)
        #expect(stored?.label == nil)
        _ = try table.set("N") { $0.label = .set("x") }
        let cleared = try table.set("N") { $0.label = .set("") }
        var set = IconPatch()
        set.label = .clear
        #expect(cleared.commit?.change == .iconUpdate(icon: .named("N"), set: set, moves: []))
        #expect(try table.set("N") { $0.label = .clear }.isNoop)
        #expect(try table.set("N") { $0.red = -0.0 }.isNoop)
        #expect(try table.set("N") { $0.locked = .set(false) }.isNoop)
        #expect(try table.set("N") { _ in }.isNoop)
        #expect(table.isSound)
    }
}

extension IconPatch {
    /// A patch that sets everything an icon has.
    static func all(of icon: Icon) -> IconPatch {
        var set = IconPatch()
        (set.red, set.green, set.blue) = (icon.red, icon.green, icon.blue)
        if let label = icon.label { set.label = .set(label) }
        if let symbol = icon.symbol { set.symbol = .set(symbol) }
        if let link = icon.link { set.link = .set(link) }
        if let pinnedAt = icon.pinnedAt { set.pinnedAt = .set(pinnedAt) }
        return set
    }
}
