package import BoardModel
internal import BoardWire

/// What an operator does with a store beside or without its server.
extension SQLiteBoardStore {
    /// What was found in a store.
    package struct Findings: Sendable {
        package var boards = 0
        package var commits = 0
        package var damaged: [(id: BoardID, what: String)] = []
        /// What is wrong beside the boards.
        package var remarks: [String] = []

        package var isWhole: Bool { damaged.isEmpty && remarks.isEmpty }
    }

    /// Reads every board as a start would, decides its log again and looks at its restore points.
    /// `isDeep`: SQLite looks at every page and index too, and the list of boards is held against
    /// the boards. O(everything).
    package func verify(isDeep: Bool) throws(StoreError) -> Findings {
        var findings = Findings()
        let check = isDeep ? "PRAGMA integrity_check(10)" : "PRAGMA quick_check(10)"
        let complaints = try attempt(about: nil) { () throws(SQLiteError) in
            try database.all(check) { $0.text(0) }
        }
        findings.remarks = complaints.filter { $0 != "ok" }
        let list = try heads()
        findings.remarks += list.remarks
        findings.damaged = list.damaged
        findings.boards = list.heads.count + list.damaged.count
        for head in list.heads {
            do throws(StoreError) {
                guard let board = try load(head.id) else { continue }
                findings.commits += board.commits.count
                _ = try points(of: head.id)
                guard isDeep, BoardHead(board.state) != head else { continue }
                findings.damaged.append((head.id, "the list of boards tells of another board"))
            } catch {
                guard case .damaged(let id, let what) = error else { throw error }
                findings.damaged.append((id, what))
            }
        }
        return findings
    }

    /// Copies the store into one new file, as it is at one moment, while its server goes on; the
    /// file has its name only once it is whole, read back and on the disk.
    ///
    /// SQLite reads for as long as the copying takes. That keeps no one from writing; only the
    /// write-ahead log grows meanwhile. Throws `unusable` when
    /// the file is there.
    package static func backUp(_ directory: String, to file: String) throws(StoreError) {
        let source = try DataDirectory(reading: directory)
        let (parent, name) = split(file)
        let target = try DataDirectory(reading: parent)
        guard !target.contains(name) else { throw .unusable("\(file) exists") }
        let partial = name + ".partial"
        target.remove(partial)
        do throws(StoreError) {
            try copy(source.databasePath, to: target.path + "/" + partial)
            let copy = try SQLiteBoardStore(reading: target.path, file: partial)
            let findings = try copy.verify(isDeep: false)
            copy.close()
            if let board = findings.damaged.first { throw .damaged(board.id, what: board.what) }
            if let remark = findings.remarks.first { throw .unusable(remark) }
            try target.settle(partial, as: name)
        } catch {
            target.remove(partial)
            throw error
        }
    }

    private static func copy(_ path: String, to copy: String) throws(StoreError) {
        do {
            let database = try Database(path: path, isReadOnly: true)
            defer { database.close() }
            try database.run("VACUUM INTO ?", .text(copy))
        } catch {
            throw openError(error, at: path)
        }
    }

    /// Makes a store of a backup, where there is none yet. Every board begins a new history, with
    /// the epoch that `epoch` gives: clients may have seen more than the backup has, and must not
    /// take what comes now for it.
    ///
    /// The directory has its name only once the store is whole. Throws `unusable` when there is
    /// something in it.
    package static func restore(
        _ file: String, to directory: String, epoch: () -> String
    ) throws(StoreError) -> Findings {
        let (parent, name) = split(file)
        let backup = try SQLiteBoardStore(reading: parent, file: name)
        let findings = try backup.verify(isDeep: true)
        backup.close()
        guard findings.isWhole else { return findings }
        let partial = directory + ".partial"
        try DataDirectory.beginAnew(partial, for: directory)
        try copy(backup.directory.path + "/" + name, to: partial + "/" + DataDirectory.databaseName)
        let store = try SQLiteBoardStore(directory: partial, limits: BoardLimits())
        for head in try store.heads().heads {
            guard let stored = try store.load(head.id) else { continue }
            try store.append([try newHistory(of: stored, epoch: epoch())])
        }
        store.close()
        try DataDirectory.settle(partial, as: directory)
        return findings
    }

    private static func newHistory(
        of stored: StoredBoard, epoch: String
    ) throws(StoreError) -> BoardBatch {
        var state = stored.state
        let board = state.board
        do {
            try state.replace(
                title: board.title, presentation: board.presentation, sections: board.sections,
                epoch: epoch)
        } catch {
            throw .damaged(board.id, what: "\(error.field): \(error.message)")
        }
        return BoardBatch(
            id: board.id, snapshot: state, snapshotEntry: stored.entry, resetsLog: true,
            head: BoardHead(state))
    }

    /// The folder and the name of a path.
    private static func split(_ file: String) -> (String, String) {
        guard let slash = file.lastIndex(of: "/") else { return (".", file) }
        let folder = slash == file.startIndex ? "/" : String(file[..<slash])
        return (folder, String(file[file.index(after: slash)...]))
    }
}
