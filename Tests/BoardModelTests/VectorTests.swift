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
}
