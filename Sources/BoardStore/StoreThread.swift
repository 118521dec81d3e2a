internal import Dispatch
internal import Foundation
internal import Synchronization

/// The writer thread: owns the store and does all its waiting for the disk.
///
/// `submit`, `takeReplies` and `stop` are for one thread, the loop's; `wake` is called on either.
package final class StoreThread: Sendable {
    /// The most requests that wait; one more is refused with `full`.
    package static let capacity = 4_096

    private let open: @Sendable () throws(StoreError) -> any BoardStore
    private let wake: @Sendable () -> Void
    private let requests = Mailbox<StoreRequest>(capacity: capacity)
    private let replies = Mailbox<StoreReply>(capacity: 4 * capacity)
    private let opening = Mutex<Result<Void, StoreError>?>(nil)
    private let opened = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - open: makes the store; runs on the thread, which alone uses it.
    ///   - wake: tells the loop that there are replies where there were none; must be quick.
    package init(
        open: @escaping @Sendable () throws(StoreError) -> any BoardStore,
        wake: @escaping @Sendable () -> Void
    ) {
        self.open = open
        self.wake = wake
    }

    /// Starts the thread and waits until the store is open; throws what kept it from opening. To be
    /// called once.
    package func start() throws(StoreError) {
        let thread = Thread { self.run() }
        thread.name = "store"
        thread.start()
        opened.wait()
        switch opening.withLock({ $0 }) {
        case .success: return
        case .failure(let error): throw error
        case nil: throw .unusable("the store's thread did not start")
        }
    }

    /// Asks for something, without waiting. Requests are carried out in their order.
    package func submit(_ request: StoreRequest) {
        switch requests.post(request) {
        case .first, .behind: return
        case .full: reply(request.refused(.full("\(Self.capacity) requests are waiting")))
        case .closed: reply(request.refused(.unusable("the store was told to stop")))
        }
    }

    /// The replies since the last time, in the order of the requests.
    package func takeReplies() -> [StoreReply] {
        replies.takeAll()
    }

    /// Carries out all that was submitted, closes the store and ends the thread. The last replies
    /// can be taken afterwards. Only after a `start` that worked, and once.
    ///
    /// False when that took longer than `patience`; the thread may then still be at work, until the
    /// process ends.
    @discardableResult
    package func stop(patience: Duration? = nil) -> Bool {
        requests.close()
        guard let patience else {
            ended.wait()
            return true
        }
        let nanoseconds =
            patience.components.seconds * 1_000_000_000
            + patience.components.attoseconds / 1_000_000_000
        return ended.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success
    }

    private func run() {
        defer { ended.signal() }
        let store: any BoardStore
        do throws(StoreError) {
            store = try open()
        } catch {
            opening.withLock { $0 = .failure(error) }
            opened.signal()
            return
        }
        opening.withLock { $0 = .success(()) }
        opened.signal()
        let worker = StoreWorker(store: store)
        while let taken = requests.waitAndTakeAll() {
            worker.carryOut(taken) { reply($0) }
            store.tidy()
        }
        store.close()
    }

    private func reply(_ reply: StoreReply) {
        switch replies.post(reply) {
        case .first: wake()
        case .behind: return
        case .full, .closed: preconditionFailure("nobody takes the store's replies")
        }
    }
}
