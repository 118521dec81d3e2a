internal import BoardModel
internal import BoardStore
internal import BoardWire

/// One run of the world: first harm, then calm, then everything has to be as it was promised.
package struct Simulation: Sendable {
    package let seed: UInt64
    /// What went wrong; `nil` when nothing did.
    package let complaint: String?
    /// Of all that happened: two runs of one seed have the same.
    package let hash: UInt64
    /// The last of what happened, in words, when asked for.
    package let trace: [String]
    let totals: Totals

    /// Runs a seed. With `lines` the last lines of its trace are kept, which takes longer.
    package init(seed: UInt64, steps: Int = 300, lines: Int = 0) {
        let world = World(seed: seed, steps: steps, lines: lines)
        world.run()
        world.calm()
        self.seed = seed
        complaint = world.judge.complaint
        hash = world.trace.hash
        trace = world.trace.lines
        totals = world.finishedTotals
    }
}

extension World {
    var finishedTotals: Totals {
        var totals = totals
        totals.commits = judge.commits
        totals.rejections = judge.rejections
        totals.undos = judge.undos
        return totals
    }

    /// Everything works again. After a minute and a half nothing may be left undone.
    func calm() {
        guard judge.complaint == nil else { return }
        diskMode = .sound
        people.forEach(unstall)
        run(until: now + 90_000_000)
        // Once more, for those who came back late to a board that somebody else came back to.
        run(until: now + 40_000_000)
        guard judge.complaint == nil else { return }
        for person in people { checkAtRest(person) }
        if !poster.isIdle { judge.complain("a POST was never answered") }
        checkRead()
    }

    private func checkAtRest(_ person: Person) {
        let name = "P\(person.number)"
        guard let replica = person.replica, person.stage == .live else {
            judge.complain("\(name) is not back")
            return
        }
        let stored = judge.board(person.board)
        if !replica.pending.isEmpty {
            judge.complain("\(name) still waits for \(replica.pending.map(\.seq))")
        }
        if replica.confirmed != stored { judge.complain("\(name) has another board") }
        if replica.shown != stored { judge.complain("\(name) shows another board") }
        if replica.lastSeq != judge.durableSeq(of: replica.client, on: person.board) {
            judge.complain("\(name) and the disk count differently")
        }
        if !person.drags.isEmpty { judge.complain("\(name) sees a drag that never ended") }
        let here = people.filter { $0.board == person.board }.map(\.client)
        if Set(person.peers.values) != Set(here) || person.peers.count != here.count {
            judge.complain("\(name) sees \(person.peers.count) of \(here.count) people")
        }
        for tag in person.acknowledged where !judge.has(tag: tag, on: person.board) {
            judge.complain("\(name)'s edit \(tag) is lost")
        }
    }

    /// What another process would read.
    private func checkRead() {
        let store = JudgedStore(disk: disk, judge: judge)
        for board in boards { _ = try? store.load(board) }
    }
}
