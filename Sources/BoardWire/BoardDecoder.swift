internal import BoardModel

// Boards and their parts, out of parsed JSON. Types are checked here; ranges are the model's.

extension Fields {
    /// The members of an icon, which must bring its own identifier unless it is given one.
    func icon(withID newID: IconID? = nil) throws(MessageError) -> Icon {
        let id = if let newID { newID } else { try require("id", FieldType<UniqueID>.uuid) }
        return Icon(
            id: id,
            red: try require("red", .number),
            green: try require("green", .number),
            blue: try require("blue", .number),
            label: try optional("label", .string),
            symbol: try optional("symbol", .string),
            link: try optional("link", .string),
            locked: try optional("locked", .bool),
            pinnedAt: try optional("pinnedAt", .integer))
    }

    /// The members of a section; all but `id` have defaults.
    func section(iconsMax: Int) throws(MessageError) -> Section {
        var section = Section(id: try require("id", .slug))
        section.title = try optional("title", .string) ?? section.title
        if let layout = try optionalObject("layout") {
            section.layout.kind = try layout.optional("kind", .choice) ?? section.layout.kind
            section.layout.columns =
                try layout.optional("columns", .integer) ?? section.layout.columns
        }
        section.lift = try optional("lift", .choice) ?? section.lift
        section.drop = try optional("drop", .choice) ?? section.drop
        section.capacity = try optional("capacity", .integer)
        let icons = try optional("icons", .array) ?? []
        guard icons.count <= iconsMax else {
            throw MessageError(.invalid, "more than \(iconsMax)", field: path(of: "icons"))
        }
        section.icons = try list("icons", of: icons) { (item, path) throws(MessageError) in
            try Fields(item, at: path).icon()
        }
        return section
    }

    func sections(iconsMax: Int) throws(MessageError) -> [Section] {
        let items = try require("sections", .array)
        return try list("sections", of: items) { (item, path) throws(MessageError) in
            try Fields(item, at: path).section(iconsMax: iconsMax)
        }
    }

    func presentation() throws(MessageError) -> Presentation {
        var presentation = Presentation()
        guard let fields = try optionalObject("presentation") else { return presentation }
        presentation.axis = try fields.optional("axis", .choice) ?? presentation.axis
        presentation.minimumPressMs =
            try fields.optional("minimumPressMs", .integer) ?? presentation.minimumPressMs
        return presentation
    }

    func iconPatch() throws(MessageError) -> IconPatch {
        var patch = IconPatch()
        patch.red = try present("red", .number)
        patch.green = try present("green", .number)
        patch.blue = try present("blue", .number)
        patch.label = try change("label", .string)
        patch.symbol = try change("symbol", .string)
        patch.link = try change("link", .string)
        patch.locked = try change("locked", .bool)
        patch.pinnedAt = try change("pinnedAt", .integer)
        return patch
    }

    func sectionPatch() throws(MessageError) -> SectionPatch {
        var patch = SectionPatch()
        patch.title = try present("title", .string)
        if let layout = try presentObject("layout") {
            patch.layoutKind = try layout.present("kind", .choice)
            patch.layoutColumns = try layout.present("columns", .integer)
        }
        patch.lift = try present("lift", .choice)
        patch.drop = try present("drop", .choice)
        patch.capacity = try change("capacity", .integer)
        return patch
    }

    func boardPatch() throws(MessageError) -> BoardPatch {
        var patch = BoardPatch()
        patch.title = try present("title", .string)
        if let presentation = try presentObject("presentation") {
            patch.axis = try presentation.present("axis", .choice)
            patch.minimumPressMs = try presentation.present("minimumPressMs", .integer)
        }
        return patch
    }

    func target() throws(MessageError) -> Target {
        let target = Target(
            section: try optional("section", .slug),
            at: try optional("at", .choice),
            after: try optional("after", .uuid),
            before: try optional("before", .uuid),
            index: try optional("index", .natural))
        if target.at != nil, target.after != nil || target.before != nil || target.index != nil {
            throw MessageError(
                .invalid, "goes with none of after, before and index", field: path(of: "at"))
        }
        return target
    }

    /// A target that must say its section, since there is no icon to take it from.
    func targetWithSection() throws(MessageError) -> Target {
        _ = try require("section", .slug)
        return try target()
    }

    /// `{"section","index"}`.
    func position() throws(MessageError) -> Position {
        Position(section: try require("section", .slug), index: try require("index", .natural))
    }
}
