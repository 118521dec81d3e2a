import BoardModel
import BoardWire

// Random values of the model, ill ones for the rules included: the codec must carry them all.

extension SeededGenerator {
    mutating func id() -> UniqueID { UniqueID.random(using: &self) }

    mutating func slug() -> Slug {
        let first = Array("abcxyz019")
        let rest = Array("abcxyz019_-")
        var text = String(pick(first))
        for _ in 0..<int(0...pick([3, 12, 63])) { text.append(pick(rest)) }
        return Slug(text)!
    }

    mutating func text() -> String {
        let pieces = [
            "Mail", "é", "e\u{301}", "👨‍👩‍👧‍👦", "\n", "\r\n", "\t", "\"", "\\", "/", "</script>", "\u{0}",
            "\u{1b}[31m", "\u{7f}", "\u{85}", "\u{2028}", "\u{2029}", "\u{2027}", "\u{202A}",
            "\u{FFFF}", "𝄞", " ", "{\"type\":\"undo\"}",
        ]
        return many(0...5) { $0.pick(pieces) }.joined()
    }

    mutating func double() -> Double {
        switch int(0...5) {
        case 0: Double(int(-3...3))
        case 1: Double(int(0...1000)) / 1000
        case 2: Double.random(in: 0...1, using: &self)
        case 3:
            pick([
                .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e-5, 1e16, 1e21, 0.1 + 0.2,
                -1e-7,
            ])
        case 4: Double(int(-9_007_199_254_740_991...9_007_199_254_740_991))
        default:
            Double(bitPattern: next()).isFinite ? Double.random(in: -1e9...1e9, using: &self) : 0.5
        }
    }

    mutating func natural() -> Int { pick([0, 1, 2, 7, 300, 9_007_199_254_740_991, int(0...50)]) }

    mutating func change<Value: Hashable & Sendable>(
        _ make: (inout Self) -> Value
    ) -> FieldChange<Value> {
        switch int(0...2) {
        case 0: .keep
        case 1: .clear
        default: .set(make(&self))
        }
    }

    mutating func icon() -> Icon {
        Icon(
            id: id(), red: double(), green: double(), blue: double(), label: maybe { $0.text() },
            symbol: maybe { $0.text() }, link: maybe { $0.text() }, locked: maybe { $0.oneIn(2) },
            pinnedAt: maybe { $0.natural() })
    }

    mutating func section() -> Section {
        Section(
            id: slug(), title: text(),
            layout: Section.Layout(kind: pick(Section.Layout.Kind.allCases), columns: natural()),
            lift: pick(Section.Lift.allCases), drop: pick(Section.Drop.allCases),
            capacity: maybe { $0.natural() }, icons: many(0...4) { $0.icon() })
    }

    mutating func presentation() -> Presentation {
        Presentation(axis: pick(Presentation.Axis.allCases), minimumPressMs: natural())
    }

    mutating func board() -> Board {
        Board(
            id: slug(), title: text(), revision: natural(), epoch: text(),
            presentation: presentation(), sections: many(0...4) { $0.section() })
    }

    mutating func target(withSection: Bool = false) -> Target {
        var target = Target(section: withSection ? slug() : maybe { $0.slug() })
        if oneIn(4) {
            target.at = pick(Target.Edge.allCases)
        } else {
            target.after = maybe { $0.id() }
            target.before = maybe { $0.id() }
            target.index = maybe { $0.natural() }
        }
        return target
    }

    mutating func iconPatch() -> IconPatch {
        var patch = IconPatch()
        patch.red = maybe { $0.double() }
        patch.green = maybe { $0.double() }
        patch.blue = maybe { $0.double() }
        patch.label = change { $0.text() }
        patch.symbol = change { $0.text() }
        patch.link = change { $0.text() }
        patch.locked = change { $0.oneIn(2) }
        patch.pinnedAt = change { $0.natural() }
        return patch
    }

    mutating func sectionPatch() -> SectionPatch {
        var patch = SectionPatch()
        patch.title = maybe { $0.text() }
        patch.layoutKind = maybe { $0.pick(Section.Layout.Kind.allCases) }
        patch.layoutColumns = maybe { $0.natural() }
        patch.lift = maybe { $0.pick(Section.Lift.allCases) }
        patch.drop = maybe { $0.pick(Section.Drop.allCases) }
        patch.capacity = change { $0.natural() }
        return patch
    }

