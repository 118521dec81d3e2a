import BoardWire
import Testing

@Suite("Close codes")
struct CloseCodeTests {
    @Test("the codes are the protocol's, and each reason fits a close frame")
    func codes() {
        #expect(
            CloseCode.allCases.map(\.rawValue) == [
                1000, 1003, 1009, 1012, 1013, 4400, 4401, 4403, 4404, 4409, 4410, 4500, 4503, 4508,
                4529,
            ])
        for code in CloseCode.allCases {
            #expect((1...123).contains(code.reason.utf8.count))
        }
    }

    @Test("4400 to 4499 are final, 4500 to 4599 and the server's own troubles may be tried again")
    func retry() {
        for code in CloseCode.allCases {
            let isFinal = (4400..<4500).contains(code.rawValue) || code.rawValue < 1012
            #expect(code.isFinal == isFinal, "\(code)")
            #expect(code.mayRetry != code.isFinal)
        }
    }
}
