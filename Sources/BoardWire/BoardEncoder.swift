public import BoardModel

// Boards and their parts as JSON text: absent optionals are left out.

/// The whole board as JSON text.
public func encode(board: Board) -> [UInt8] {
    let icons = board.sections.reduce(0) { $0 + $1.icons.count }
    var writer = JSONWriter(capacity: 256 + 200 * board.sections.count + 128 * icons)
    board.write(into: &writer)
    return writer.bytes
}

extension Board: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("title", title)
        writer.field("revision", revision)
        writer.field("epoch", epoch)
        writer.field("presentation", presentation)
        writer.field("sections", sections)
        writer.endObject()
    }
}

extension Presentation: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("axis", axis.rawValue)
        writer.field("minimumPressMs", minimumPressMs)
        writer.endObject()
    }
}

extension Section: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("title", title)
        writer.object("layout") {
            $0.field("kind", layout.kind.rawValue)
            $0.field("columns", layout.columns)
        }
        writer.field("lift", lift.rawValue)
        writer.field("drop", drop.rawValue)
        writer.field(ifPresent: "capacity", capacity)
        writer.field("icons", icons)
        writer.endObject()
    }
}

extension Icon: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("red", red)
        writer.field("green", green)
        writer.field("blue", blue)
        writer.field(ifPresent: "label", label)
        writer.field(ifPresent: "symbol", symbol)
        writer.field(ifPresent: "link", link)
        writer.field(ifPresent: "locked", locked)
        writer.field(ifPresent: "pinnedAt", pinnedAt)
        writer.endObject()
    }
}

extension Position: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("section", section)
        writer.field("index", index)
        writer.endObject()
    }
}

extension Target: JSONWritable {
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.field(ifPresent: "section", section)
        writer.field(ifPresent: "at", at?.rawValue)
        writer.field(ifPresent: "after", after)
        writer.field(ifPresent: "before", before)
        writer.field(ifPresent: "index", index)
        writer.endObject()
    }
}
