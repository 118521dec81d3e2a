/// A point of monotonic time, as told to the core by its caller; the core reads no clock.
package struct Moment: Comparable, Hashable, Sendable {
    /// Time since an arbitrary start that never changes while the process lives.
    package var elapsed: Duration

    package init(_ elapsed: Duration) { self.elapsed = elapsed }

    package static func < (left: Moment, right: Moment) -> Bool { left.elapsed < right.elapsed }

    package static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(moment.elapsed + duration)
    }

    package static func - (left: Moment, right: Moment) -> Duration { left.elapsed - right.elapsed }
}

/// The time of an event: monotonic for every time-out, wall clock for what people read.
package struct EventTime: Sendable {
    package var now: Moment
    /// Milliseconds since 1970; goes into commits and never decides an order.
    package var wallMs: Int

    package init(now: Moment, wallMs: Int) {
        self.now = now
        self.wallMs = wallMs
    }
}

/// How long things take; the defaults are the protocol's.
package struct Timing: Sendable {
    /// The least time between two frames to one peer, until the hub is told another. The first
    /// change after a quiet tick goes out at once.
    package var tick: Duration = .milliseconds(16)
    /// How long after its socket opened a client may take to say hello.
    package var hello: Duration = .seconds(10)
    /// After so long without a frame the server sends an empty one.
    package var keepAlive: Duration = .seconds(20)
    /// How long a lost socket's peer and drag are kept for its client to come back.
    package var grace: Duration = .seconds(5)
    /// How long a drag lives without a message about it.
    package var lease: Duration = .seconds(30)
    /// How long a board without peers stays in memory.
    package var unload: Duration = .seconds(60)
    /// How often time-outs other than the tick are looked at; they are late by at most this.
    package var sweep: Duration = .milliseconds(200)

    package init() {}
}
