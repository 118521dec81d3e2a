internal import BoardModel
internal import BoardStore
internal import BoardWire
internal import Foundation

/// What an operator does with a store: each command returns what it has to say, or throws why it
/// could not.
package struct Upkeep {
    package struct Failure: Error {
        package var text: String
        /// What is stored is not what was written, or a file is not what it should be.
        package var isData: Bool
    }

    private let configuration: ServerConfiguration

    package init(_ configuration: ServerConfiguration) {
        self.configuration = configuration
    }

    private var directory: String { configuration.storageDirectory }

    private func attempt<Value>(_ body: () throws(StoreError) -> Value) throws(Failure) -> Value {
        do {
            return try body()
        } catch {
            let isData = if case .damaged = error { true } else { false }
            throw Failure(text: Server.describe(error), isData: isData)
        }
    }

    // MARK: - Verify, back up, restore

    package func verify(isDeep: Bool) throws(Failure) -> [String] {
        let findings = try attempt { () throws(StoreError) in
            let store = try SQLiteBoardStore(reading: directory)
            defer { store.close() }
            return try store.verify(isDeep: isDeep)
        }
        return try report(findings)
    }

    private func report(_ findings: SQLiteBoardStore.Findings) throws(Failure) -> [String] {
        let summary =
            "\(findings.boards) boards, \(findings.commits) commits in their logs, "
            + "\(findings.damaged.count) boards damaged"
        guard !findings.isWhole else { return [summary] }
        let lines =
            findings.damaged.map { "board \($0.id) is damaged: \($0.what)" } + findings.remarks
        throw Failure(text: (lines + [summary]).joined(separator: "\n"), isData: true)
    }

    package func backUp(to file: String) throws(Failure) -> [String] {
        try attempt { () throws(StoreError) in
            try SQLiteBoardStore.backUp(directory, to: file)
        }
        return ["\(file) is whole and on the disk"]
    }

    package func restore(from file: String) throws(Failure) -> [String] {
        let findings = try attempt { () throws(StoreError) in
            try SQLiteBoardStore.restore(file, to: directory, epoch: Self.newEpoch)
        }
        return try report(findings) + ["restored to \(directory)"]
    }

    private static func newEpoch() -> String {
        var generator = SystemRandomNumberGenerator()
        return UniqueID.random(using: &generator).description
    }

    // MARK: - Export and import

    /// Writes the boards, all unless named, to `ID.json` files of a folder; `-` gives one out.
    package func export(_ names: [String], to folder: String) throws(Failure) -> [String] {
        var boards: [Board] = []
        try attempt { () throws(StoreError) in
            let store = try SQLiteBoardStore(reading: directory)
            defer { store.close() }
            let list = try store.heads()
            if names.isEmpty, let board = list.damaged.first {
                throw .damaged(board.id, what: board.what)
            }
            let ids = names.isEmpty ? list.heads.map(\.id) : names.compactMap { BoardID($0) }
            for id in ids {
                guard let board = try store.load(id) else { throw .missing(id) }
                boards.append(board.state.board)
            }
        }
        if let name = names.first(where: { BoardID($0) == nil }) {
            throw Failure(text: "\(name) is no identifier of a board", isData: false)
        }
        guard folder != "-" else {
            guard boards.count == 1 else {
                throw Failure(text: "name the one board to write to -", isData: false)
            }
            return [String(decoding: try Self.text(of: boards[0]), as: UTF8.self)]
        }
        for board in boards { try write(board, to: folder) }
        return ["\(boards.count) boards written to \(folder)"]
    }

    private func write(_ board: Board, to folder: String) throws(Failure) {
        let path = "\(folder)/\(board.id).json"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try (Self.text(of: board) + Data("\n".utf8))
                .write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(text: "\(path): \(error.localizedDescription)", isData: false)
        }
    }

    /// One form for one board: sorted keys, a line a value.
    private static func text(of board: Board) throws(Failure) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(board)
        } catch {
            throw Failure(text: "\(board.id): \(error)", isData: true)
        }
    }

    /// Makes a board of each file; none of them when one can't be read or is there already.
    package func importBoards(_ files: [String]) throws(Failure) -> [String] {
        var states: [(file: String, state: BoardState)] = []
        for file in files { states.append((file, try read(file))) }
        try attempt { () throws(StoreError) in
            let store = try SQLiteBoardStore(directory: directory, limits: limits)
            defer { store.close() }
            let list = try store.heads()
            let taken = Set(list.heads.map(\.id) + list.damaged.map(\.id))
            if let (_, state) = states.first(where: { taken.contains($0.state.id) }) {
                throw .exists(state.id)
            }
            for (_, state) in states { try store.create(state) }
        }
        return ["\(states.count) boards imported"]
    }

    private var limits: BoardLimits { Server.boardLimits(of: configuration) }

    private func read(_ file: String) throws(Failure) -> BoardState {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw Failure(text: "\(file): \(error.localizedDescription)", isData: false)
        }
        do throws(MessageError) {
            let wire = WireLimits(board: limits)
            let body = try decodeBoardBody(Array(data), limits: wire)
            let request = try decodeCreate(Array(data), limits: wire)
            guard let id = request.id else {
                throw MessageError(.invalid, "missing", field: "id")
            }
            let board = Board(
                id: id, title: body.title, epoch: Self.newEpoch(),
                presentation: body.presentation, sections: body.sections)
            return try checked(board)
        } catch {
            let field = error.field.map { "\($0): " } ?? ""
            throw Failure(text: "\(file): \(field)\(error.message)", isData: true)
        }
    }

    private func checked(_ board: Board) throws(MessageError) -> BoardState {
        do {
            return try BoardState(board: board, limits: limits)
        } catch {
            throw MessageError(.invalid, error.message, field: error.field)
        }
    }
}
