public import BoardModel

/// The change as JSON text.
public func encode(change: Change) -> [UInt8] {
    var writer = JSONWriter(capacity: 256)
    change.write(into: &writer)
    return writer.bytes
}

extension Change: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("kind", kind.rawValue)
        switch self {
        case .iconMove(let moves): writer.field("moves", moves)
        case .iconAdd(let adds, let moves):
            writer.field("adds", adds)
            writer.trailing(moves)
        case .iconRemove(let removes, let moves):
            writer.field("removes", removes)
            writer.trailing(moves)
        case .iconUpdate(let icon, let patch, let moves):
            writer.field("icon", icon)
            writer.field("set", patch)
            writer.trailing(moves)
        case .sectionAdd(let section, let index):
            writer.field("section", section)
            writer.field("index", index)
        case .sectionUpdate(let section, let patch):
            writer.field("section", section)
            writer.field("set", patch)
        case .sectionMove(let section, let from, let to):
            writer.field("section", section)
            writer.field("from", from)
            writer.field("to", to)
        case .sectionRemove(let section, let index):
            writer.field("section", section)
            writer.field("index", index)
        case .boardUpdate(let patch): writer.field("set", patch)
        case .boardRestore(let title, let presentation, let sections):
            writer.field("title", title)
            writer.field("presentation", presentation)
            writer.field("sections", sections)
        }
        writer.endObject()
    }

    var kind: ChangeKind {
        switch self {
        case .iconMove: .iconMove
        case .iconAdd: .iconAdd
        case .iconRemove: .iconRemove
        case .iconUpdate: .iconUpdate
        case .sectionAdd: .sectionAdd
        case .sectionUpdate: .sectionUpdate
        case .sectionMove: .sectionMove
        case .sectionRemove: .sectionRemove
        case .boardUpdate: .boardUpdate
        case .boardRestore: .boardRestore
        }
    }
}

/// The `kind` of a change.
enum ChangeKind: String, CaseIterable {
    case iconMove = "icon.move"
    case iconAdd = "icon.add"
    case iconRemove = "icon.remove"
    case iconUpdate = "icon.update"
    case sectionAdd = "section.add"
    case sectionUpdate = "section.update"
    case sectionMove = "section.move"
    case sectionRemove = "section.remove"
    case boardUpdate = "board.update"
    case boardRestore = "board.restore"
}

extension JSONWriter {
    /// Moves that put pins back, left out when there are none.
    fileprivate mutating func trailing(_ moves: [IconMove]) {
        if !moves.isEmpty { field("moves", moves) }
    }
}

extension IconMove: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("icon", icon)
        writer.field("from", from)
        writer.field("to", to)
        writer.endObject()
    }
}

extension IconPlacement: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("icon", icon)
        writer.field("section", position.section)
        writer.field("index", position.index)
        writer.endObject()
    }
}

extension IconRemoval: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("icon", icon)
        writer.field("section", position.section)
        writer.field("index", position.index)
        writer.endObject()
    }
}
