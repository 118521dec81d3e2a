/// Joins encoded events to frames: JSON arrays that each stay under 1 MiB.
struct FrameBuilder {
    /// Where a frame is closed and the next one begun. App clients refuse messages of 1 MiB
    /// (1,048,576 bytes) by default; a single event is never longer than a snapshot's 900 KiB.
    static let bytesMax = 1_000_000

    private var text: [UInt8] = [UInt8(ascii: "[")]
    private(set) var frames: [Frame] = []

    mutating func append(_ event: some Collection<UInt8>) {
        if text.count > 1 {
            if text.count + event.count + 2 > Self.bytesMax {
                close()
            } else {
                text.append(UInt8(ascii: ","))
            }
        }
        text.append(contentsOf: event)
    }

    /// Every frame, in order; none when nothing was appended.
    mutating func finish() -> [Frame] {
        if text.count > 1 { close() }
        return frames
    }

    private mutating func close() {
        text.append(UInt8(ascii: "]"))
        frames.append(Frame(text))
        text = [UInt8(ascii: "[")]
    }
}
