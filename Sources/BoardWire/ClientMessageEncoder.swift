internal import BoardModel

extension ClientMessage: JSONWritable {
    /// Appends the message, as `decode` reads it.
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("type", kind.rawValue)
        switch self {
        case .hello(let hello): hello.write(into: &writer)
        case .dragBegin(let drag, let icons):
            writer.field("drag", drag)
            writer.field("icons", icons)
        case .dragTarget(let message): message.write(into: &writer)
        case .dragDrop(let message): message.write(into: &writer)
        case .dragCancel(let drag): writer.field("drag", drag)
        case .edit(let message):
            writer.field("seq", message.seq)
            writer.field(ifPresent: "base", message.base)
            writer.field("edit", message.edit)
        case .presence(let isEditing): writer.field("editing", isEditing)
        }
        writer.endObject()
    }

    /// The message as JSON text.
    public var encoded: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        write(into: &writer)
        return writer.bytes
    }
}

extension Hello {
    fileprivate func write(into writer: inout JSONWriter) {
        writer.field("client", client)
        writer.field("name", name)
        writer.field(ifPresent: "token", token)
        guard let resume else { return }
        writer.object("resume") {
            $0.field("epoch", resume.epoch)
            $0.field("revision", resume.revision)
        }
    }
}

extension DragTarget {
    fileprivate func write(into writer: inout JSONWriter) {
        writer.field("drag", drag)
        writer.field(ifPresent: "base", base)
        writer.field(orNull: "target", target)
        writer.field(ifPresent: "point", point)
        if copy { writer.field("copy", true) }
        writer.field(ifPresent: "t", tag)
    }
}

extension DragDrop {
    fileprivate func write(into writer: inout JSONWriter) {
        writer.field("drag", drag)
        writer.field("seq", seq)
        writer.field(ifPresent: "base", base)
        switch target {
        case .last: break
        case .nothing: writer.field(orNull: "target", Target?.none)
        case .place(let place): writer.field("target", place)
        }
        writer.field(ifPresent: "copy", copy)
        if !newIDs.isEmpty { writer.field("newIDs", newIDs) }
    }
}
