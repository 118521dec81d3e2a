import Synchronization

#if canImport(Glibc)
    internal import Glibc
#endif

/// Rouses the loop from any thread, at any time, even after the transport is gone.
///
/// Many calls before the loop gets to it are one `woken()`.
package final class Waker: Sendable {
    /// An eventfd, so that nothing of libwebsockets is touched from a foreign thread.
    let descriptor: Int32
    private let pending = Atomic(false)

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    package func wake() {
        guard !pending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, 8)
    }

    /// What was posted before a `wake()` is visible after this.
    func acknowledge() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
        _ = pending.exchange(false, ordering: .acquiringAndReleasing)
    }
}
