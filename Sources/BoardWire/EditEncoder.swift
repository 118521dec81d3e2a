public import BoardModel

// Edits, changes and their patches as JSON text. In a patch, `null` clears.

/// The edit as JSON text.
public func encode(edit: Edit) -> [UInt8] {
    var writer = JSONWriter(capacity: 256)
    edit.write(into: &writer)
    return writer.bytes
}

extension Edit: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("kind", kind.rawValue)
        switch self {
        case .iconMove(let icons, let target):
            writer.field("icons", icons)
            writer.field("to", target)
        case .iconAdd(let icon, let target):
            writer.field("icon", icon)
            writer.field("to", target)
        case .iconCopy(let icons, let newIDs, let target):
            writer.field("icons", icons)
            writer.field("newIDs", newIDs)
            writer.field("to", target)
        case .iconUpdate(let icon, let patch):
            writer.field("icon", icon)
            writer.field("set", patch)
        case .iconRemove(let icons): writer.field("icons", icons)
        case .sectionAdd(let section, let before):
            writer.field("section", section)
            writer.field(ifPresent: "before", before)
        case .sectionUpdate(let section, let patch):
            writer.field("section", section)
            writer.field("set", patch)
        case .sectionMove(let section, let before):
            writer.field("section", section)
            writer.field(ifPresent: "before", before)
        case .sectionRemove(let section): writer.field("section", section)
        case .boardUpdate(let patch): writer.field("set", patch)
        case .undo, .redo: break
        }
        writer.endObject()
    }

    var kind: EditKind {
        switch self {
        case .iconMove: .iconMove
        case .iconAdd: .iconAdd
        case .iconCopy: .iconCopy
        case .iconUpdate: .iconUpdate
        case .iconRemove: .iconRemove
        case .sectionAdd: .sectionAdd
        case .sectionUpdate: .sectionUpdate
        case .sectionMove: .sectionMove
        case .sectionRemove: .sectionRemove
        case .boardUpdate: .boardUpdate
        case .undo: .undo
        case .redo: .redo
        }
    }
}

extension JSONWriter {
    /// Appends what a patch says of an optional field, if anything.
    mutating func change<Value: JSONWritable>(_ name: String, _ change: FieldChange<Value>) {
        switch change {
        case .keep: break
        case .clear:
            key(name)
            null()
        case .set(let value): field(name, value)
        }
    }
}

extension IconPatch: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field(ifPresent: "red", red)
        writer.field(ifPresent: "green", green)
        writer.field(ifPresent: "blue", blue)
        writer.change("label", label)
        writer.change("symbol", symbol)
        writer.change("link", link)
        writer.change("locked", locked)
        writer.change("pinnedAt", pinnedAt)
        writer.endObject()
    }
}

extension SectionPatch: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field(ifPresent: "title", title)
        if layoutKind != nil || layoutColumns != nil {
            writer.object("layout") {
                $0.field(ifPresent: "kind", layoutKind?.rawValue)
                $0.field(ifPresent: "columns", layoutColumns)
            }
        }
        writer.field(ifPresent: "lift", lift?.rawValue)
        writer.field(ifPresent: "drop", drop?.rawValue)
        writer.change("capacity", capacity)
        writer.endObject()
    }
}

extension BoardPatch: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field(ifPresent: "title", title)
        if axis != nil || minimumPressMs != nil {
            writer.object("presentation") {
                $0.field(ifPresent: "axis", axis?.rawValue)
                $0.field(ifPresent: "minimumPressMs", minimumPressMs)
            }
        }
        writer.endObject()
    }
}
