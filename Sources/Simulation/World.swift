internal import BoardModel
internal import BoardStore
internal import BoardWire
internal import Collaboration

/// People, a network, a server and a disk, all driven by one seed on one thread. Time is in
/// microseconds and passes from one happening to the next.
final class World {
    enum Happening {
        case step
        case connect(Person)
        case silence(Person, Link)
        case up(Link)
        case down(Link)
        case lostAtServer(Link)
        case lostAtClient(Link)
        case drain(Link)
        case stuck(Link, since: Int)
        case timer(Int)
        case stored(Int)
        case start
        case post
    }

    enum DiskMode {
        case sound, slow, full
    }

    var dice: Dice
    let rates: Rates
    let judge = Judge()
    let disk = MemoryDisk()
    /// To look at the disk from outside.
    var store: MemoryBoardStore { MemoryBoardStore(disk: disk) }
    var trace: Trace
    var totals = Totals()
    private(set) var now = 1_000_000
    private var agenda = Agenda<Happening>()
    var people: [Person] = []
    private(set) var boards: [BoardID] = []
    var host: Host?
    private var lives = 0
    private var linkCount: UInt64 = 0
    var diskMode = DiskMode.sound
    /// The wall clock is ahead of the monotonic one by so much.
    var wallOffsetMs = 1_700_000_000_000
    private var stepsLeft: Int
    lazy var poster = Poster(self)

    init(seed: UInt64, steps: Int, lines: Int) {
        dice = Dice(seed: seed)
        rates = Rates(&dice)
        trace = Trace(lines: lines)
        stepsLeft = steps
        for number in 0..<rates.boards { boards.append(makeBoard("b\(number)")) }
        start()
        for number in 0..<rates.people {
            let person = Person(number: number, board: boards[number % boards.count], self)
            people.append(person)
            add(.connect(person), at: now + dice.int(0...200_000))
        }
        add(.step, at: now)
    }

    var wallMs: Int { wallOffsetMs + now / 1_000 }

    func add(_ happening: Happening, at time: Int) { agenda.add(happening, at: time) }

    private func makeBoard(_ name: String) -> BoardID {
        let icons = (0..<rates.icons).map { _ in
            Icon(id: dice.id(), red: 0.5, green: 0.5, blue: 0.5)
        }
        let sections = ["s", "t", "u"].compactMap { SectionID($0).map { Section(id: $0) } }
        guard let id = BoardID(name), sections.count == 3 else { preconditionFailure("a bad name") }
        var board = Board(id: id, title: name, epoch: "e-\(name)", sections: sections)
        board.sections[0].icons = Array(icons.dropLast(2))
        board.sections[2].icons = Array(icons.suffix(2))
        if dice.chance(400) { board.sections[1].capacity = dice.int(1...6) }
        if dice.chance(300) { board.sections[2].lift = .copy }
        if dice.chance(150) { board.sections[1].drop = .own }
        if dice.chance(400) { board.sections[0].icons[0].pinnedAt = 0 }
        do {
            let state = try BoardState(board: board)
            try MemoryBoardStore(disk: disk).create(state)
            judge.created(state)
        } catch {
            judge.complain("cannot make a board: \(error)")
        }
        return id
    }

    // MARK: - Time

    /// Lets things happen until nothing is left to do or `end` is reached, or somebody complains.
    func run(until end: Int? = nil) {
        while judge.complaint == nil, end != nil || stepsLeft > 0,
            let (time, happening) = agenda.next(until: end ?? .max)
        {
            now = time
            happen(happening)
        }
        if let end { now = max(now, end) }
    }

    private func happen(_ happening: Happening) {
        switch happening {
        case .step:
            guard stepsLeft > 0 else { return }
            stepsLeft -= 1
            totals.steps += 1
            take(Step.allCases[dice.weighted(rates.weights)])
            checkFootprint()
            add(.step, at: now + dice.int(rates.pause))
        case .connect(let person): person.connect()
        case .silence(let person, let link): person.checkSilence(link)
        case .up(let link): if link.life == host?.life { host?.hear(link) }
        case .down(let link): deliver(link)
        case .lostAtServer(let link): if link.life == host?.life { host?.lost(link) }
        case .lostAtClient(let link): link.person.lost(link)
        case .drain(let link): drain(link)
        case .stuck(let link, let since):
            if link.stuckSince == since, link.life == host?.life { host?.giveUp(link) }
        case .timer(let life): if life == host?.life { host?.timerFired() }
        case .stored(let life): if life == host?.life { host?.stored() }
        case .start: start()
        case .post: poster.post()
        }
        checkStopping()
    }

    // MARK: - The server

    func start() {
        guard host == nil else { return }
        lives += 1
        trace.note(now, .start, lives)
        host = Host(self, life: lives)
    }