    mutating func boardPatch() -> BoardPatch {
        var patch = BoardPatch()
        patch.title = maybe { $0.text() }
        patch.axis = maybe { $0.pick(Presentation.Axis.allCases) }
        patch.minimumPressMs = maybe { $0.natural() }
        return patch
    }

    mutating func edit() -> Edit {
        switch int(0...11) {
        case 0: return .iconMove(icons: many(1...4) { $0.id() }, to: target())
        case 1: return .iconAdd(icon: icon(), to: target(withSection: true))
        case 2:
            let icons = many(1...4) { $0.id() }
            let newIDs = icons.map { _ in id() }
            return .iconCopy(icons: icons, newIDs: newIDs, to: target(withSection: true))
        case 3: return .iconUpdate(icon: id(), set: iconPatch())
        case 4: return .iconRemove(icons: many(1...4) { $0.id() })
        case 5: return .sectionAdd(section: section(), before: maybe { $0.slug() })
        case 6: return .sectionUpdate(section: slug(), set: sectionPatch())
        case 7: return .sectionMove(section: slug(), before: maybe { $0.slug() })
        case 8: return .sectionRemove(section: slug())
        case 9: return .boardUpdate(set: boardPatch())
        case 10: return .undo
        default: return .redo
        }
    }

    mutating func position() -> Position { Position(section: slug(), index: natural()) }

    mutating func moves(_ range: ClosedRange<Int>) -> [IconMove] {
        many(range) { IconMove(icon: $0.id(), from: $0.position(), to: $0.position()) }
    }

    mutating func change() -> Change {
        switch int(0...9) {
        case 0: .iconMove(moves: moves(1...3))
        case 1:
            .iconAdd(
                adds: many(1...3) { IconPlacement(icon: $0.icon(), position: $0.position()) },
                moves: moves(0...2))
        case 2:
            .iconRemove(
                removes: many(1...3) { IconRemoval(icon: $0.id(), position: $0.position()) },
                moves: moves(0...2))
        case 3: .iconUpdate(icon: id(), set: iconPatch(), moves: moves(0...2))
        case 4: .sectionAdd(section: section(), index: natural())
        case 5: .sectionUpdate(section: slug(), set: sectionPatch())
        case 6: .sectionMove(section: slug(), from: natural(), to: natural())
        case 7: .sectionRemove(section: slug(), index: natural())
        case 8: .boardUpdate(set: boardPatch())
        default:
            .boardRestore(
                title: text(), presentation: presentation(), sections: many(0...3) { $0.section() })
        }
    }

    mutating func intent() -> Intent {
        switch int(0...5) {
        case 0: .refused(pick(Reason.allCases), field: maybe { $0.text() })
        case 1: .nothing
        case 2: .restore(BoardContent(board()))
        default: .edit(edit())
        }
    }

    mutating func submission() -> Submission {
        Submission(
            client: id(), seq: natural(), base: maybe { $0.natural() },
            role: pick([.viewer, .editor, .owner]), intent: intent(), at: natural())
    }

    mutating func outcome(of submission: Submission) -> Outcome {
        switch int(0...7) {
        case 0: .noop(revision: natural())
        case 1: .rejected(pick(Reason.allCases), field: maybe { $0.text() }, revision: natural())
        case 2:
            .duplicate(
                decided: maybe { $0.pick([.applied, .noop, .rejected]) }, revision: natural())
        case 3: .gap(lastSeq: natural(), revision: natural())
        case 4: .unnumbered(revision: natural())
        default:
            .applied(
                Commit(
                    revision: natural(), client: submission.client, seq: submission.seq,
                    at: submission.at, change: change(), isUndo: oneIn(2)))
        }
    }

    mutating func dragTarget() -> DragTarget {
        DragTarget(
            drag: natural(), base: maybe { $0.natural() }, target: maybe { $0.target() },
            point: maybe { Point(x: $0.double(), y: $0.double()) }, copy: oneIn(2),
            tag: maybe { $0.oneIn(3) ? String($0.text().prefix(9)) : "1721.5" })
    }
}
