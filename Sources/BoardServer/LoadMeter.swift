/// How much of the time the loop is at work, and the tick that follows from it.
///
/// A short tick shows drags sooner, a long one merges more of them into each frame, and frames are
/// what costs. So: short while there is time, long when there is none.
package struct LoadMeter {
    package let ticks: ClosedRange<Int>
    private let clock = ContinuousClock()
    private var turnStart: ContinuousClock.Instant?
    private var spanStart: ContinuousClock.Instant
    private var busy: Duration = .zero

    /// Over how long the share is taken.
    private static let span: Duration = .seconds(1)
    /// Below this share of the time at work, in percent, the tick is the shortest.
    private static let idlePercent = 30
    /// Above this share it is the longest.
    private static let busyPercent = 80
    /// In between, in milliseconds: about one frame of a screen.
    private static let usualMs = 16

    /// `ticks`: the shortest and the longest tick, in milliseconds.
    package init(ticks: ClosedRange<Int>) {
        self.ticks = ticks
        spanStart = clock.now
    }

    mutating func turnBegan() {
        if turnStart == nil { turnStart = clock.now }
    }

    /// Answers the tick to keep from now on, once a second.
    mutating func turnEnded() -> Duration? {
        let now = clock.now
        if let start = turnStart { busy += now - start }
        turnStart = nil
        let passed = now - spanStart
        guard passed >= Self.span else { return nil }
        let percent = Int(busy / passed * 100)
        spanStart = now
        busy = .zero
        return .milliseconds(tick(percent: percent))
    }

    /// The tick for a share of the time at work, in percent.
    package func tick(percent: Int) -> Int {
        if percent < Self.idlePercent { return ticks.lowerBound }
        if percent > Self.busyPercent { return ticks.upperBound }
        return min(max(Self.usualMs, ticks.lowerBound), ticks.upperBound)
    }
}
