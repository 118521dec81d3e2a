import BoardModel
import BoardStore
import BoardWire
import Foundation
import Synchronization
import Testing

/// What a writer does until it kills itself: runs in a process of its own.
private struct DoomedWriter {
    let directory: String
    /// The acknowledged entry at which the process ends.
    let lastEntry: Int

    func run() throws {
        let arrivals = Mailbox<Int>(capacity: 100_000)
        let directory = directory
        let thread = StoreThread(
            open: { () throws(StoreError) in
                try SQLiteBoardStore(directory: directory, limits: BoardLimits())
            },
            wake: { _ = arrivals.post(1) })
        try thread.start()
        let journal = directory + "/acknowledged"
        _ = FileManager.default.createFile(atPath: journal, contents: nil)
        let acknowledged = try FileHandle(forWritingTo: URL(fileURLWithPath: journal))
        var author = Author(sampleBoard("kitchen", icons: 40))
        thread.submit(.create(author.state, token: 0))
        while true {
            // Two batches ahead of the answers, so that the end comes in the middle of a commit.
            for _ in 0..<2 {
                let batch = author.batch(3, snapshot: author.entry % 5 == 0)
                thread.submit(.append([batch], token: author.entry))
            }
            _ = arrivals.waitAndTakeAll()
            for case .appended(let token, nil) in thread.takeReplies() {
                try acknowledged.write(contentsOf: Data("\(token)\n".utf8))
                if token >= lastEntry { kill(getpid(), SIGKILL) }
            }
        }
    }
}

@Suite("A killed writer", .timeLimit(.minutes(2)))
struct KillTests {
    @Test(
        "O-32: every acknowledged entry is there after kill -9", arguments: [3, 21, 60, 200, 701])
    func killed(lastEntry: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, lastEntry = lastEntry as Int] in
            try DoomedWriter(directory: path, lastEntry: lastEntry).run()
        }
        let lines = String(decoding: try directory.bytes(of: "acknowledged"), as: UTF8.self)
        let acknowledged = try #require(lines.split(separator: "\n").last.flatMap { Int($0) })
        #expect(acknowledged >= lastEntry)

        let store = try SQLiteBoardStore(directory: path, limits: BoardLimits())
        let stored = try #require(try store.load(id("kitchen")))
        #expect(stored.entry >= acknowledged)
        var author = Author(sampleBoard("kitchen", icons: 40))
        while author.entry < stored.entry { _ = author.rename() }
        #expect(stored.state == author.state)
        #expect(stored.commits == author.commits.suffix(stored.commits.count))
        #expect(stored.commits.count >= min(author.commits.count, BoardLimits().window))
        try store.append([author.batch(1)])
        store.close()
    }
}
