internal import BoardModel

extension ClientMessage {
    /// Reads one message: UTF-8 JSON of one object.
    ///
    /// Identifiers that the client left to the server are made with `generator`. The error names
    /// the member at fault and says, as far as it can be read, what the message was about; the
    /// caller limits the length of `text` (`WireLimits.messageBytes`). Cost: linear in `text`.
    public static func decode(
        _ text: Span<UInt8>, using generator: inout some RandomNumberGenerator,
        limits: WireLimits = WireLimits()
    ) throws(MessageError) -> ClientMessage {
        if let target = DragTargetScanner.scan(text, limits: limits) { return .dragTarget(target) }
        return try decodeAny(text, using: &generator, limits: limits)
    }

    /// The general way, for every kind of message.
    static func decodeAny(
        _ text: Span<UInt8>, using generator: inout some RandomNumberGenerator, limits: WireLimits
    ) throws(MessageError) -> ClientMessage {
        let (root, faults) = try parseObject(text, depthMax: limits.depth)
        let fields = try Fields(root, at: "")
        let type = try fields.require("type", .string)
        guard let kind = Kind(rawValue: type) else {
            throw MessageError(.unknownType, "not a type of this version", field: "type")
        }
        do throws(MessageError) {
            let message = try decode(kind, fields, using: &generator, limits: limits)
            // What the reader had no use for may still be read differently by somebody else.
            if faults > 0, let error = firstFault(in: root) { throw error }
            return message
        } catch {
            throw error.about(kind, fields)
        }
    }

    private static func decode(
        _ kind: Kind, _ fields: Fields, using generator: inout some RandomNumberGenerator,
        limits: WireLimits
    ) throws(MessageError) -> ClientMessage {
        switch kind {
        case .hello: return .hello(try fields.hello())
        case .dragBegin:
            let drag = try fields.require("drag", .natural)
            return .dragBegin(drag: drag, icons: try fields.draggedIcons(limits))
        case .dragTarget: return .dragTarget(try fields.dragTarget(limits))
        case .dragDrop: return .dragDrop(try fields.dragDrop(limits))
        case .dragCancel: return .dragCancel(drag: try fields.require("drag", .natural))
        case .edit: return .edit(try fields.editMessage(using: &generator, limits: limits))
        case .presence: return .presence(isEditing: try fields.require("editing", .bool))
        }
    }
}

extension Fields {
    fileprivate func hello() throws(MessageError) -> Hello {
        var hello = Hello(
            client: try require("client", .uuid), name: try require("name", .string),
            token: try optional("token", .string))
        if let resume = try optionalObject("resume") {
            hello.resume = Hello.Resume(
                epoch: try resume.require("epoch", .string),
                revision: try resume.require("revision", .natural))
        }
        return hello
    }

    fileprivate func draggedIcons(_ limits: WireLimits) throws(MessageError) -> [IconID] {
        let icons = try ids("icons", max: limits.iconsPerMessage)
        guard !icons.isEmpty else {
            throw MessageError(.invalid, "expected at least one icon", field: "icons")
        }
        var seen: Set<IconID> = []
        for (position, icon) in icons.enumerated() where !seen.insert(icon).inserted {
            throw MessageError(.invalid, "the same icon twice", field: "icons[\(position)]")
        }
        return icons
    }

    fileprivate func dragTarget(_ limits: WireLimits) throws(MessageError) -> DragTarget {
        var message = DragTarget(drag: try require("drag", .natural))
        message.base = try present("base", .natural)
        guard let target = self["target"] else {
            throw MessageError(.invalid, "missing", field: "target")
        }
        if target != .null { message.target = try object("target").target() }
        if let point = try optionalObject("point") {
            message.point = Point(
                x: try point.require("x", .number), y: try point.require("y", .number))
        }
        message.copy = try optional("copy", .bool) ?? false
        message.tag = try optional("t", .string)
        if let tag = message.tag,
            tag.utf8.count > limits.tagBytes || tag.count > limits.tagCharacters
        {
            throw MessageError(
                .invalid, "longer than \(limits.tagCharacters) characters", field: "t")
        }
        return message
    }

    fileprivate func dragDrop(_ limits: WireLimits) throws(MessageError) -> DragDrop {
        var message = DragDrop(
            drag: try require("drag", .natural), seq: try require("seq", .integer))
        message.base = try present("base", .natural)
        if isNull("target") {
            message.target = .nothing
        } else if let target = try optionalObject("target") {
            message.target = .place(try target.target())
        }
        message.copy = try optional("copy", .bool)
        message.newIDs = try optionalIDs("newIDs", max: limits.iconsPerMessage)
        return message
    }

    func editMessage(
        using generator: inout some RandomNumberGenerator, limits: WireLimits
    ) throws(MessageError) -> EditMessage {
        let seq = try require("seq", .integer)
        let base = try present("base", .natural)
        guard let edit = self["edit"] else {
            throw MessageError(.invalid, "missing", field: "edit")
        }
        return EditMessage(
            seq: seq, base: base,
            edit: try decodeEdit(edit, path: "edit", using: &generator, limits: limits))
    }
}

extension MessageError {
    /// Adds what can be read of the message all the same: an edit or drop whose `seq` is known is
    /// answered under it.
    func about(_ kind: ClientMessage.Kind, _ fields: Fields) -> MessageError {
        var error = self
        error.kind = kind
        func integer(_ key: String) -> Int? { fields[key].flatMap(FieldType.integer.read) }
        switch kind {
        case .hello, .presence: break
        case .dragBegin, .dragTarget, .dragCancel: error.drag = integer("drag")
        case .dragDrop, .edit:
            error.seq = integer("seq")
            error.base = integer("base")
            if kind == .dragDrop { error.drag = integer("drag") }
        }
        return error
    }
}
