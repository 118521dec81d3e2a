import BoardModel
import BoardStore
import BoardWire
import Testing

@Suite("The store's contract")
struct StoreContractTests {
    @Test("O-31: a board that isn't there is nil, not an error", arguments: StoreKind.allCases)
    func absent(kind: StoreKind) throws {
        let store = try kind.makeFixture().open()
        #expect(try store.load(id("kitchen")) == nil)
        #expect(try store.heads().heads == [])
        #expect(try !store.delete(id("kitchen")))
    }

    @Test("A created board is listed and read back whole", arguments: StoreKind.allCases)
    func created(kind: StoreKind) throws {
        let fixture = try kind.makeFixture()
        let store = try fixture.open()
        let kitchen = sampleBoard("kitchen", icons: 40)
        let attic = sampleBoard("attic", icons: 2)
        try store.create(kitchen)
        try store.create(attic)
        #expect(try store.heads().heads == [BoardHead(attic), BoardHead(kitchen)])
        #expect(try store.load(kitchen.id) == Author(kitchen).stored)
        #expect(try fixture.openAfterKill().load(attic.id) == Author(attic).stored)
    }

    @Test("An identifier is taken once", arguments: StoreKind.allCases)
    func taken(kind: StoreKind) throws {
        let store = try kind.makeFixture().open()
        let board = sampleBoard("kitchen", icons: 3)
        try store.create(board)
        #expect(throws: StoreError.exists(board.id)) {
            try store.create(sampleBoard("kitchen", icons: 1))
        }
        #expect(try store.load(board.id)?.state == board)
    }

    @Test("O-32: what was appended is there after a kill", arguments: StoreKind.allCases)
    func appended(kind: StoreKind) throws {
        let fixture = try kind.makeFixture()
        let store = try fixture.open()
        var kitchen = Author(sampleBoard("kitchen", icons: 3))
        var attic = Author(sampleBoard("attic", icons: 3))
        try store.create(kitchen.state)
        try store.create(attic.state)
        for _ in 0..<20 {
            let refused = kitchen.askInVain()
            try store.append([
                kitchen.batch([refused]), kitchen.batch(2), attic.batch(1), kitchen.batch(1),
            ])
        }
        let reopened = try fixture.openAfterKill()
        #expect(try reopened.load(kitchen.state.id) == kitchen.stored)
        #expect(try reopened.load(attic.state.id) == attic.stored)
        #expect(try reopened.heads().heads == [BoardHead(attic.state), BoardHead(kitchen.state)])
    }

    @Test("O-36: a snapshot takes the place of the log before it", arguments: StoreKind.allCases)
    func snapshots(kind: StoreKind) throws {
        let fixture = try kind.makeFixture()
        let store = try fixture.open()
        var author = Author(sampleBoard("kitchen", icons: 3))
        try store.create(author.state)
        try store.append([author.batch(5), author.batch(5, snapshot: true), author.batch(4)])
        let reopened = try fixture.openAfterKill()
        #expect(try reopened.load(author.state.id) == author.stored)
        // Once more from a snapshot in the middle of a batch.
        var records = [author.rename()]
        var batch = author.batch([], snapshot: true)
        records += [author.rename(), author.rename()]
        batch.records = records
        try store.append([batch])
        #expect(try fixture.openAfterKill().load(author.state.id) == author.stored)
    }

    @Test("RS: the last commits stay for a resume, older ones go", arguments: StoreKind.allCases)
    func trimming(kind: StoreKind) throws {
        var limits = BoardLimits()
        limits.window = 10
        let fixture = try kind.makeFixture()
        let store = try fixture.open(limits: limits)
        var state = sampleBoard("kitchen", icons: 3)
        state.limits = limits
        var author = Author(state)
        try store.create(author.state)
        for _ in 0..<6 { try store.append([author.batch(5, snapshot: true)]) }
        let loaded = try #require(try fixture.openAfterKill(limits: limits).load(state.id))
        #expect(loaded.state == author.state)
        #expect(loaded.commits == author.commits.suffix(10))
        // Without a snapshot nothing goes.
        try store.append([author.batch(30)])
        let longer = try #require(try fixture.openAfterKill(limits: limits).load(state.id))
        #expect(longer.commits == author.commits.suffix(40))
    }

    @Test("Decisions that made no commit do not pile up", arguments: StoreKind.allCases)
    func trimmingRefusals(kind: StoreKind) throws {
        var limits = BoardLimits()
        limits.window = 4
        let fixture = try kind.makeFixture()
        let store = try fixture.open(limits: limits)
        var author = Author(sampleBoard("kitchen", icons: 3))
        try store.create(author.state)
        try store.append([author.batch(1)])
        for _ in 0..<40 {
            let record = author.askInVain()
            try store.append([author.batch([record], snapshot: true)])
        }
        let loaded = try #require(try fixture.openAfterKill().load(author.state.id))
        #expect(loaded.state == author.state)
        #expect(loaded.entry == 41)
        #expect(loaded.commits == [])
    }

    @Test("A replaced board has no commits before it", arguments: StoreKind.allCases)
    func replaced(kind: StoreKind) throws {
        let fixture = try kind.makeFixture()
        let store = try fixture.open()
        var author = Author(sampleBoard("kitchen", icons: 3))
        try store.create(author.state)
        try store.append([author.batch(3)])
        let kitchen = author.state.id
        let first = author.batch(2)
        try store.append([first, author.replace(epoch: "f")])
        let reopened = try fixture.openAfterKill()
        #expect(try reopened.load(kitchen) == author.stored)
        #expect(try reopened.heads().heads == [BoardHead(author.state)])
        try store.append([author.batch(2)])
        #expect(try fixture.openAfterKill().load(kitchen) == author.stored)
        // It may also take a number of its own in the log.
        var second = try author.replace(epoch: "g")
        second.snapshotEntry += 1
        author.skipEntry()
        try store.append([second, author.batch(2)])
        #expect(try fixture.openAfterKill().load(kitchen) == author.stored)
        #expect(author.commits.count == 2)
    }

    @Test("A deleted board leaves nothing to its successor", arguments: StoreKind.allCases)
    func deleted(kind: StoreKind) throws {
        let fixture = try kind.makeFixture()
        let store = try fixture.open()
        var author = Author(sampleBoard("kitchen", icons: 3))
        try store.create(author.state)
        try store.append([author.batch(3)])
        #expect(try store.delete(author.state.id))
        #expect(try store.load(author.state.id) == nil)
        #expect(throws: StoreError.missing(author.state.id)) {
            try store.append([author.batch(1)])
        }
        let successor = sampleBoard("kitchen", icons: 1)
        try store.create(successor)
        #expect(try fixture.openAfterKill().load(successor.id) == Author(successor).stored)
    }

    @Test("A batch that leaves a gap changes nothing, anywhere", arguments: StoreKind.allCases)
    func gap(kind: StoreKind) throws {
        let store = try kind.makeFixture().open()
        var kitchen = Author(sampleBoard("kitchen", icons: 3))
        var attic = Author(sampleBoard("attic", icons: 3))
        try store.create(kitchen.state)
        try store.create(attic.state)
        let before = attic.stored
        _ = kitchen.batch(1)
        #expect(throws: StoreError.outOfSequence(kitchen.state.id, expected: 1)) {
            try store.append([attic.batch(1), kitchen.batch(1)])
        }
        #expect(try store.load(attic.state.id) == before)
        #expect(try store.load(kitchen.state.id)?.entry == 0)
    }

    @Test(
        "Limits lowered while the server was down hold from then on, and refuse nothing that was",
        arguments: StoreKind.allCases)
    func limits(kind: StoreKind) throws {
        let fixture = try kind.makeFixture()
        var author = Author(sampleBoard("kitchen", icons: 3))
        let store = try fixture.open()
        try store.create(author.state)
        let added = author.addIcon(9)
        try store.append([author.batch([added])])
        var limits = BoardLimits()
        limits.icons = 4
        let reopened = try fixture.openAfterKill(limits: limits)
        let loaded = try #require(try reopened.load(author.state.id))
        #expect(loaded.state.limits == limits)
        #expect(loaded.commits == author.commits)
        author.restart(from: loaded)
        let refused = author.addIcon(10)
        #expect(refused.outcome == .rejected(.limit, field: "edit.icon", revision: 1))
        try reopened.append([author.batch([refused])])
        #expect(try reopened.load(author.state.id) == author.stored)
    }

    @Test("HT10: restore points come and go with their board", arguments: StoreKind.allCases)
    func points(kind: StoreKind) throws {
        let fixture = try kind.makeFixture()
        let store = try fixture.open()
        var author = Author(sampleBoard("kitchen", icons: 3))
        try store.create(author.state)
        func point(_ name: String, isAutomatic: Bool = false) -> StoredPoint {
            let state = author.state
            return StoredPoint(
                RestorePoint(
                    id: id(name), name: "Name of \(name) 🍳", at: 7, revision: state.revision,
                    iconCount: state.iconCount, isAutomatic: isAutomatic), state.board)
        }
        var first = author.batch([])
        first.points = [point("first")]
        try store.append([first])
        var second = author.batch(2)
        second.points = [point("second", isAutomatic: true)]
        try store.append([second])
        let reopened = try fixture.openAfterKill()
        for store in [store, reopened] {
            #expect(try store.points(of: author.state.id).map(\.id.text) == ["second", "first"])
            #expect(try store.point(id("first"), of: author.state.id) == first.points[0])
            #expect(try store.point(id("second"), of: author.state.id) == second.points[0])
            #expect(try store.point(id("third"), of: author.state.id) == nil)
            #expect(try store.load(author.state.id) == author.stored)
        }
        // Of those that the server made, the latest twenty.
        for number in 0..<25 {
            var batch = author.batch(1)
            batch.points = [point("auto-\(number)", isAutomatic: true)]
            try store.append([batch])
        }
        let names = try store.points(of: author.state.id).map(\.id.text)
        #expect(names.count == 21 && names.first == "auto-24" && names.last == "first")
        #expect(try store.deletePoint(id("first"), of: author.state.id))
        #expect(try store.deletePoint(id("first"), of: author.state.id) == false)
        #expect(try store.delete(author.state.id))
        try store.create(sampleBoard("kitchen", icons: 3))
        #expect(try store.points(of: author.state.id) == [])
    }
}
