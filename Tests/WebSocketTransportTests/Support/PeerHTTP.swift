/// An HTTP answer as a test reads it.
struct Answer {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
}

extension PeerSocket {
    /// Reads one answer; `hasBody` is false after HEAD.
    func answer(hasBody: Bool = true) throws -> Answer {
        let head = try take(through: "\r\n\r\n")
        var lines = head.split(separator: "\r\n")
        let first = lines.removeFirst().split(separator: " ")
        var answer = Answer(status: Int(first[1]) ?? 0, headers: [:], body: [])
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.headers[parts[0].lowercased()] = String(parts[1].dropFirst())
        }
        let length = Int(answer.headers["content-length"] ?? "0") ?? 0
        if hasBody && answer.status >= 200 { answer.body = try take(length) }
        return answer
    }

    func get(_ path: String, headers: [String] = []) throws -> Answer {
        let lines = ["GET \(path) HTTP/1.1", "Host: test"] + headers
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return try answer()
    }
}
