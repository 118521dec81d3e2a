import BoardModel

/// An identifier that is known to be well formed.
func id(_ text: String) -> BoardID {
    guard let id = BoardID(text) else { preconditionFailure("\(text) is no identifier") }
    return id
}

/// A board with one section of `icons` icons.
func sampleBoard(
    _ name: String, icons count: Int, revision: Int = 0, epoch: String = "e"
) -> BoardState {
    let icons = (0..<count).map { number in
        Icon(
            id: IconID(high: 1, low: UInt64(number)), red: 0.1, green: 0.25, blue: 1.0 / 3.0,
            label: "Café \(number)")
    }
    let board = Board(
        id: id(name), title: "Title of \(name)", revision: revision, epoch: epoch,
        sections: [Section(id: id("main"), icons: icons)])
    do {
        return try BoardState(board: board)
    } catch {
        preconditionFailure("the sample is no board: \(error)")
    }
}
