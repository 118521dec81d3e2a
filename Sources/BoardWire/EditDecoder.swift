public import BoardModel

/// Reads an edit that lies at `path` of its message.
///
/// Identifiers that the client left to the server are made with `generator`, so the edit is
/// complete. Types and the shape are checked; what the board allows is the board's to say.
public func decodeEdit(
    _ value: JSONValue, path: String = "edit", using generator: inout some RandomNumberGenerator,
    limits: WireLimits = WireLimits()
) throws(MessageError) -> Edit {
    let fields = try Fields(value, at: path)
    switch try fields.require("kind", FieldType<EditKind>.choice) {
    case .iconMove:
        return .iconMove(
            icons: try fields.icons(limits), to: try fields.object("to").target())
    case .iconAdd:
        let members = try fields.object("icon")
        let newID = members.isAbsent("id") ? IconID.random(using: &generator) : nil
        let icon = try members.icon(withID: newID)
        return .iconAdd(icon: icon, to: try fields.object("to").targetWithSection())
    case .iconCopy:
        let icons = try fields.icons(limits)
        return .iconCopy(
            icons: icons,
            newIDs: try fields.newIDs(count: icons.count, using: &generator),
            to: try fields.object("to").targetWithSection())
    case .iconUpdate:
        return .iconUpdate(
            icon: try fields.require("icon", .uuid), set: try fields.object("set").iconPatch())
    case .iconRemove: return .iconRemove(icons: try fields.icons(limits))
    case .sectionAdd:
        let section = try fields.object("section").section(iconsMax: limits.iconsPerMessage)
        return .sectionAdd(section: section, before: try fields.optional("before", .slug))
    case .sectionUpdate:
        return .sectionUpdate(
            section: try fields.require("section", .slug),
            set: try fields.object("set").sectionPatch())
    case .sectionMove:
        return .sectionMove(
            section: try fields.require("section", .slug),
            before: try fields.optional("before", .slug))
    case .sectionRemove: return .sectionRemove(section: try fields.require("section", .slug))
    case .boardUpdate: return .boardUpdate(set: try fields.object("set").boardPatch())
    case .undo: return .undo
    case .redo: return .redo
    }
}

/// The `kind` of an edit.
enum EditKind: String, CaseIterable {
    case iconMove = "icon.move"
    case iconAdd = "icon.add"
    case iconCopy = "icon.copy"
    case iconUpdate = "icon.update"
    case iconRemove = "icon.remove"
    case sectionAdd = "section.add"
    case sectionUpdate = "section.update"
    case sectionMove = "section.move"
    case sectionRemove = "section.remove"
    case boardUpdate = "board.update"
    case undo
    case redo
}

extension Fields {
    /// The icons of an edit: at least one.
    fileprivate func icons(_ limits: WireLimits) throws(MessageError) -> [IconID] {
        let icons = try ids("icons", max: limits.iconsPerMessage)
        guard !icons.isEmpty else {
            throw MessageError(.invalid, "expected at least one icon", field: path(of: "icons"))
        }
        return icons
    }

    /// One identifier a copy: the client's as far as they go, then new ones.
    fileprivate func newIDs(
        count: Int, using generator: inout some RandomNumberGenerator
    ) throws(MessageError) -> [IconID] {
        var newIDs = try optionalIDs("newIDs", max: count)
        while newIDs.count < count { newIDs.append(.random(using: &generator)) }
        return newIDs
    }
}
