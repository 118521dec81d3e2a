internal import CLoopShims

/// One text message, encoded once, to be sent to any number of peers.
///
/// The bytes lie behind the head room in which libwebsockets writes a frame's header; a server does
/// not mask, so every peer gets the same header and the text itself is never touched.
@safe
package final class OutboundFrame {
    private let storage: UnsafeMutableBufferPointer<UInt8>
    /// Bytes of text.
    package let count: Int

    package convenience init(_ text: [UInt8]) {
        self.init(text.span)
    }

    package init(_ text: Span<UInt8>) {
        let headRoom = Int(board_lws_pre)
        count = text.count
        unsafe storage = .allocate(capacity: headRoom + text.count)
        unsafe storage[..<headRoom].initialize(repeating: 0)
        unsafe text.withUnsafeBufferPointer { source in
            _ = unsafe storage[headRoom...].initialize(fromContentsOf: source)
        }
    }

    deinit { unsafe storage.deallocate() }

    /// The text, with the head room in front of it.
    var payload: UnsafeMutablePointer<UInt8>? {
        guard let base = unsafe storage.baseAddress else { return nil }
        return unsafe base + Int(board_lws_pre)
    }
}

/// Written on the loop's thread only; a frame for another thread would have to be copied.
@available(*, unavailable)
extension OutboundFrame: Sendable {}

/// What became of a frame.
package enum SendOutcome: Sendable, Equatable {
    /// Taken, whole.
    case sent
    /// Not taken: earlier output is still waiting. `drained` will tell.
    case behind
    /// No such connection, or it is closing.
    case gone
}
