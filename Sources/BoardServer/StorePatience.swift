package import Collaboration

/// How long the store has said nothing about what it was asked: a disk that hangs fails nothing, so
/// somebody has to notice.
package struct StorePatience: Sendable {
    /// What is asked and not answered.
    package private(set) var pending = 0
    /// The store was silent for longer than `limit`, and still is.
    package private(set) var isOver = false
    /// When it was last heard of, or first asked; `nil` while nothing is asked of it.
    private var since: Moment?

    /// A sync of a healthy disk takes milliseconds; two seconds are noticed by people.
    package static let limit: Duration = .seconds(2)

    package init() {}

    package mutating func asked(now: Moment) {
        pending += 1
        if since == nil { since = now }
    }

    /// Counts an answer; returns how long it took when it was too long.
    package mutating func answered(now: Moment) -> Duration? {
        defer {
            isOver = false
            since = pending > 0 ? now : nil
        }
        pending -= 1
        return isOver ? silence(now: now) : nil
    }

    package func silence(now: Moment) -> Duration { since.map { now - $0 } ?? .zero }

    /// When `hasRunOut` will be true; `nil` when it may be for ever.
    package var deadline: Moment? { isOver ? nil : since.map { $0 + Self.limit } }

    /// Whether the limit was reached just now: true once for each silence.
    package mutating func hasRunOut(now: Moment) -> Bool {
        guard let deadline, deadline <= now else { return false }
        isOver = true
        return true
    }
}
