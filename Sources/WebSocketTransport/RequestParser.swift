/// Reads an HTTP/1.1 request head, strictly: what two readers could understand differently is
/// refused.
struct RequestParser {
    enum Outcome {
        case incomplete
        /// The answer to give before hanging up.
        case refused(Int)
        case complete(ParsedRequest, consumed: Int)
    }

    let headBytesMax: Int
    let requestLineBytesMax: Int

    /// Looks at the front of `input`. `scanned` is how far an earlier look found no end.
    func parse(_ input: [UInt8], scanned: Int) -> Outcome {
        var start = 0
        // A client may send an empty line after a body (RFC 9112, 2.2).
        while start + 1 < input.count, start < 8, input[start] == cr, input[start + 1] == lf {
            start += 2
        }
        guard let end = endOfHead(input, from: max(start, scanned - 3)) else {
            if input.count - start > headBytesMax { return .refused(431) }
            return startIsPlausible(input, from: start) ? .incomplete : .refused(400)
        }
        guard end - start <= headBytesMax else { return .refused(431) }
        var lines = HeadLines(input: input, position: start, end: end - 2)
        guard let first = lines.next(), !lines.malformed else { return .refused(400) }
        guard first.count <= requestLineBytesMax else { return .refused(414) }
        var request = ParsedRequest()
        if let status = request.readRequestLine(input[first]) { return .refused(status) }
        while let line = lines.next() {
            guard request.readField(input[line]) else { return .refused(400) }
        }
        guard !lines.malformed else { return .refused(400) }
        if let status = request.refusal() { return .refused(status) }
        return .complete(request, consumed: end)
    }

    /// The index after the empty line that ends a head.
    private func endOfHead(_ input: [UInt8], from start: Int) -> Int? {
        guard input.count >= start + 4 else { return nil }
        var index = start
        while index + 3 < input.count {
            if input[index + 3] > cr {
                index += 4
            } else if input[index] == cr, input[index + 1] == lf, input[index + 2] == cr,
                input[index + 3] == lf
            {
                return index + 4
            } else {
                index += 1
            }
        }
        return nil
    }

    /// No method begins with anything but a letter: TLS, say, is told from HTTP by its first byte.
    private func startIsPlausible(_ input: [UInt8], from start: Int) -> Bool {
        guard start < input.count else { return true }
        let byte = input[start]
        return byte == cr || (byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "z"))
    }
}

private let cr = UInt8(ascii: "\r")
private let lf = UInt8(ascii: "\n")

/// The lines of a head, each ended by CR LF; a CR or LF alone makes it malformed.
private struct HeadLines {
    let input: [UInt8]
    var position: Int
    let end: Int
    var malformed = false

    init(input: [UInt8], position: Int, end: Int) {
        self.input = input
        self.position = position
        self.end = end
    }

    mutating func next() -> Range<Int>? {
        guard position < end, !malformed else { return nil }
        var index = position
        while index < end, input[index] != cr, input[index] != lf { index += 1 }
        guard index + 1 < input.count, input[index] == cr, input[index + 1] == lf else {
            malformed = true
            return nil
        }
        defer { position = index + 2 }
        return position..<index
    }
}
