import BoardModel
import BoardStore

/// The implementations that keep the contract.
enum StoreKind: CaseIterable, Sendable {
    case memory, sqlite

    func makeFixture() throws -> any StoreFixture {
        switch self {
        case .memory: MemoryFixture()
        case .sqlite: try SQLiteFixture()
        }
    }
}

/// A place for boards, and the stores opened on it.
protocol StoreFixture: AnyObject {
    /// Opens a store on an empty place.
    func open(limits: BoardLimits) throws -> any BoardStore
    /// Opens another store on what the first had stored when its process was killed just now.
    func openAfterKill(limits: BoardLimits) throws -> any BoardStore
}

extension StoreFixture {
    func open() throws -> any BoardStore { try open(limits: BoardLimits()) }
    func openAfterKill() throws -> any BoardStore { try openAfterKill(limits: BoardLimits()) }
}

final class MemoryFixture: StoreFixture {
    let disk = MemoryDisk()

    func open(limits: BoardLimits) -> any BoardStore {
        MemoryBoardStore(disk: disk, limits: limits)
    }

    func openAfterKill(limits: BoardLimits) -> any BoardStore { open(limits: limits) }
}

final class SQLiteFixture: StoreFixture {
    private var directories: [TemporaryDirectory]

    init() throws {
        directories = [try TemporaryDirectory()]
    }

    func open(limits: BoardLimits) throws -> any BoardStore {
        try SQLiteBoardStore(directory: directories[0].path, limits: limits)
    }

    func openAfterKill(limits: BoardLimits) throws -> any BoardStore {
        let copy = try directories[0].copied()
        directories.append(copy)
        return try SQLiteBoardStore(directory: copy.path, limits: limits)
    }
}
