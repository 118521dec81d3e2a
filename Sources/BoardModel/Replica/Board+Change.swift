/// Why a replica cannot go on; it has to ask for the whole board.
public struct ReplicaError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// What a change says of the board is not so.
        case mismatch
        /// A commit is not the next one.
        case revision
    }

    public var kind: Kind
    public var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    init(_ mismatch: String) {
        self.init(.mismatch, mismatch)
    }
}

extension Board {
    /// Applies the next commit.
    ///
    /// Throws when it is not the next one, or does not fit; the board is then as it was.
    public mutating func apply(_ commit: Commit) throws(ReplicaError) {
        guard commit.revision == revision + 1 else {
            throw ReplicaError(.revision, "commit \(commit.revision) at revision \(revision)")
        }
        try apply(commit.change)
        revision = commit.revision
    }

    /// Does what a change says, without any rule; the revision stays.
    ///
    /// Strict: every icon, place and section must be as the change has it, else it throws and the
    /// board is as it was. O(icons).
    public mutating func apply(_ change: Change) throws(ReplicaError) {
        var board = self
        try board.perform(change)
        self = board
    }

    private mutating func perform(_ change: Change) throws(ReplicaError) {
        switch change {
        case .iconMove(let moves): try perform(moves)
        case .iconAdd(let adds, let moves):
            for add in adds { try insert(add.icon, at: add.position) }
            try perform(moves)
        case .iconRemove(let removes, let moves):
            for removal in removes { _ = try take(removal.icon, from: removal.position) }
            try perform(moves)
        case .iconUpdate(let icon, let set, let moves):
            guard let place = place(of: icon) else { throw ReplicaError("icon \(icon) is gone") }
            sections[place.section].icons[place.index].apply(set)
            try perform(moves)
        case .sectionAdd, .sectionUpdate, .sectionMove, .sectionRemove, .boardUpdate,
            .boardRestore:
            try performFrame(change)
        }
    }

    private mutating func performFrame(_ change: Change) throws(ReplicaError) {
        switch change {
        case .sectionAdd(let section, let index):
            guard self.index(of: section.id) == nil, (0...sections.count).contains(index) else {
                throw ReplicaError("section \(section.id) cannot be added at \(index)")
            }
            sections.insert(section, at: index)
        case .sectionUpdate(let id, let set):
            guard let index = index(of: id) else { throw ReplicaError("no section \(id)") }
            sections[index].apply(set)
        case .sectionMove(let id, let from, let to):
            guard index(of: id) == from, sections.indices.contains(to) else {
                throw ReplicaError("section \(id) cannot move from \(from) to \(to)")
            }
            sections.insert(sections.remove(at: from), at: to)
        case .sectionRemove(let id, let index):
            guard self.index(of: id) == index, sections[index].icons.isEmpty else {
                throw ReplicaError("section \(id) cannot be removed at \(index)")
            }
            sections.remove(at: index)
        case .boardUpdate(let set):
            title = set.title ?? title
            presentation.apply(set)
        case .boardRestore(let title, let presentation, let sections):
            self.title = title
            self.presentation = presentation
            self.sections = sections
        case .iconMove, .iconAdd, .iconRemove, .iconUpdate: break
        }
    }

    private mutating func perform(_ moves: [IconMove]) throws(ReplicaError) {
        for move in moves {
            try insert(try take(move.icon, from: move.from), at: move.to)
        }
    }

    private mutating func take(
        _ icon: IconID, from position: Position
    ) throws(ReplicaError) -> Icon {
        guard let section = index(of: position.section),
            sections[section].icons.indices.contains(position.index),
            sections[section].icons[position.index].id == icon
        else {
            throw ReplicaError("icon \(icon) is not at \(position.section) \(position.index)")
        }
        return sections[section].icons.remove(at: position.index)
    }

    private mutating func insert(
        _ icon: Icon, at position: Position
    ) throws(ReplicaError) {
        guard let section = index(of: position.section),
            (0...sections[section].icons.count).contains(position.index),
            place(of: icon.id) == nil
        else {
            throw ReplicaError("icon \(icon.id) cannot be at \(position.section) \(position.index)")
        }
        sections[section].icons.insert(icon, at: position.index)
    }
}

// MARK: - Where things are

extension Board {
    func index(of section: SectionID) -> Int? {
        sections.firstIndex { $0.id == section }
    }

    /// The indices of an icon's section and of the icon in it.
    func place(of icon: IconID) -> (section: Int, index: Int)? {
        for (section, list) in sections.enumerated() {
            if let index = list.icons.firstIndex(where: { $0.id == icon }) {
                return (section, index)
            }
        }
        return nil
    }

    /// An icon by its identifier. O(icons).
    public func icon(_ id: IconID) -> Icon? {
        place(of: id).map { sections[$0.section].icons[$0.index] }
    }
}
