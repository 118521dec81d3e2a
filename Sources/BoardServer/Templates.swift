package import BoardModel
package import BoardWire

/// The boards that a new board can begin as.
package enum Templates {
    /// A new board of a template; identifiers and random colours come from `generator`.
    package static func board(
        _ template: CreateRequest.Template, id: BoardID, title: String?, epoch: String,
        using generator: inout some RandomNumberGenerator
    ) -> Board {
        var board = Board(
            id: id, title: title ?? Self.title(of: template, id: id), epoch: epoch)
        switch template {
        case .home: board.sections = [home(using: &generator), dock]
        case .grid: board.sections = [grid(using: &generator)]
        case .channels: board.sections = channels(using: &generator)
        case .row:
            board.presentation = Presentation(axis: .horizontal, minimumPressMs: 300)
            board.sections = [row(using: &generator)]
        case .empty: break
        }
        return board
    }

    private static func title(of template: CreateRequest.Template, id: BoardID) -> String {
        switch template {
        case .home: "Home"
        case .grid: "Four colours"
        case .channels: "Channels"
        case .row: "Row"
        case .empty: id.text
        }
    }

    // MARK: - home

    private static let apps: [(label: String, symbol: String)] = [
        ("Mail", "✉️"), ("Maps", "🗺️"), ("Photos", "🖼️"), ("Music", "🎵"), ("Calendar", "📅"),
        ("Clock", "⏰"), ("Weather", "⛅"), ("Notes", "📝"), ("Camera", "📷"), ("Phone", "📞"),
        ("Messages", "💬"), ("Browser", "🧭"), ("Books", "📚"), ("Fitness", "🏃"), ("Wallet", "💳"),
        ("Games", "🎮"), ("News", "📰"), ("Files", "📁"), ("Home", "🏠"), ("Recipes", "🍳"),
        ("Travel", "✈️"), ("Garden", "🌱"), ("Radio", "📻"), ("Settings", "⚙️"),
    ]

    private static func home(using generator: inout some RandomNumberGenerator) -> Section {
        var icons: [Icon] = []
        for app in apps {
            let colour = randomColour(using: &generator)
            icons.append(
                Icon(
                    id: .random(using: &generator), red: colour.red, green: colour.green,
                    blue: colour.blue, label: app.label, symbol: app.symbol))
        }
        return Section(
            id: identifier("home"), title: "Home", layout: .init(kind: .grid, columns: 4),
            icons: icons)
    }

    /// Empty at first, so that it shows what it is for.
    private static var dock: Section {
        Section(
            id: identifier("dock"), title: "Dock", layout: .init(kind: .row, columns: 4),
            capacity: 4)
    }

    // MARK: - grid

    private static func grid(using generator: inout some RandomNumberGenerator) -> Section {
        let colours: [(red: Double, green: Double, blue: Double, label: String)] = [
            (1, 0, 0, "Red"), (0, 0, 1, "Blue"), (0, 0.5, 0, "Green"), (0.6, 0.4, 0.2, "Brown"),
        ]
        var icons: [Icon] = []
        for colour in colours {
            icons.append(
                Icon(
                    id: .random(using: &generator), red: colour.red, green: colour.green,
                    blue: colour.blue, label: colour.label))
        }
        return Section(
            id: identifier("main"), title: "Colours", layout: .init(kind: .grid, columns: 2),
            icons: icons)
    }

    // MARK: - channels

    private static let mine = [
        "推荐", "热点", "北京", "视频", "社会", "娱乐", "科技", "汽车", "体育", "财经", "军事", "国际",
        "时尚", "旅游", "健康", "历史",
    ]
    private static let recommended = [
        "美食", "育儿", "养生", "故事", "美文", "游戏", "股票", "房产", "家居", "宠物", "动漫", "摄影",
        "音乐", "电影", "读书", "教育", "文化", "星座",
    ]

    private static func channels(
        using generator: inout some RandomNumberGenerator
    ) -> [Section] {
        [
            Section(
                id: identifier("mine"), title: "我的频道", layout: .init(kind: .grid, columns: 4),
                drop: .own, icons: labels(mine, using: &generator)),
            Section(
                id: identifier("recommended"), title: "推荐频道",
                layout: .init(kind: .grid, columns: 4), lift: .none, drop: .none,
                icons: labels(recommended, using: &generator)),
        ]
    }

    // MARK: - row

    private static func row(using generator: inout some RandomNumberGenerator) -> Section {
        // Equal labels are different icons, so two of them are equal.
        let names = [
            "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven",
            "One",
        ]
        return Section(
            id: identifier("row"), title: "Row", layout: .init(kind: .row, columns: 12),
            icons: labels(names, using: &generator))
    }

    // MARK: - Parts

    private static func labels(
        _ names: [String], using generator: inout some RandomNumberGenerator
    ) -> [Icon] {
        var icons: [Icon] = []
        for name in names {
            let colour = randomColour(using: &generator)
            icons.append(
                Icon(
                    id: .random(using: &generator), red: colour.red, green: colour.green,
                    blue: colour.blue, label: name))
        }
        return icons
    }

    /// Bright enough to be told apart, dark enough for white text, in two decimals.
    private static func randomColour(
        using generator: inout some RandomNumberGenerator
    ) -> (red: Double, green: Double, blue: Double) {
        func component() -> Double { Double(Int.random(in: 15...80, using: &generator)) / 100 }
        return (component(), component(), component())
    }

    private static func identifier(_ text: String) -> SectionID {
        guard let id = SectionID(text) else {
            preconditionFailure("\(text) is no identifier")
        }
        return id
    }
}
