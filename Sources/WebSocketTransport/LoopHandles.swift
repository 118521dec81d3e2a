internal import CLibwebsockets
internal import Glibc

/// The libuv loop and the handles on it that are the transport's own: one poll for its epoll set,
/// two for signals.
///
/// The loop is "foreign" to libwebsockets, so that it leaves every signal alone.
@safe
final class LoopHandles {
    let loop: UnsafeMutablePointer<uv_loop_t>
    private let poll: UnsafeMutablePointer<uv_poll_t>
    private var signals: [UnsafeMutablePointer<uv_signal_t>] = unsafe []

    /// `owner` must outlive the handles; it is called back through `pollCallback`.
    init(
        owner: UnsafeMutableRawPointer, descriptor: Int32, signalNumbers: [Int32]
    ) throws(TransportError) {
        unsafe loop = .allocate(capacity: 1)
        unsafe poll = .allocate(capacity: 1)
        guard unsafe uv_loop_init(loop) == 0 else {
            throw TransportError(.system, "libuv gives no event loop")
        }
        guard unsafe uv_poll_init(loop, poll, descriptor) == 0 else {
            throw TransportError(.system, "libuv does not take an epoll descriptor")
        }
        unsafe poll.pointee.data = owner
        _ = unsafe uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { handle, _, _ in
            guard let owner = unsafe handle?.pointee.data else { return }
            unsafe Unmanaged<WebSocketTransport>.fromOpaque(owner).takeUnretainedValue()
                .pollReady()
        }
        for number in signalNumbers {
            let handle = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
            unsafe uv_signal_init(loop, handle)
            unsafe handle.pointee.data = owner
            unsafe uv_signal_start(
                handle,
                { handle, _ in
                    guard let owner = unsafe handle?.pointee.data else { return }
                    unsafe Unmanaged<WebSocketTransport>.fromOpaque(owner).takeUnretainedValue()
                        .stopSignalled()
                }, number)
            unsafe signals.append(handle)
        }
    }

    /// Waits for something to be ready and handles it.
    func turn() {
        _ = unsafe uv_run(loop, UV_RUN_ONCE)
    }

    /// How many handles of anyone are at work; libwebsockets adds its own when it uses the loop.
    var activeHandles: UInt32 { unsafe loop.pointee.active_handles }

    /// Closes the transport's handles and what libwebsockets has closed of its own, and leaves the
    /// loop to it.
    func leave() {
        closeOwn()
        // A closed handle is let go, and its socket closed, at the end of a turn.
        for _ in 0..<2 { _ = unsafe uv_run(loop, UV_RUN_NOWAIT) }
    }

    /// Closes the transport's handles, turns until everybody's are closed, and frees the loop: when
    /// libwebsockets does not use it.
    func close() {
        closeOwn()
        while unsafe uv_loop_alive(loop) != 0 { turn() }
        unsafe uv_loop_close(loop)
        unsafe loop.deallocate()
        unsafe poll.deallocate()
        for index in unsafe signals.indices { unsafe signals[index].deallocate() }
        unsafe signals.removeAll()
    }

    private func closeOwn() {
        unsafe uv_close(
            UnsafeMutableRawPointer(poll).assumingMemoryBound(to: uv_handle_t.self), nil)
        for index in unsafe signals.indices {
            unsafe uv_close(
                UnsafeMutableRawPointer(signals[index]).assumingMemoryBound(to: uv_handle_t.self),
                nil)
        }
    }
}
