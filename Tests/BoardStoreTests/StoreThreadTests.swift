import BoardModel
import BoardStore
import BoardWire
import Synchronization
import Testing

/// A thread on a memory disk, and what it said.
private final class Bench: Sendable {
    let disk = MemoryDisk()
    let thread: StoreThread
    let wakes: Mailbox<Int>

    init() {
        let disk = disk
        let wakes = Mailbox<Int>(capacity: 10_000)
        self.wakes = wakes
        thread = StoreThread(
            open: { () throws(StoreError) in MemoryBoardStore(disk: disk) },
            wake: { _ = wakes.post(1) })
    }

    /// Waits for `count` replies, as the loop does.
    func replies(_ count: Int) -> [StoreReply] {
        var taken = thread.takeReplies()
        while taken.count < count {
            _ = wakes.waitAndTakeAll()
            taken += thread.takeReplies()
        }
        return taken
    }
}

extension StoreReply {
    /// The reply in a word or two, to compare it.
    fileprivate var summary: String {
        switch self {
        case .loaded(let id, .success(let board)):
            "loaded \(id) \(board.map { String($0.entry) } ?? "-")"
        case .loaded(let id, .failure(let error)): "loaded \(id) \(error.summary)"
        case .created(let id, let token, let error): "created \(id) \(token) \(error.summary)"
        case .appended(let token, let error): "appended \(token) \(error.summary)"
        case .deleted(let id, let token, .success(let existed)): "deleted \(id) \(token) \(existed)"
        case .deleted(let id, let token, .failure(let error)):
            "deleted \(id) \(token) \(error.summary)"
        case .heads(let token, .success(let heads)):
            "heads \(token) \(heads.heads.map(\.id.text).joined(separator: ","))"
        case .heads(let token, .failure(let error)): "heads \(token) \(error.summary)"
        case .points(let token, _): "points \(token)"
        case .point(let token, _): "point \(token)"
        case .pointDeleted(let token, _): "pointDeleted \(token)"
        }
    }
}

extension Optional<StoreError> {
    fileprivate var summary: String { self?.summary ?? "ok" }
}

extension StoreError {
    fileprivate var summary: String {
        switch self {
        case .exists: "exists"
        case .missing: "missing"
        case .damaged: "damaged"
        case .locked: "locked"
        case .full: "full"
        case .outOfSequence: "outOfSequence"
        case .failed: "failed"
        case .unusable: "unusable"
        }
    }
}

