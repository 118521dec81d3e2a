/// The tick all rooms keep at the moment: the least time between two frames to one peer.
///
/// Shared by the hub and its rooms, because it changes with the load of the whole process.
final class Pace {
    var tick: Duration

    init(tick: Duration) { self.tick = tick }
}
