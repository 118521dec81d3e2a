import BoardModel
import Foundation
import Testing

/// A case of `Vectors/ordering.json`: edits in order of arrival, and what becomes of each.
struct Vector: Decodable, CustomTestStringConvertible {
    var name: String
    var sections: [VectorSection]
    var window: Int?
    /// Section to index to icon.
    var pins: [String: [String: String]]?
    var edits: [Message]
    var results: [Result]
    var final: [String: [String]]

    var testDescription: String { name }

    struct VectorSection: Decodable {
        var id: String
        var icons: [String]
        var lift: Section.Lift?
        var drop: Section.Drop?
        var capacity: Int?
    }

    struct Message: Decodable {
        var client: String
        var seq: Int
        var base: Int
        var edit: VectorEdit
    }

    struct VectorEdit: Decodable {
        var kind: String
        var icons: [String]?
        var icon: String?
        var newIDs: [String]?
        var to: Place?
    }

    struct Place: Decodable {
        var section: String?
        var at: String?
        var after: String?
        var before: String?
        var index: Int?
    }

    /// Status, revision and, for some, a reason or what was decided.
    struct Result: Decodable, Equatable {
        var status: String
        var revision: Int
        var detail: String?

        init(status: String, revision: Int, detail: String? = nil) {
            self.status = status
            self.revision = revision
            self.detail = detail
        }

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            status = try list.decode(String.self)
            revision = try list.decode(Int.self)
            detail = list.isAtEnd ? nil : try list.decode(String.self)
        }

        init(_ outcome: Outcome) {
            switch outcome {
            case .applied(let commit): self.init(status: "applied", revision: commit.revision)
            case .noop(let revision): self.init(status: "noop", revision: revision)
            case .rejected(let reason, _, let revision):
                self.init(status: "rejected", revision: revision, detail: reason.rawValue)
            case .duplicate(let decided, let revision):
                self.init(status: "duplicate", revision: revision, detail: decided?.rawValue)
            case .gap(_, let revision):
                self.init(status: "rejected", revision: revision, detail: "seq_gap")
            case .unnumbered(let revision):
                self.init(status: "rejected", revision: revision, detail: "invalid")
            }
        }
    }

    static let all: [Vector] = {
        guard let url = Bundle.module.url(forResource: "Vectors/ordering", withExtension: "json"),
            let data = try? Data(contentsOf: url),
            let vectors = try? JSONDecoder().decode([Vector].self, from: data)
        else { return [] }
        return vectors
    }()
}

extension Vector {
    func board() throws -> BoardState {
        let lists = sections.map { section in
            let pinned = pins?[section.id] ?? [:]
            let indices = Dictionary(
                uniqueKeysWithValues: pinned.map { ($0.value, Int($0.key)) })
            return Section(
                id: .named(section.id), lift: section.lift ?? .move, drop: section.drop ?? .any,
                capacity: section.capacity,
                icons: section.icons.map {
                    Icon(id: .named($0), red: 0, green: 0, blue: 0, pinnedAt: indices[$0] ?? nil)
                })
        }
        var limits = BoardLimits()
        limits.window = window ?? limits.window
        return try BoardState(
            board: Board(id: .named("vector"), title: name, epoch: "e", sections: lists),
            limits: limits)
    }

    func lists(of state: BoardState) -> [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: state.board.sections.map {
                ($0.id.text, $0.icons.map(\.id.name))
            })
    }
}

extension Submission {
    init(_ message: Vector.Message) throws {
        self.init(
            client: .named(message.client), seq: message.seq, base: message.base,
            intent: .edit(try Edit(message.edit)))
    }
}

extension Edit {
    init(_ edit: Vector.VectorEdit) throws {
        let target = Target(
            section: edit.to?.section.map { .named($0) },
            at: edit.to?.at.flatMap(Target.Edge.init), after: edit.to?.after.map { .named($0) },
            before: edit.to?.before.map { .named($0) }, index: edit.to?.index)
        let icons = (edit.icons ?? []).map { IconID.named($0) }
        switch edit.kind {
        case "icon.move": self = .iconMove(icons: icons, to: target)
        case "icon.add":
            let icon = Icon(id: .named(edit.icon ?? ""), red: 0, green: 0, blue: 0)
            self = .iconAdd(icon: icon, to: target)
        case "icon.copy":
            self = .iconCopy(
                icons: icons, newIDs: (edit.newIDs ?? []).map { .named($0) }, to: target)
        case "icon.remove": self = .iconRemove(icons: icons)
        case "undo": self = .undo
        case "redo": self = .redo
        default: throw UnknownKind(kind: edit.kind)
        }
    }

    struct UnknownKind: Error {
        var kind: String
    }
}
