/// An HTTP error as `application/problem+json` (RFC 9457).
public struct ProblemDetails: Hashable, Sendable, JSONWritable {
    /// The HTTP status.
    public var status: Int
    /// The same for every answer of this kind.
    public var title: String
    /// About this answer; never repeats anything of the request.
    public var detail: String?
    /// The path of the member of the body at fault.
    public var field: String?

    public static let contentType = "application/problem+json"

    public init(status: Int, title: String, detail: String? = nil, field: String? = nil) {
        self.status = status
        self.title = title
        self.detail = detail
        self.field = field
    }

    /// The answer to a body that could not be read.
    public init(_ error: MessageError) {
        self.init(
            status: 400, title: "Bad Request", detail: error.message, field: error.field)
    }

    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("type", "about:blank")
        writer.field("title", title)
        writer.field("status", status)
        writer.field(ifPresent: "detail", detail)
        writer.field(ifPresent: "field", field)
        writer.endObject()
    }

    public var encoded: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        write(into: &writer)
        return writer.bytes
    }
}
