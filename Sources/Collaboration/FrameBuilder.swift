/// Joins encoded events to one frame: a JSON array of a bounded length.
struct FrameBuilder {
    /// Beyond this many bytes no further event is taken, so that a reader who is behind never has
    /// much buffered for it. A single event may be longer (`BoardLimits.eventBytes`) and then has
    /// a frame of its own.
    static let bytesMax = 256 * 1_024

    /// What a welcome may hold besides its few fixed fields, in bytes: app clients refuse messages
    /// of 1 MiB (1,048,576 bytes) by default.
    static let welcomeMax = 1_040_000

    private var text: [UInt8] = [UInt8(ascii: "[")]

    /// Takes the event unless the frame is full; says whether it did.
    mutating func append(_ event: [UInt8]) -> Bool {
        if text.count > 1 {
            guard text.count + event.count < Self.bytesMax else { return false }
            text.append(UInt8(ascii: ","))
        }
        text.append(contentsOf: event)
        return true
    }

    /// The frame; `nil` when nothing was taken.
    consuming func finish() -> Frame? {
        guard text.count > 1 else { return nil }
        text.append(UInt8(ascii: "]"))
        return Frame(text)
    }
}

/// One frame for whoever stands somewhere in a room's events, and where they stand after it.
struct Portion {
    var frame: Frame
    var cursor: Int
    var dragVersion: Int
    /// How many of the private answers it holds.
    var answers = 0
    /// Events to be told privately right after it.
    var sequel: [(position: Int, event: [UInt8])] = []
    /// There is more to be said than fitted.
    var isPartial = false
}
