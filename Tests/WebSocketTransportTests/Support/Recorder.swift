import Foundation
import WebSocketTransport

/// Notes every delegate call and lets a test wait for one.
final class Recorder: TransportDelegate, @unchecked Sendable {
    struct TimedOut: Error { let events: [TestServer.Event] }

    /// Used on the loop's thread only.
    var transport: WebSocketTransport?
    private let decide: @Sendable (RequestHead) -> UpgradeDecision
    private let react: TestServer.Reaction
    private let condition = NSCondition()
    private var noted: [TestServer.Event] = []
    private var work: [@Sendable (WebSocketTransport) -> Void] = []

    init(
        decide: @escaping @Sendable (RequestHead) -> UpgradeDecision,
        react: @escaping TestServer.Reaction
    ) {
        self.decide = decide
        self.react = react
    }

    var events: [TestServer.Event] { condition.withLock { noted } }

    func post(_ item: @escaping @Sendable (WebSocketTransport) -> Void) {
        condition.withLock { work.append(item) }
    }

    func wait<T>(_ matches: (TestServer.Event) -> T?) throws -> T {
        condition.lock()
        defer { condition.unlock() }
        let limit = Date(timeIntervalSinceNow: 30)
        var looked = 0
        while true {
            while looked < noted.count {
                if let found = matches(noted[looked]) { return found }
                looked += 1
            }
            guard condition.wait(until: limit) else { throw TimedOut(events: noted) }
        }
    }

    private func note(_ event: TestServer.Event) {
        condition.withLock {
            noted.append(event)
            condition.broadcast()
        }
        if let transport { react(transport, event) }
    }

    func decideUpgrade(_ head: RequestHead) -> UpgradeDecision { decide(head) }
    func connectionOpened(_ id: ConnectionID, head: RequestHead) { note(.opened(id, head)) }
    func received(_ id: ConnectionID, text: Span<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for index in text.indices { bytes.append(text[index]) }
        note(.text(id, bytes))
    }
    func receivedBinary(_ id: ConnectionID) { note(.binary(id)) }
    func connectionClosed(_ id: ConnectionID, _ departure: Departure) {
        note(.closed(id, departure))
    }
    func drained(_ id: ConnectionID) { note(.drained(id)) }
    func request(_ id: RequestID, head: RequestHead, body: [UInt8]) {
        note(.request(id, head, body))
    }
    func requestGone(_ id: RequestID) { note(.requestGone(id)) }
    func woken() {
        let items = condition.withLock {
            defer { work = [] }
            return work
        }
        if let transport { for item in items { item(transport) } }
        note(.woken)
    }
    func timerFired() { note(.timerFired) }
    func stopRequested() { note(.stopRequested) }
}
