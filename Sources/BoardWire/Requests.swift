public import BoardModel

// The bodies of HTTP requests.

/// What a `PUT` replaces a board's with.
public typealias BoardBody = (title: String, presentation: Presentation, sections: [Section])

/// Reads the body of a `PUT`: a board, of which `id`, `epoch` and `revision` don't count.
public func decodeBoardBody(
    _ body: [UInt8], limits: WireLimits = WireLimits()
) throws(MessageError) -> BoardBody {
    try decodeBody(body, limits) { (fields) throws(MessageError) in
        (
            title: try fields.require("title", .string),
            presentation: try fields.presentation(),
            sections: try fields.sections(iconsMax: limits.icons)
        )
    }
}

/// The body of `POST /v1/boards`.
public struct CreateRequest: Hashable, Sendable {
    /// What a new board begins with.
    public enum Template: String, Hashable, Sendable, CaseIterable {
        case home, grid, channels, row, empty
    }

    public var id: BoardID?
    public var title: String?
    public var template: Template?

    public init(id: BoardID? = nil, title: String? = nil, template: Template? = nil) {
        self.id = id
        self.title = title
        self.template = template
    }
}

/// Reads the body of `POST /v1/boards`.
public func decodeCreate(
    _ body: [UInt8], limits: WireLimits = WireLimits()
) throws(MessageError) -> CreateRequest {
    try decodeBody(body, limits) { (fields) throws(MessageError) in
        CreateRequest(
            id: try fields.optional("id", .slug), title: try fields.optional("title", .string),
            template: try fields.optional("template", .choice))
    }
}

/// The body of `POST /v1/boards/{id}/edits`.
public typealias EditRequest = (client: ClientID, message: EditMessage)

/// Reads the body of `POST /v1/boards/{id}/edits`.
///
/// An error carries `seq` and `client` as far as they could be read; with both, the edit is
/// answered with a rejected result.
public func decodeEditRequest(
    _ body: [UInt8], using generator: inout some RandomNumberGenerator,
    limits: WireLimits = WireLimits()
) throws(MessageError) -> EditRequest {
    let (root, faults) = try parseObject(body.span, depthMax: limits.depth)
    let fields = try Fields(root, at: "")
    do throws(MessageError) {
        let client = try fields.require("client", .uuid)
        let message = try fields.editMessage(using: &generator, limits: limits)
        if faults > 0, let error = firstFault(in: root) { throw error }
        return (client: client, message: message)
    } catch {
        var error = error.about(.edit, fields)
        error.client = fields["client"].flatMap(FieldType.uuid.read)
        throw error
    }
}

private func decodeBody<Value>(
    _ body: [UInt8], _ limits: WireLimits, _ read: (Fields) throws(MessageError) -> Value
) throws(MessageError) -> Value {
    let (root, faults) = try parseObject(body.span, depthMax: limits.depth)
    let value = try read(try Fields(root, at: ""))
    if faults > 0, let error = firstFault(in: root) { throw error }
    return value
}

/// Reads the body of `POST /v1/boards/{id}/points`: the name of the point, if it has one.
public func decodePoint(
    _ body: [UInt8], limits: WireLimits = WireLimits()
) throws(MessageError) -> String {
    try decodeBody(body.isEmpty ? Array("{}".utf8) : body, limits) {
        (fields) throws(MessageError) in
        let name = try fields.optional("name", .string) ?? ""
        guard name.count <= limits.labelCharacters, name.utf8.count <= limits.labelBytes else {
            throw MessageError(
                .invalid, "longer than \(limits.labelCharacters) characters", field: "name")
        }
        return name
    }
}

/// Who restores a point: a client under its next number, or nobody in particular.
public typealias RestoreRequest = (client: ClientID?, seq: Int?, base: Int?)

/// Reads the body of `POST /v1/boards/{id}/points/{point}/restore`.
public func decodeRestore(
    _ body: [UInt8], limits: WireLimits = WireLimits()
) throws(MessageError) -> RestoreRequest {
    try decodeBody(body.isEmpty ? Array("{}".utf8) : body, limits) {
        (fields) throws(MessageError) in
        let request = (
            client: try fields.optional("client", .uuid), seq: try fields.optional("seq", .integer),
            base: try fields.optional("base", .natural)
        )
        guard (request.client == nil) == (request.seq == nil) else {
            let field = request.seq == nil ? "seq" : "client"
            throw MessageError(.invalid, "client and seq go together", field: field)
        }
        return request
    }
}
