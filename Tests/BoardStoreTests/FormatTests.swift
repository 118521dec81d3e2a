import BoardModel
import BoardStore
import BoardWire
import Foundation
import Testing

/// Stores that earlier versions wrote, kept for ever.
@Suite("Stores of earlier formats")
struct FormatTests {
    /// What a server of that version said of its boards before it was killed.
    private struct Said: Decodable {
        var boards: [String: Board]
        /// By board and client.
        var lastSeqs: [String: [String: Int]]
    }

    private func fixture(_ name: String) throws -> URL {
        try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
            .appendingPathComponent(name)
    }

    /// Format 1 did not hash the rows of its list of boards, and kept no heads apart.
    @Test("a store of format 1 is read whole, and goes on in this format")
    func format1() throws {
        let said = try JSONDecoder().decode(
            Said.self, from: Data(contentsOf: fixture("format-1.json")))
        let directory = try TemporaryDirectory()
        try FileManager.default.copyItem(
            atPath: fixture("format-1.sqlite3").path, toPath: directory.file("homeboard.sqlite3"))
        #expect(said.boards.count == 2)
        for round in 1...2 {
            let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
            defer { store.close() }
            let list = try store.heads()
            #expect(list.damaged.isEmpty && list.remarks.isEmpty, "round \(round)")
            #expect(Set(list.heads.map(\.id.text)) == Set(said.boards.keys))
            for (name, board) in said.boards {
                let stored = try #require(try store.load(id(name)))
                #expect(stored.state.board == board, "round \(round)")
                for (client, seq) in said.lastSeqs[name] ?? [:] {
                    let client = try #require(ClientID(client))
                    #expect(stored.state.lastSeq(of: client) == seq)
                }
            }
        }
        // Undo steps were stored too: each client takes its last step back, and that is stored.
        let store = try SQLiteBoardStore(directory: directory.path, limits: BoardLimits())
        var commits = 0
        for (name, clients) in said.lastSeqs {
            var stored = try #require(try store.load(id(name)))
            var records: [DecisionRecord] = []
            for (client, seq) in clients.sorted(by: { $0.key < $1.key }) {
                let submission = Submission(
                    client: try #require(ClientID(client)), seq: seq + 1, base: nil,
                    intent: .edit(.undo), at: 1_800_000_000_000)
                let outcome = stored.state.decide(submission)
                if case .applied = outcome { commits += 1 }
                stored.entry += 1
                records.append(
                    DecisionRecord(
                        entry: stored.entry, submission: submission, outcome: outcome))
            }
            try store.append([
                BoardBatch(id: id(name), records: records, head: BoardHead(stored.state))
            ])
            #expect(try store.load(id(name))?.state == stored.state)
        }
        #expect(commits == 3)
        store.close()
    }
}
