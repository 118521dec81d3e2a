internal import BoardModel
internal import Dispatch
internal import Synchronization

/// What a `MemoryBoardStore` writes to: survives it, and does harm when told to, from any thread.
package final class MemoryDisk: Sendable {
    private struct State {
        var boards: [BoardID: Board] = [:]
        var failures: [StoreError] = []
        var hasFailed = false
        var isHeld = false
        var waiting = 0
        var changes = 0
    }

    private let state = Mutex(State())
    private let released = DispatchSemaphore(value: 0)

    package init() {}

    /// Makes the next changes fail, one with each of `failures`. After `failed` every call fails,
    /// until the disk is `repaired`.
    package func fail(with failures: StoreError...) {
        state.withLock { $0.failures += failures }
    }

    /// Takes back what of `fail` has not come to pass.
    package func forgetFailures() {
        state.withLock { $0.failures = [] }
    }

    /// Ends what a `failed` began, as a new process does.
    package func repair() {
        state.withLock { $0.hasFailed = false }
    }

    /// Makes changes wait until `release`.
    package func hold() {
        state.withLock { $0.isHeld = true }
    }

    package func release() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.waiting = 0
            state.isHeld = false
            return waiting
        }
        for _ in 0..<waiting { released.signal() }
    }

    /// Transactions so far, failed ones included.
    package var changeCount: Int { state.withLock { $0.changes } }

    /// Whether a change has come to wait for `release`.
    package var isSomebodyWaiting: Bool { state.withLock { $0.waiting > 0 } }

    func read() throws(StoreError) -> [BoardID: Board] {
        let (boards, hasFailed) = state.withLock { ($0.boards, $0.hasFailed) }
        guard !hasFailed else { throw .unusable("the disk failed before") }
        return boards
    }

    /// Changes the boards altogether or not at all.
    func change(
        _ body: (inout [BoardID: Board]) throws(StoreError) -> Void
    ) throws(StoreError) {
        let waits = state.withLock { state in
            state.changes += 1
            if state.isHeld { state.waiting += 1 }
            return state.isHeld
        }
        if waits { released.wait() }
        let failure = state.withLock { state -> StoreError? in
            if state.hasFailed { return .unusable("the disk failed before") }
            guard !state.failures.isEmpty else { return nil }
            let failure = state.failures.removeFirst()
            if case .failed = failure { state.hasFailed = true }
            return failure
        }
        if let failure { throw failure }
        var boards = try read()
        try body(&boards)
        let changed = boards
        state.withLock { $0.boards = changed }
    }
}
