public import BoardModel

/// What the store logs of each decision: all it takes to decide the same again, and the answer that
/// was given, so that a replay can be held against it.
public struct DecisionRecord: Sendable, Hashable {
    /// The record's place in the log of its board.
    public var entry: Int
    public var submission: Submission
    public var outcome: Outcome

    public init(entry: Int, submission: Submission, outcome: Outcome) {
        self.entry = entry
        self.submission = submission
        self.outcome = outcome
    }

    /// The record as JSON text, on one line whatever it holds.
    ///
    /// An applied outcome's client, sequence number and time are its submission's and are written
    /// once.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.field("entry", entry)
        writer.field("client", submission.client)
        writer.field("seq", submission.seq)
        writer.field(ifPresent: "base", submission.base)
        writer.field("role", submission.role.rawValue)
        writer.field("at", submission.at)
        switch submission.intent {
        case .edit(let edit): writer.field("edit", edit)
        case .restore(let content):
            writer.object("restore") {
                $0.field("title", content.title)
                $0.field("presentation", content.presentation)
                $0.field("sections", content.sections)
            }
        case .refused(let reason, let field):
            writer.object("refused") {
                $0.field("reason", reason.rawValue)
                $0.field(ifPresent: "field", field)
            }
        case .nothing: writer.field("nothing", true)
        }
        writer.object("outcome") { $0.members(of: outcome) }
        writer.endObject()
        return writer.bytes
    }

    /// Reads what `encode()` wrote; anything else is damage and throws.
    public static func decode(_ text: [UInt8]) throws(MessageError) -> DecisionRecord {
        let (root, faults) = try parseObject(text.span, depthMax: WireLimits().depth)
        if faults > 0, let error = firstFault(in: root) { throw error }
        let fields = try Fields(root, at: "")
        let submission = Submission(
            client: try fields.require("client", .uuid), seq: try fields.require("seq", .integer),
            base: try fields.optional("base", .integer),
            role: try fields.require("role", .known("a role")), intent: try fields.intent(),
            at: try fields.require("at", .integer))
        return DecisionRecord(
            entry: try fields.require("entry", .integer), submission: submission,
            outcome: try fields.object("outcome").outcome(of: submission))
    }
}

/// How an outcome is named in a record.
private enum OutcomeStatus: String, CaseIterable {
    case applied, noop, rejected, duplicate, gap, unnumbered
}

extension JSONWriter {
    fileprivate mutating func members(of outcome: Outcome) {
        func status(_ status: OutcomeStatus, _ revision: Int) {
            field("status", status.rawValue)
            field("revision", revision)
        }
        switch outcome {
        case .applied(let commit):
            status(.applied, commit.revision)
            if commit.isUndo { field("undo", true) }
            field("change", commit.change)
        case .noop(let revision): status(.noop, revision)
        case .rejected(let reason, let path, let revision):
            status(.rejected, revision)
            field("reason", reason.rawValue)
            field(ifPresent: "field", path)
        case .duplicate(let decided, let revision):
            status(.duplicate, revision)
            field(ifPresent: "decided", decided?.rawValue)
        case .gap(let lastSeq, let revision):
            status(.gap, revision)
            field("lastSeq", lastSeq)
        case .unnumbered(let revision): status(.unnumbered, revision)
        }
    }
}

extension Fields {
    fileprivate func intent() throws(MessageError) -> Intent {
        if let refused = try optionalObject("refused") {
            return .refused(
                try refused.require("reason", .choice),
                field: try refused.optional("field", .string))
        }
        if let restore = try optionalObject("restore") {
            return .restore(
                BoardContent(
                    title: try restore.require("title", .string),
                    presentation: try restore.presentation(),
                    sections: try restore.sections(iconsMax: .max)))
        }
        guard let edit = self["edit"] else {
            _ = try require("nothing", .bool)
            return .nothing
        }
        // A logged edit is complete: one that needs an identifier made is damaged.
        var generator = UnusedGenerator()
        var limits = WireLimits()
        limits.iconsPerMessage = .max
        let value = try decodeEdit(edit, using: &generator, limits: limits)
        guard !generator.wasUsed else {
            throw MessageError(.invalid, "an identifier is missing", field: "edit")
        }
        return .edit(value)
    }

    fileprivate func outcome(of submission: Submission) throws(MessageError) -> Outcome {
        let revision = try require("revision", .integer)
        switch try require("status", FieldType<OutcomeStatus>.choice) {
        case .applied:
            guard let change = self["change"] else {
                throw MessageError(.invalid, "missing", field: path(of: "change"))
            }
            return .applied(
                Commit(
                    revision: revision, client: submission.client, seq: submission.seq,
                    at: submission.at, change: try decodeChange(change, path: path(of: "change")),
                    isUndo: try optional("undo", .bool) ?? false))
        case .noop: return .noop(revision: revision)
        case .rejected:
            return .rejected(
                try require("reason", .choice), field: try optional("field", .string),
                revision: revision)
        case .duplicate:
            return .duplicate(
                decided: try optional("decided", .known("a decision")), revision: revision)
        case .gap: return .gap(lastSeq: try require("lastSeq", .integer), revision: revision)
        case .unnumbered: return .unnumbered(revision: revision)
        }
    }
}

/// Gives numbers, but remembers that it was asked.
private struct UnusedGenerator: RandomNumberGenerator {
    private(set) var wasUsed = false

    mutating func next() -> UInt64 {
        wasUsed = true
        return 0
    }
}