    /// The process dies at once, whatever it was doing.
    func crash() {
        guard let host else { return }
        let part = dice.int(0...host.requestsInWork)
        trace.note(now, .crash, host.life, part)
        totals.crashes += 1
        host.die(doing: part)
        end()
    }

    /// An orderly end is through, or takes too long.
    private func checkStopping() {
        guard let host, host.isStopping else { return }
        if host.isDrained {
            end()
        } else if host.stopping > 10_000_000, diskMode != .slow {
            judge.complain("an orderly stop took more than 10 s")
        }
    }

    private func checkFootprint() {
        guard let hub = host?.hub else { return }
        for name in hub.footprint.excess(over: hub.footprintMax) {
            judge.complain("the server keeps too much: \(name)")
        }
    }

    private func end() {
        host = nil
        for person in people {
            if let link = person.link, link.isOpenAtClient { hangUp(link) }
        }
        add(.start, at: now + dice.int(1_000...2_000_000))
    }

    /// The server's side is gone; what it had sent may still arrive.
    private func hangUp(_ link: Link) {
        _ = link.cut(keepingUp: 0, down: dice.int(0...link.down.count))
        let last = link.down.last?.arrival ?? now
        add(.lostAtClient(link), at: max(now, last) + dice.int(0...100_000))
    }

    func diskTime() -> Int {
        let time = dice.int(rates.disk)
        return diskMode == .slow ? time + dice.int(1_000...3_000_000) : time
    }

    var isDiskFull: Bool { diskMode == .full }

    // MARK: - The network

    private func delay() -> Int { dice.int(rates.delay) }

    /// A new connection of a person; `nil` when nobody answers.
    func open(_ person: Person) -> Link? {
        guard let host else { return nil }
        linkCount += 1
        let link = Link(id: SessionID(linkCount), person: person, life: host.life)
        trace.note(now, .opened, Int(linkCount), person.number)
        add(.up(link), at: link.send(.open, at: now + delay()))
        return link
    }

    func send(_ text: [UInt8], on link: Link) {
        guard !link.isCut, link.isOpenAtClient else { return }
        add(.up(link), at: link.send(.text(text), at: now + delay()))
    }

    func leave(_ link: Link) {
        guard !link.isCut else { return }
        add(.up(link), at: link.send(.goodbye, at: now + delay()))
        link.isOpenAtClient = false
    }

    /// The client gave the connection up; the server may find out only much later.
    func abandon(_ link: Link) {
        link.isOpenAtClient = false
        cut(link, isNoticed: dice.chance(500))
    }

    /// The server sends: false when the socket takes no more.
    func take(_ text: [UInt8], on link: Link) -> Bool {
        guard link.outstanding == 0 || link.outstanding + text.count <= rates.socketBytes else {
            totals.refusedFrames += 1
            trace.note(now, .refused, Int(link.id.number))
            if link.stuckSince == nil {
                link.stuckSince = now
                add(.stuck(link, since: now), at: now + 30_000_000)
            }
            return false
        }
        let board = link.person.board
        let frame = Link.Downward.frame(
            text, durable: judge.durable(board),
            durableSeq: judge.durableSeq(of: link.person.client, on: board))
        let arrival = link.send(frame, at: now + delay())
        add(.down(link), at: arrival)
        return true
    }

    func close(_ link: Link, _ code: CloseCode) {
        link.isOpenAtServer = false
        trace.note(now, .closed, Int(link.id.number), Int(code.rawValue))
        let arrival = link.send(.close(code), at: now + delay())
        add(.down(link), at: arrival)
    }

    private func deliver(_ link: Link) {
        while judge.complaint == nil, !link.isStalled, let first = link.down.first,
            first.arrival <= now
        {
            link.down.removeFirst()
            switch first.piece {
            case .close(let code): link.person.closed(link, code)
            case .frame(let text, let durable, let seq):
                trace.note(now, .frame, Int(link.id.number), text)
                link.outstanding -= text.count
                if link.stuckSince != nil, link.outstanding <= rates.socketBytes / 2 {
                    add(.drain(link), at: now + delay())
                }
                link.person.hear(text, on: link, durable: durable, durableSeq: seq)
            }
        }
    }

    private func drain(_ link: Link) {
        guard link.stuckSince != nil, link.outstanding <= rates.socketBytes / 2 else { return }
        link.stuckSince = nil
        if link.life == host?.life { host?.drained(link) }
    }

    /// Nothing passes any more. `isNoticed`: the server hears of it soon, and not only when its
    /// pings get no answer.
    func cut(_ link: Link, isNoticed: Bool) {
        guard !link.isCut else { return }
        let last = link.cut(
            keepingUp: dice.int(0...link.up.count), down: dice.int(0...link.down.count))
        let notice = isNoticed ? dice.int(0...500_000) : 33_000_000
        add(.lostAtServer(link), at: max(now, last) + notice)
    }
}

@available(*, unavailable)
extension World: Sendable {}
