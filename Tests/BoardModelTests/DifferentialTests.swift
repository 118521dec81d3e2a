import BoardModel
import Foundation
import Testing

@Suite("Against a naive board")
struct DifferentialTests {
    /// `HOMEBOARD_SEEDS=1000` runs more of them, `HOMEBOARD_SEED=7` one alone.
    static let seeds: Range<Int> = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["HOMEBOARD_SEED"].flatMap(Int.init) { return seed..<seed + 1 }
        return 0..<(environment["HOMEBOARD_SEEDS"].flatMap(Int.init) ?? 100)
    }()

    @Test(
        "ORD: random edits end as in a second implementation, and their changes tell it all",
        arguments: seeds)
    func agree(seed: Int) throws {
        var edits = RandomEdits(seed: seed)
        var limits = BoardLimits()
        limits.window = [512, 40, 12, 4][seed % 4]
        let start = edits.history[0]
        var state = try BoardState(board: start, limits: limits)
        let naive = NaiveBoard(start, window: limits.window)
        var replica = start
        for step in 0..<140 {
            let message = edits.next()
            let at: Comment = "seed \(seed), step \(step): \(message)"
            let proposal = state.proposal(for: message)
            let outcome = state.decide(message)
            let expected = naive.decide(message)
            let answer = Vector.Result(outcome)
            switch outcome {
            case .gap:
                #expect(expected.status == "gap", at)
            case .unnumbered: #expect(expected.status == "unnumbered", at)
            case .applied(let commit):
                try replica.apply(commit)
                edits.history.append(replica)
                fallthrough
            case .noop, .rejected, .duplicate:
                try #require(answer.status == expected.status, at)
                try #require(answer.revision == expected.revision, at)
                try #require(answer.detail == expected.detail, at)
            }
            edits.follow(message.client, lastSeq: state.lastSeq(of: message.client))
            try #require(state.board.sections == naive.sections, at)
            try #require(state.title == naive.title, at)
            try #require(replica == state.board, at)
            if let proposal { try check(proposal, outcome, message, state, at) }
            if seed % 5 == 0 { state = try state.restarted() }
        }
        #expect(state.jsonBytes == state.board.jsonBytes, "seed \(seed)")
    }

    /// What was proposed is what was done.
    private func check(
        _ proposal: Proposal, _ outcome: Outcome, _ message: Submission, _ after: BoardState,
        _ at: Comment
    ) throws {
        switch outcome {
        case .applied, .noop:
            try #require(proposal.kind == message.proposedKind, at)
            try #require(proposal.position == message.landed(in: after), at)
        case .rejected(.iconGone, _, _): try #require(proposal.kind == .cancel, at)
        case .rejected(let reason, _, _):
            try #require(proposal.kind == .forbidden, at)
            try #require(proposal.reason == reason, at)
        case .duplicate, .gap, .unnumbered: break
        }
    }
}

extension BoardState {
    /// The state after it was saved and read again.
    func restarted() throws -> BoardState {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = try encoder.encode(self)
        var read = try JSONDecoder().decode(BoardState.self, from: text)
        read.limits = limits
        #expect(read == self)
        #expect(try encoder.encode(read) == text)
        return read
    }

    /// The proposal for what an edit moves or copies; `nil` where the two differ on purpose: a
    /// drag cannot lift what an edit may copy, and out of a palette it copies by itself.
    fileprivate func proposal(for message: Submission) -> Proposal? {
        guard case .edit(let edit) = message.intent else { return nil }
        let ids: [IconID]
        let target: Target
        let isCopy: Bool
        switch edit {
        case .iconMove(let icons, let to): (ids, target, isCopy) = (icons, to, false)
        case .iconCopy(let icons, _, let to): (ids, target, isCopy) = (icons, to, true)
        default: return nil
        }
        let present = ids.filter { icon($0) != nil }
        guard !present.isEmpty, !ids.isEmpty, Set(ids).count == ids.count else { return nil }
        guard target.section.map({ visible($0) != nil }) ?? !isCopy else { return nil }
        guard (0...revision).contains(message.base ?? 0) else { return nil }
        if case .iconCopy(_, let copies, _) = edit {
            let isFresh = copies.allSatisfy { icon($0) == nil } && copies.count == ids.count
            guard isFresh, Set(copies).count == copies.count else { return nil }
            guard !present.contains(where: { isHeldFast($0) }) else { return nil }
        } else if present.allSatisfy(copiesOnLift) {
            return nil
        }
        return propose(
            icons: ids, to: target, copy: isCopy, base: message.base, client: message.client,
            role: message.role)
    }

    private func isHeldFast(_ id: IconID) -> Bool {
        icon(id)?.locked == true || icon(id)?.pinnedAt != nil
    }
}

extension Submission {
    fileprivate var proposedKind: Proposal.Kind? {
        switch intent {
        case .edit(.iconMove): .move
        case .edit(.iconCopy): .copy
        default: nil
        }
    }

    /// Where the first icon of the block is now.
    fileprivate func landed(in state: BoardState) -> Position? {
        switch intent {
        case .edit(.iconMove(let icons, _)):
            icons.first { state.icon($0) != nil }.flatMap(state.position)
        case .edit(.iconCopy(_, let copies, _)):
            copies.first { state.icon($0) != nil }.flatMap(state.position)
        default: nil
        }
    }
}
