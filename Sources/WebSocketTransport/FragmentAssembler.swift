/// Puts a message together from the pieces libwebsockets hands over: at most `rx_buffer_size` bytes
/// each, over as many frames as the peer liked.
///
/// The limits hold while assembling, so a peer that never ends its message costs no more than one
/// that sends the longest allowed.
struct FragmentAssembler {
    enum Step: Equatable {
        /// More is to come.
        case partial
        /// This piece is the whole message; nothing was copied.
        case whole
        /// `take()` has the message.
        case assembled
        case tooLong
        /// The pieces are no UTF-8 together.
        case malformed
    }

    private var bytes: [UInt8] = []
    private var frames = 0

    /// Takes one piece. `endsFrame` and `endsMessage` say what ends with it.
    mutating func append(
        _ piece: Span<UInt8>, endsFrame: Bool, endsMessage: Bool,
        bytesMax: Int, framesMax: Int
    ) -> Step {
        if endsFrame { frames += 1 }
        guard bytes.count + piece.count <= bytesMax, frames <= framesMax else { return .tooLong }
        if endsMessage && bytes.isEmpty && frames == 1 {
            frames = 0
            return .whole
        }
        for index in piece.indices { bytes.append(piece[index]) }
        guard endsMessage else { return .partial }
        // libwebsockets checks each piece, but not that an empty last frame leaves no code point
        // open.
        let severalFrames = frames > 1
        frames = 0
        guard !severalFrames || Self.isUTF8(bytes.span) else { return .malformed }
        return .assembled
    }

    /// The message, which leaves the assembler empty and without memory.
    mutating func take() -> [UInt8] {
        let message = bytes
        bytes = []
        return message
    }

    /// Forgets everything, after a close.
    mutating func discard() {
        bytes = []
        frames = 0
    }

    private static func isUTF8(_ text: Span<UInt8>) -> Bool {
        (try? UTF8Span(validating: text)) != nil
    }
}
