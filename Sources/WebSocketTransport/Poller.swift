internal import CLoopShims
internal import Glibc

/// An epoll set of the transport's own: its listener, its timer, its waker and the sockets that
/// speak HTTP. The set itself is one descriptor in the libuv loop that libwebsockets runs on.
struct Poller: ~Copyable {
    /// What is ready: a fixed source, or a connection by slot and generation.
    struct Event {
        let token: UInt64
        let isReadable: Bool
        let isWritable: Bool
        /// Both directions are shut, or the connection was reset.
        let isBroken: Bool
    }

    struct Interest: OptionSet {
        let rawValue: UInt32
        static let reading = Interest(rawValue: EPOLLIN.rawValue)
        static let writing = Interest(rawValue: EPOLLOUT.rawValue)
    }

    let descriptor: Int32

    init() throws(TransportError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else {
            throw TransportError(.system, "epoll_create1 failed: \(errno)")
        }
    }

    deinit { close(descriptor) }

    func add(_ fd: Int32, _ interest: Interest, token: UInt64) {
        control(EPOLL_CTL_ADD, fd, interest, token)
    }

    func change(_ fd: Int32, _ interest: Interest, token: UInt64) {
        control(EPOLL_CTL_MOD, fd, interest, token)
    }

    func remove(_ fd: Int32) {
        control(EPOLL_CTL_DEL, fd, [], 0)
    }

    /// At most 64 events that are there now; the rest stay ready for the next turn.
    func ready() -> [Event] {
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            let count = unsafe epoll_wait(descriptor, events.baseAddress, 64, 0)
            return (0..<Int(max(count, 0))).map { index in
                let event = unsafe events[index]
                let bits = unsafe event.events
                return Event(
                    token: unsafe event.data.u64,
                    isReadable: bits & EPOLLIN.rawValue != 0,
                    isWritable: bits & EPOLLOUT.rawValue != 0,
                    isBroken: bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0)
            }
        }
    }

    private func control(_ operation: Int32, _ fd: Int32, _ interest: Interest, _ token: UInt64) {
        var event = unsafe epoll_event()
        unsafe event.events = interest.rawValue
        unsafe event.data.u64 = token
        _ = unsafe epoll_ctl(descriptor, operation, fd, &event)
    }
}
