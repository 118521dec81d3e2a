import BoardModel
import BoardServer
import BoardWire
import Testing

@Suite("Templates")
struct TemplatesTests {
    private static func board(
        _ template: CreateRequest.Template, title: String? = nil, seed: UInt64 = 1
    ) throws -> Board {
        var generator = Sequence(state: seed)
        return Templates.board(
            template, id: try #require(BoardID("a")), title: title, epoch: "e", using: &generator)
    }

    @Test("HT2: every template is a valid board", arguments: CreateRequest.Template.allCases)
    func valid(template: CreateRequest.Template) throws {
        let board = try Self.board(template)
        let state = try BoardState(board: board)
        #expect(state.board == board)
        #expect(board.title.isEmpty == false)
        let icons = board.sections.flatMap(\.icons)
        #expect(Set(icons.map(\.id)).count == icons.count)
    }

    @Test("HT2: home has 24 icons in four columns and a dock for four; grid has four in two")
    func grids() throws {
        let home = try Self.board(.home)
        #expect(home.sections.map(\.icons.count) == [24, 0])
        #expect(home.sections.map(\.layout.columns) == [4, 4])
        #expect(home.sections.map(\.layout.kind) == [.grid, .row])
        #expect(home.sections.map(\.capacity) == [nil, 4])
        let grid = try Self.board(.grid)
        #expect(grid.sections.map(\.layout.columns) == [2])
        #expect(grid.sections.first?.icons.map(\.label) == ["Red", "Blue", "Green", "Brown"])
    }

    @Test("BD6: channels lets 16 be reordered, and nothing into or out of the 18 others")
    func channels() throws {
        let sections = try Self.board(.channels).sections
        #expect(sections.map(\.icons.count) == [16, 18])
        #expect(sections.map(\.lift) == [.move, .none])
        #expect(sections.map(\.drop) == [.own, .none])
    }

    @Test("row is one line of 12, held to its axis, and two labels are equal")
    func row() throws {
        let board = try Self.board(.row)
        #expect(board.presentation == Presentation(axis: .horizontal, minimumPressMs: 300))
        let labels = try #require(board.sections.first).icons.map(\.label)
        #expect(labels.count == 12)
        #expect(Set(labels).count == 11)
    }

    @Test("a title that was given wins; an empty board is called by its identifier")
    func titles() throws {
        #expect(try Self.board(.home, title: "Ours").title == "Ours")
        #expect(try Self.board(.empty).title == "a")
        #expect(try Self.board(.empty).sections.isEmpty)
    }

    @Test("identifiers come from the generator, and differ from board to board")
    func identifiers() throws {
        #expect(try Self.board(.home, seed: 1) == Self.board(.home, seed: 1))
        let one = try Self.board(.home, seed: 1).sections[0].icons.map(\.id)
        let other = try Self.board(.home, seed: 99_999).sections[0].icons.map(\.id)
        #expect(Set(one).isDisjoint(with: other))
    }
}

/// Numbers that depend on the one before; not random, only different.
private struct Sequence: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
