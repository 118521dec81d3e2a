internal import CLibwebsockets
import Synchronization

/// What libwebsockets has to say at the levels error and warning, rate-limited: at its file limit
/// it has been seen to write hundreds of thousands of lines a second.
package enum LwsLog {
    private struct State {
        var sink: (@Sendable (String) -> Void)?
        var last: String?
        var second: Int64 = 0
        var countInSecond = 0
        var isInstalled = false
    }

    private static let state = Mutex(State())
    private static let linesPerSecond = 10

    /// Where the lines go, on whatever thread libwebsockets runs; nil (as at first) drops them.
    package static func setSink(_ sink: (@Sendable (String) -> Void)?) {
        state.withLock { $0.sink = sink }
    }

    /// The latest line, to explain a failure.
    static var last: String? { state.withLock { $0.last } }

    static func install() {
        let first = state.withLock { state in
            defer { state.isInstalled = true }
            return !state.isInstalled
        }
        guard first else { return }
        let levels = Int32(bitPattern: UInt32(1 << 0 | 1 << 1))
        unsafe lws_set_log_level(levels) { _, line in
            guard let line = unsafe line else { return }
            LwsLog.note(unsafe String(cString: line))
        }
    }

    private static func note(_ raw: String) {
        let line = raw.split(whereSeparator: \.isNewline).joined(separator: " ")
        // Said at error level whenever a socket is adopted together with its first bytes.
        if line.contains("calling service") { return }
        let sink = state.withLock { state -> (@Sendable (String) -> Void)? in
            state.last = line
            let now = Clock.now() / 1_000_000_000
            if state.second != now {
                state.second = now
                state.countInSecond = 0
            }
            state.countInSecond += 1
            return state.countInSecond <= linesPerSecond ? state.sink : nil
        }
        sink?(line)
    }
}
