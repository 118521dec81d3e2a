internal import CLoopShims
internal import Glibc

enum Clock {
    /// CLOCK_MONOTONIC in nanoseconds.
    static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// One timerfd, set to the earliest of what the transport waits for.
struct DeadlineTimer: ~Copyable {
    let descriptor: Int32
    private var armed: Int64?

    init() throws(TransportError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        guard descriptor >= 0 else {
            throw TransportError(.system, "timerfd_create failed: \(errno)")
        }
    }

    deinit { close(descriptor) }

    /// Fires once at this time, at once when it has passed; nil never.
    mutating func arm(at deadline: Int64?) {
        guard deadline != armed else { return }
        armed = deadline
        var setting = itimerspec()
        if let deadline {
            let time = max(deadline, 1)
            setting.it_value = timespec(
                tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        }
        _ = unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    /// Takes note that it has fired.
    mutating func acknowledge() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
        armed = nil
    }
}
