import BoardModel
import Testing

@Suite("Ordering cases")
struct OrderingCaseTests {
    enum Form: CaseIterable {
        case index, before, after
    }

    @Test("O-01: an icon lands between the neighbours of the gap", arguments: Form.allCases)
    func everyGap(form: Form) throws {
        let letters = Array("ABCDE")
        for icon in letters {
            let rest = letters.filter { $0 != icon }
            for gap in 0...rest.count {
                var table = try Table(.sample("ABCDE"))
                var target = Target.index(gap)
                if form == .before, gap < rest.count { target = .before(String(rest[gap])) }
                if form == .after, gap > 0 { target = .after(String(rest[gap - 1])) }
                let outcome = try table.edit(.move(String(icon), target))
                var expected = rest
                expected.insert(icon, at: gap)
                #expect(table.letters("s") == String(expected))
                #expect(outcome.isNoop == (expected == letters))
                #expect(table.isSound)
            }
        }
    }

    @Test(
        "O-02: an index past the end is the end, a negative one or none is invalid",
        arguments: [(2, "BCA"), (3, "BCA"), (4, "BCA"), (2_147_483_648, "BCA")])
    func outside(index: Int, expected: String) throws {
        var table = try Table(.sample("ABC"))
        try table.edit(.move("A", .index(index)))
        #expect(table.letters("s") == expected)
    }

    @Test("O-02: to the end, to index 0, and to no place at all")
    func ends() throws {
        var table = try Table(.sample("ABC"))
        try table.edit(.move("A", .at(.end, of: "s")))
        #expect(table.letters("s") == "BCA")
        try table.edit(.move("A", .index(0)))
        #expect(table.letters("s") == "ABC")
        let negative = try table.edit(.move("A", .index(-1)))
        #expect(negative.reason == .invalid)
        #expect(negative.field == "edit.to.index")
        let none = try table.edit(.move("A", Target(section: .named("s"))))
        #expect(none.reason == .invalid)
        #expect(none.field == "edit.to")
        #expect(table.letters("s") == "ABC")
    }

    @Test(
        "O-03: an icon dropped on itself changes nothing",
        arguments: [
            ("A", Target.before("A")), ("A", .after("A")), ("A", .before("B")),
            ("D", .before("D")), ("D", .after("D")), ("D", .at(.end, of: "s")),
        ])
    func itself(icon: String, target: Target) throws {
        var table = try Table(.sample("ABCD"))
        #expect(try table.edit(.move(icon, target)).isNoop)
        #expect(table.letters("s") == "ABCD")
        #expect(table.state.revision == 0)
        #expect(try table.edit(.undo).reason == .nothingToUndo)
    }

    @Test("O-04: an empty section gives and takes icons")
    func emptySection() throws {
        var table = try Table(.sample("A", ""))
        try table.edit(.move("A", .at(.end, of: "t")))
        #expect(table.letters("t") == "A")
        try table.edit(.move("A", .index(0, of: "s")))
        #expect(table.letters("s") == "A")
        // Its own place is no place in the other section, and nothing else is said.
        #expect(try table.edit(.move("A", .after("A", of: "t"))).reason == .invalid)
        #expect(try table.edit(.move("A", .before("Z", of: "t"))).reason == .invalid)
        try table.edit(.move("A", .index(1, of: "t")))
        #expect(table.letters("t") == "A")
        #expect(table.watcher.sections.map(\.id.text) == ["s", "t"])
    }

    @Test("O-09: of two movers of one icon the last to arrive has it, and there is one of it")
    func sameIcon() throws {
        for isSwapped in [false, true] {
            var table = try Table(.sample("ABC", "XY"))
            let moves: [(String, Edit)] = [
                ("u1", .move("A", .after("X", of: "t"))), ("u2", .move("A", .at(.end, of: "s"))),
            ]
            for (client, edit) in isSwapped ? moves.reversed() : moves {
                #expect(try table.edit(client, edit, base: 0).commit != nil)
                #expect(table.isSound)
            }
            #expect(table.letters("s") == (isSwapped ? "BC" : "BCA"))
            #expect(table.letters("t") == (isSwapped ? "XAY" : "XY"))
        }
    }

