internal import BoardModel
internal import BoardWire

/// What people and fate do next.
extension World {
    func take(_ step: Step) {
        let person = people[dice.int(0...people.count - 1)]
        switch step {
        case .act: act(person)
        case .wait: add(.step, at: now + dice.int(0...40_000_000))
        case .cut:
            guard let link = person.link else { return }
            totals.cuts += 1
            note(.cut, person)
            cut(link, isNoticed: true)
            add(.lostAtClient(link), at: now + dice.int(0...500_000))
        case .halfOpen:
            guard let link = person.link else { return }
            totals.halfOpens += 1
            note(.halfOpen, person)
            cut(link, isNoticed: false)
            // Or it finds out by the silence.
            if dice.chance(500) { add(.lostAtClient(link), at: now + dice.int(0...5_000_000)) }
        case .stall:
            guard let link = person.link, !link.isStalled else { return }
            totals.stalls += 1
            note(.stall, person)
            link.isStalled = true
        case .unstall: unstall(person)
        case .leave:
            guard let link = person.link else { return }
            note(.left, person)
            leave(link)
            person.lost(link)
        case .takeOver: takeOver(person)
        case .crash: crash()
        case .stop:
            guard let host, !host.isStopping else { return }
            totals.stops += 1
            trace.note(now, .stop, host.life)
            host.stop()
        case .slowDisk, .fullDisk, .mendDisk: turnDisk(step)
        case .clock:
            wallOffsetMs += dice.int(-86_400_000...86_400_000)
            trace.note(now, .clock, wallOffsetMs)
        case .put: poster.put()
        case .post: poster.begin()
        case .point: poster.makePoint()
        case .restore: poster.restore()
        case .rubbish: talkRubbish(person)
        }
    }

    private func note(_ word: Trace.Word, _ person: Person) {
        trace.note(now, word, person.number)
    }

    private func turnDisk(_ step: Step) {
        switch step {
        case .slowDisk: diskMode = .slow
        case .fullDisk: diskMode = .full
        default: diskMode = .sound
        }
        trace.note(now, diskMode == .sound ? .stored : diskMode == .slow ? .slow : .full, 0)
    }

    func unstall(_ person: Person) {
        guard let link = person.link, link.isStalled else { return }
        note(.unstall, person)
        link.isStalled = false
        add(.down(link), at: now)
    }

    /// The page is loaded anew while its old connection still stands.
    private func takeOver(_ person: Person) {
        guard let link = person.link, person.stage == .live else { return }
        totals.takeOvers += 1
        note(.takeOver, person)
        person.link = nil
        person.stage = .away
        link.isOpenAtClient = false
        person.connect()
    }

    private func talkRubbish(_ person: Person) {
        // More than twenty a minute would be closed, and rightly.
        guard person.stage == .live, person.rubbishCount < 15, let link = person.link else {
            return
        }
        person.rubbishCount += 1
        note(.rubbish, person)
        let texts = [
            "", "{", "[]", "nonsense", #"{"type":"fly"}"#, #"{"type":"drag.begin","drag":"1"}"#,
            #"{"type":"hello","client":"x"}"#, #"{"type":"presence"}"#,
        ]
        send(Array(dice.pick(texts).utf8), on: link)
    }

    // MARK: - Acting

    private func act(_ person: Person) {
        guard let shown = person.replica?.shown, (person.replica?.pending.count ?? 0) < 12 else {
            return
        }
        note(.act, person)
        let isLive = person.stage == .live
        switch dice.int(0...19) {
        case 0...2 where isLive: begin(person, shown)
        case 3...8 where isLive: target(person, shown)
        case 9...10 where isLive: drop(person, shown)
        case 11 where isLive: cancel(person)
        case 12 where isLive: person.say(.presence(isEditing: dice.chance(500)))
        default:
            // Somebody without a connection goes on, but not as eagerly.
            guard isLive || dice.chance(200), let edit = edit(shown, person) else { return }
            person.perform(edit)
        }
    }

    private func begin(_ person: Person, _ shown: Board) {
        guard let icon = icon(of: shown) else { return }
        let section = shown.sections.first { $0.icons.contains { $0.id == icon } }
        var icons = [icon]
        if dice.chance(200), let other = section?.icons.randomElement(using: &dice)?.id {
            icons = [icon, other].reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
        person.dragNumber += 1
        person.drag = Person.OwnDrag(
            number: person.dragNumber, icons: icons, copies: section?.lift == .copy)
        person.say(.dragBegin(drag: person.dragNumber, icons: icons))
    }

    private func target(_ person: Person, _ shown: Board) {
        guard let drag = person.drag else { return }
        person.say(
            .dragTarget(
                DragTarget(
                    drag: drag.number, base: person.replica?.confirmed.revision,
                    target: dice.chance(100) ? nil : place(shown),
                    point: Point(x: Double(dice.int(0...100)) / 100, y: 0.5))))
    }

    private func drop(_ person: Person, _ shown: Board) {
        guard let drag = person.drag else { return }
        person.drag = nil
        let place = place(shown)
        let edit =
            drag.copies
            ? Edit.iconCopy(icons: drag.icons, newIDs: drag.icons.map { _ in dice.id() }, to: place)
            : Edit.iconMove(icons: drag.icons, to: place)
        person.perform(edit, droppedAs: drag.number)
    }

    private func cancel(_ person: Person) {
        guard let drag = person.drag else { return }
        person.drag = nil
        person.say(.dragCancel(drag: drag.number))
    }

    private func icon(of board: Board) -> IconID? {
        board.sections.flatMap(\.icons).randomElement(using: &dice)?.id
    }

    private func place(_ board: Board) -> Target {
        let section = dice.pick(board.sections)
        switch dice.int(0...5) {
        case 0: return Target(section: section.id, at: dice.chance(500) ? .start : .end)
        default:
            return Target(section: section.id, index: dice.int(0...section.icons.count))
        }
    }

    private func edit(_ shown: Board, _ person: Person) -> Edit? {
        let section = dice.pick(shown.sections).id
        guard let icon = icon(of: shown) else {
            return .iconAdd(icon: newIcon(), to: Target(section: section, at: .end))
        }
        switch dice.int(0...19) {
        case 0...6: return .iconMove(icons: [icon], to: place(shown))
        case 7...8:
            return .iconAdd(icon: newIcon(), to: Target(section: section, at: .end))
        case 9: return .iconCopy(icons: [icon], newIDs: [dice.id()], to: place(shown))
        case 10...11: return .iconRemove(icons: [icon])
        case 12...15:
            totals.labels += 1
            var patch = IconPatch()
            patch.label = .set("\(person.number)-\(totals.labels)")
            return .iconUpdate(icon: icon, set: patch)
        case 16:
            var patch = IconPatch()
            patch.pinnedAt = dice.chance(500) ? .set(dice.int(0...5)) : .clear
            if dice.chance(300) { patch.locked = .set(dice.chance(400)) }
            return .iconUpdate(icon: icon, set: patch)
        case 17: return .redo
        default: return .undo
        }
    }

    private func newIcon() -> Icon { Icon(id: dice.id(), red: 1, green: 0, blue: 0) }
}