@Suite("The store's thread", .timeLimit(.minutes(1)))
struct StoreThreadTests {
    @Test("O-37: requests are carried out in their order")
    func order() throws {
        let bench = Bench()
        try bench.thread.start()
        var author = Author(sampleBoard("kitchen", icons: 3))
        let kitchen = author.state.id
        bench.disk.hold()
        bench.thread.submit(.create(author.state, token: 1))
        bench.thread.submit(.append([author.batch(2)], token: 2))
        bench.thread.submit(.load(kitchen))
        bench.thread.submit(.append([author.batch(1)], token: 3))
        bench.thread.submit(.heads(token: 4))
        bench.thread.submit(.delete(kitchen, token: 5))
        bench.thread.submit(.load(kitchen))
        bench.disk.release()
        #expect(
            bench.replies(7).map(\.summary) == [
                "created kitchen 1 ok", "appended 2 ok", "loaded kitchen 2", "appended 3 ok",
                "heads 4 kitchen", "deleted kitchen 5 true", "loaded kitchen -",
            ])
        bench.thread.stop()
    }

    @Test("A disk that hangs is waited for as long as was said, and then left to itself")
    func patience() throws {
        let bench = Bench()
        try bench.thread.start()
        bench.disk.hold()
        bench.thread.submit(.create(sampleBoard("kitchen", icons: 3), token: 1))
        #expect(!bench.thread.stop(patience: .milliseconds(20)))
        bench.disk.release()
        #expect(bench.replies(1).map(\.summary) == ["created kitchen 1 ok"])
    }

    @Test("Appends that wait share one transaction")
    func merging() throws {
        let bench = Bench()
        try bench.thread.start()
        var author = Author(sampleBoard("kitchen", icons: 3))
        bench.disk.hold()
        bench.thread.submit(.create(author.state, token: 0))
        for token in 1...50 { bench.thread.submit(.append([author.batch(1)], token: token)) }
        bench.disk.release()
        #expect(
            bench.replies(51).map(\.summary) == ["created kitchen 0 ok"]
                + (1...50).map { "appended \($0) ok" })
        // The create may have been taken together with the first few appends or without them.
        #expect((2...3).contains(bench.disk.changeCount))
        bench.thread.stop()
        #expect(try MemoryBoardStore(disk: bench.disk).load(author.state.id) == author.stored)
    }

    @Test("O-33: a full disk refuses all that shares the transaction, and later ones work")
    func full() throws {
        let bench = Bench()
        try bench.thread.start()
        var author = Author(sampleBoard("kitchen", icons: 3))
        bench.thread.submit(.create(author.state, token: 0))
        _ = bench.replies(1)
        let before = author
        bench.disk.fail(with: .full("no space"))
        bench.thread.submit(.append([author.batch(1), author.batch(1)], token: 1))
        // Resolved on the one that failed, so refused whether or not it shares its transaction.
        bench.thread.submit(.append([author.batch(1)], token: 2))
        let refused = bench.replies(2).map(\.summary)
        #expect(refused[0] == "appended 1 full")
        #expect(["appended 2 full", "appended 2 outOfSequence"].contains(refused[1]))
        author = before
        bench.thread.submit(.append([author.batch(1)], token: 3))
        bench.thread.submit(.load(author.state.id))
        #expect(bench.replies(2).map(\.summary) == ["appended 3 ok", "loaded kitchen 1"])
        bench.thread.stop()
    }

    @Test("One board's trouble does not refuse another's append")
    func apart() throws {
        let bench = Bench()
        try bench.thread.start()
        var kitchen = Author(sampleBoard("kitchen", icons: 3))
        var attic = Author(sampleBoard("attic", icons: 3))
        bench.disk.hold()
        bench.thread.submit(.create(kitchen.state, token: 0))
        bench.thread.submit(.create(attic.state, token: 1))
        _ = kitchen.batch(1)
        bench.thread.submit(.append([attic.batch(1)], token: 2))
        bench.thread.submit(.append([kitchen.batch(1)], token: 3))
        bench.thread.submit(.append([attic.batch(1)], token: 4))
        bench.disk.release()
        #expect(
            bench.replies(5).dropFirst(2).map(\.summary) == [
                "appended 2 ok", "appended 3 outOfSequence", "appended 4 ok",
            ])
        bench.thread.stop()
    }

    @Test("After a failed sync nothing is stored any more")
    func failed() throws {
        let bench = Bench()
        try bench.thread.start()
        var author = Author(sampleBoard("kitchen", icons: 3))
        bench.thread.submit(.create(author.state, token: 0))
        _ = bench.replies(1)
        bench.disk.fail(with: .failed("sync"))
        let first = author.batch(1)
        bench.thread.submit(.append([first], token: 1))
        #expect(bench.replies(1).map(\.summary) == ["appended 1 failed"])
        bench.thread.submit(.append([first], token: 2))
        #expect(bench.replies(1).map(\.summary) == ["appended 2 unusable"])
        bench.thread.stop()
    }

    @Test("O-70: stop carries out all that was submitted, and wakes once for what nobody took")
    func stopDrains() throws {
        let bench = Bench()
        try bench.thread.start()
        var author = Author(sampleBoard("kitchen", icons: 3))
        bench.thread.submit(.create(author.state, token: 0))
        for token in 1...200 { bench.thread.submit(.append([author.batch(1)], token: token)) }
        bench.thread.stop()
        #expect(bench.wakes.takeAll().count == 1)
        #expect(bench.thread.takeReplies().count == 201)
        #expect(try MemoryBoardStore(disk: bench.disk).load(author.state.id) == author.stored)
        bench.thread.submit(.load(author.state.id))
        #expect(bench.thread.takeReplies().map(\.summary) == ["loaded kitchen unusable"])
    }

    @Test("What keeps the store from opening is told by start")
    func openError() {
        let thread = StoreThread(
            open: { () throws(StoreError) in throw .locked(directory: "/d", holder: "process 1") },
            wake: {})
        #expect(throws: StoreError.locked(directory: "/d", holder: "process 1")) {
            try thread.start()
        }
    }
}

@Suite("Mailbox")
struct MailboxTests {
    @Test("Takes no more than it may, and says so")
    func bound() {
        let mailbox = Mailbox<Int>(capacity: 2)
        #expect(mailbox.post(1) == .first)
        #expect(mailbox.post(2) == .behind)
        #expect(mailbox.post(3) == .full)
        #expect(mailbox.takeAll() == [1, 2])
        #expect(mailbox.takeAll() == [])
        #expect(mailbox.post(4) == .first)
        mailbox.close()
        #expect(mailbox.post(5) == .closed)
        #expect(mailbox.waitAndTakeAll() == [4])
        #expect(mailbox.waitAndTakeAll() == nil)
    }
}