    @Test("O-10: a neighbour that is itself moved or removed still marks its gap")
    func movedNeighbour() throws {
        for isSwapped in [false, true] {
            var table = try Table(.sample("01234"))
            let moves: [(String, Edit)] = [
                ("u1", .move("2", .after("0"))), ("u2", .move("0", .after("4"))),
            ]
            for (client, edit) in isSwapped ? moves.reversed() : moves {
                try table.edit(client, edit, base: 0)
            }
            #expect(table.letters("s") == "21340")
        }
        var table = try Table(.sample("01234"))
        try table.edit("u2", .remove("3"), base: 0)
        try table.edit("u1", .move("1", .after("3")), base: 0)
        #expect(table.letters("s") == "0214")
    }

    @Test("O-11: removal beats every other edit of the icon, in either order")
    func removalWins() throws {
        var table = try Table(.sample("ABC", "X"))
        try table.edit("u1", .remove("A"), base: 0)
        var set = IconPatch()
        set.label = .set("new")
        let late: [Edit] = [
            .move("A", .at(.end, of: "t")), .remove("A"),
            .iconUpdate(icon: .named("A"), set: set),
            .iconCopy(icons: [.named("A")], newIDs: [.named("N")], to: .at(.end, of: "t")),
        ]
        for edit in late {
            #expect(try table.edit("u2", edit, base: 0).reason == .iconGone)
        }
        #expect(table.state.liftRefusal(icons: [.named("A")], role: .owner) == .iconGone)
        #expect(table.letters("s") == "BC")

        var other = try Table(.sample("ABC", "X"))
        try other.edit("u2", .move("A", .at(.end, of: "t")), base: 0)
        try other.edit("u1", .remove("A"), base: 0)
        #expect(other.letters("t") == "X")
        #expect(try other.edit("u2", .undo).reason == .iconGone)
        #expect(other.isSound)
    }

    @Test("O-12: a section with icons is not removed, and a move into a removed one is refused")
    func removedSection() throws {
        var table = try Table(.sample("AB", "X", ""))
        #expect(
            try table.edit(.sectionRemove(section: .named("t"))).reason == .sectionNotEmpty)
        try table.edit("u2", .sectionRemove(section: .named("r")))
        #expect(try table.edit(.move("A", .at(.end, of: "r")), base: 0).reason == .sectionGone)
        #expect(table.letters("s") == "AB")
        let proposal = table.state.propose(
            icons: [.named("A")], to: .at(.end, of: "r"), copy: false, base: 0,
            client: .named("u1"), role: .owner)
        #expect(proposal == Proposal(kind: .forbidden, reason: .sectionGone))
        #expect(table.isSound)
    }

    @Test("O-13: a client far behind changes what it names and nothing else")
    func staleClient() throws {
        var table = try Table(.sample("ABC"))
        for round in 0..<15 { try table.edit("u2", .move("A", .index(round % 2 == 0 ? 2 : 0))) }
        var set = IconPatch()
        set.label = .set("renamed")
        let outcome = try table.edit("u1", .iconUpdate(icon: .named("A"), set: set), base: 0)
        #expect(outcome.commit?.change == .iconUpdate(icon: .named("A"), set: set, moves: []))
        #expect(table.letters("s") == "BCA")
        #expect(table.state.icon(.named("A"))?.label == "renamed")
    }

    @Test("O-14: what is added at the end stands in the order of arrival")
    func addedAtEnd() throws {
        var table = try Table(.sample("AB"))
        try table.edit("u1", .iconAdd(icon: .letter("X"), to: .at(.end, of: "s")), base: 0)
        try table.edit("u2", .iconAdd(icon: .letter("Y"), to: .at(.end, of: "s")), base: 0)
        #expect(table.letters("s") == "ABXY")
    }

    @Test("O-15: a move between sections is one change, every icon stands once at all times")
    func betweenSections() throws {
        var random = SeededGenerator(seed: 15)
        var table = try Table(.sample("ABC", "XYZ"))
        for _ in 0..<1_000 {
            let icon = random.pick(Array("ABCXYZ")) ?? "A"
            let section = random.chance(0.5) ? "s" : "t"
            try table.edit(
                "u\(random.int(1...3))",
                .move(String(icon), .index(random.int(0...6), of: section)),
                base: random.int(max(0, table.state.revision - 5)...table.state.revision))
            #expect(table.isSound)
            #expect((table.letters("s") + table.letters("t")).count == 6)
        }
    }
}
