import BoardModel
import Testing

@Suite("Ordering vectors")
struct VectorTests {
    @Test("ORD: there are 389 cases")
    func count() {
        #expect(Vector.all.count == 389)
    }

    @Test("ORD: every case ends as the reference model says", arguments: Vector.all)
    func replay(vector: Vector) throws {
        var state = try vector.board()
        var results: [Vector.Result] = []
        for message in vector.edits {
            results.append(Vector.Result(state.decide(try Submission(message))))
        }
        #expect(results == vector.results)
        #expect(vector.lists(of: state) == vector.final)
    }

    @Test(
        "ORD: a restart between any two edits changes no outcome", arguments: Vector.all)
    func replayWithRestarts(vector: Vector) throws {
        var state = try vector.board()
        var results: [Vector.Result] = []
        for message in vector.edits {
            state = try state.restarted()
            results.append(Vector.Result(state.decide(try Submission(message))))
        }
        #expect(results == vector.results)
        #expect(vector.lists(of: try state.restarted()) == vector.final)
    }

    @Test("ORD: every change turns the old lists into the new ones", arguments: Vector.all)
    func changes(vector: Vector) throws {
        var state = try vector.board()
        var replica = state.board
        for message in vector.edits {
            if case .applied(let commit) = state.decide(try Submission(message)) {
                try replica.apply(commit)
            }
            #expect(replica == state.board)
        }
    }
}
