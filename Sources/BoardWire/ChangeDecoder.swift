public import BoardModel

/// Reads a change that lies at `path` of its text; what `encode(change:)` writes comes back equal.
public func decodeChange(
    _ value: JSONValue, path: String = "edit"
) throws(MessageError) -> Change {
    let fields = try Fields(value, at: path)
    switch try fields.require("kind", FieldType<ChangeKind>.choice) {
    case .iconMove:
        return .iconMove(moves: try fields.moves(of: try fields.require("moves", .array)))
    case .iconAdd:
        let adds = try fields.require("adds", .array)
        return .iconAdd(
            adds: try fields.list("adds", of: adds) { (item, path) throws(MessageError) in
                let fields = try Fields(item, at: path)
                return IconPlacement(
                    icon: try fields.object("icon").icon(), position: try fields.position())
            }, moves: try fields.trailingMoves())
    case .iconRemove:
        let removes = try fields.require("removes", .array)
        return .iconRemove(
            removes: try fields.list("removes", of: removes) { (item, path) throws(MessageError) in
                let fields = try Fields(item, at: path)
                return IconRemoval(
                    icon: try fields.require("icon", .uuid), position: try fields.position())
            }, moves: try fields.trailingMoves())
    case .iconUpdate:
        return .iconUpdate(
            icon: try fields.require("icon", .uuid), set: try fields.object("set").iconPatch(),
            moves: try fields.trailingMoves())
    case .sectionAdd:
        return .sectionAdd(
            section: try fields.object("section").section(iconsMax: .max),
            index: try fields.require("index", .natural))
    case .sectionUpdate:
        return .sectionUpdate(
            section: try fields.require("section", .slug),
            set: try fields.object("set").sectionPatch())
    case .sectionMove:
        return .sectionMove(
            section: try fields.require("section", .slug),
            from: try fields.require("from", .natural), to: try fields.require("to", .natural))
    case .sectionRemove:
        return .sectionRemove(
            section: try fields.require("section", .slug),
            index: try fields.require("index", .natural))
    case .boardUpdate: return .boardUpdate(set: try fields.object("set").boardPatch())
    case .boardRestore:
        return .boardRestore(
            title: try fields.require("title", .string),
            presentation: try fields.presentation(),
            sections: try fields.sections(iconsMax: .max))
    }
}

extension Fields {
    fileprivate func trailingMoves() throws(MessageError) -> [IconMove] {
        try moves(of: try optional("moves", .array) ?? [])
    }

    fileprivate func moves(of items: [JSONValue]) throws(MessageError) -> [IconMove] {
        try list("moves", of: items) { (item, path) throws(MessageError) in
            let fields = try Fields(item, at: path)
            return IconMove(
                icon: try fields.require("icon", .uuid),
                from: try fields.object("from").position(), to: try fields.object("to").position())
        }
    }
}
