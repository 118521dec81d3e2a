/// What a board may hold. Every limit is enforced on every way in (edit, drop, `PUT`, `POST`).
public struct BoardLimits: Hashable, Sendable {
    /// Icons on one board.
    public var icons = 2_000
    /// Sections on one board.
    public var sections = 100
    /// Characters (grapheme clusters) of a label, a title or a name of a section.
    public var labelCharacters = 100
    /// UTF-8 bytes of the same; a character alone bounds nothing (`e` with 2,000 accents is one).
    public var labelBytes = 400
    /// UTF-8 bytes of an icon's symbol.
    public var symbolBytes = 64
    /// UTF-8 bytes of an icon's link.
    public var linkBytes = 1_024
    /// UTF-8 bytes of the whole board as JSON text: a snapshot has to fit a frame of 1 MiB.
    public var snapshotBytes = 900 * 1_024
    /// UTF-8 bytes of the icons that one edit brings back, with where they go: a commit has to fit
    /// a frame of 1 MiB, and each icon in it has its section and index as well.
    public var eventBytes = 960_000
    /// Revisions for which ghosts are kept, so that an older view can still be read.
    public var window = 512
    /// Undo steps kept per client.
    public var undoSteps = 100
    /// Answers remembered per client.
    public var answers = 32
    /// How long a client's sequence is kept after its last edit, in milliseconds (30 days).
    public var clientRetentionMs = 30 * 24 * 3_600 * 1_000

    public init() {}
}
