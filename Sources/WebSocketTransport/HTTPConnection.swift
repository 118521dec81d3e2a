internal import Glibc

/// A socket that speaks HTTP, until it is closed or turns into a WebSocket.
///
/// It holds bytes and where it stands; what to do next is decided by the transport.
final class HTTPConnection {
    enum State: Equatable {
        case readingHead
        case readingBody
        /// The delegate has the request; nothing is read meanwhile.
        case awaitingAnswer
        case writing
        /// Our side is shut; what still comes is thrown away, so that the answer is not lost to a
        /// reset.
        case lingering
    }

    enum ReadOutcome { case some, nothing, ended }
    enum WriteOutcome { case done, waiting, broken }

    let descriptor: Int32
    let slot: UInt32
    let generation: UInt32
    let remoteAddress: String

    var state = State.readingHead
    var deadline: Int64
    var input: [UInt8] = []
    var scanned = 0
    var request = ParsedRequest()
    var body: [UInt8] = []
    /// Which request is awaited: an answer to an earlier one is dropped.
    var requestGeneration: UInt32 = 0
    var keepsAlive = false
    /// Whether the request loop is at work further up the stack.
    var isAdvancing = false
    var interest = Poller.Interest.reading
    /// No further byte will come from the peer.
    var inputEnded = false

    private var output: [[UInt8]] = []
    private var written = 0

    init(
        _ accepted: Sockets.Accepted, slot: UInt32, generation: UInt32, deadline: Int64
    ) {
        descriptor = accepted.descriptor
        remoteAddress = accepted.remoteAddress
        self.slot = slot
        self.generation = generation
        self.deadline = deadline
    }

    var token: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    /// Reads once, at most 64 KiB, behind what is there.
    func readMore() -> ReadOutcome {
        let capacity = 65_536
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
            let count = unsafe recv(descriptor, buffer.baseAddress, capacity, 0)
            guard count != 0 else { return .ended }
            guard count > 0 else { return errno == EAGAIN || errno == EINTR ? .nothing : .ended }
            if state != .lingering { unsafe input.append(contentsOf: buffer[..<count]) }
            return .some
        }
    }

    /// Moves what belongs to the body out of the input; true when it is complete.
    func takeBody() -> Bool {
        let length = request.contentLength ?? 0
        let missing = length - body.count
        if body.isEmpty && input.count == missing {
            swap(&body, &input)
        } else {
            let count = min(missing, input.count)
            body.append(contentsOf: input[..<count])
            input.removeSubrange(..<count)
        }
        return body.count == length
    }

    func consume(_ count: Int) {
        input.removeSubrange(..<count)
        scanned = 0
    }

    func enqueue(_ parts: [UInt8]...) {
        output += parts.filter { !$0.isEmpty }
    }

    /// Writes as much as the kernel takes.
    func flush() -> WriteOutcome {
        while let part = output.first {
            let more = output.count > 1 ? Int32(MSG_MORE) : 0
            let count = unsafe part.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                return unsafe send(
                    descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL) | more)
            }
            guard count >= 0 else { return errno == EAGAIN || errno == EINTR ? .waiting : .broken }
            written += count
            if written == part.count {
                output.removeFirst()
                written = 0
            }
        }
        return .done
    }

    /// Everything before the next request on the same connection.
    func reset() {
        request = ParsedRequest()
        body = []
        state = .readingHead
        scanned = 0
    }
}
