/// A whole answer to an HTTP request.
///
/// The transport adds `Content-Length`, `X-Content-Type-Options: nosniff` and `Connection`; every
/// other header, a content security policy among them, is the caller's. For `HEAD` the body is
/// counted and not sent.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [(String, String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An RFC 9457 problem for what the transport refuses by itself.
    static func problem(_ status: Int, headers: [(String, String)] = []) -> HTTPResponse {
        let title = reason(of: status)
        let text = #"{"type":"about:blank","title":"\#(title)","status":\#(status)}"#
        let fixed = [
            ("Content-Type", "application/problem+json"),
            ("Content-Security-Policy", "default-src 'none'"),
        ]
        return HTTPResponse(status: status, headers: fixed + headers, body: Array(text.utf8))
    }

    /// The head as it goes on the wire.
    func encodedHead(closing: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.reason(of: status))\r\n"
        for (name, value) in headers {
            text += name
            text += ": "
            text += value.contains(where: \.isNewline) ? "" : value
            text += "\r\n"
        }
        let hasBody = status >= 200 && status != 204 && status != 304
        if hasBody { text += "Content-Length: \(body.count)\r\n" }
        text += "X-Content-Type-Options: nosniff\r\n"
        text += closing ? "Connection: close\r\n\r\n" : "Connection: keep-alive\r\n\r\n"
        return Array(text.utf8)
    }

    private static let reasons: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 301: "Moved Permanently",
        302: "Found", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]

    private static func reason(of status: Int) -> String { reasons[status] ?? "Status" }
}
