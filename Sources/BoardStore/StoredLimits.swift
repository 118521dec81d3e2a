internal import BoardModel

/// The limits under which a log was decided, kept beside it.
///
/// An operator may change the limits while the server is down. What was decided under the old ones
/// is decided again under the old ones, or a board that just grew too large would look damaged.
struct StoredLimits: Codable, Equatable {
    var icons: Int
    var sections: Int
    var labelCharacters: Int
    var labelBytes: Int
    var symbolBytes: Int
    var linkBytes: Int
    var snapshotBytes: Int
    var window: Int
    var undoSteps: Int
    var answers: Int
    var clientRetentionMs: Int

    init(_ limits: BoardLimits) {
        icons = limits.icons
        sections = limits.sections
        labelCharacters = limits.labelCharacters
        labelBytes = limits.labelBytes
        symbolBytes = limits.symbolBytes
        linkBytes = limits.linkBytes
        snapshotBytes = limits.snapshotBytes
        window = limits.window
        undoSteps = limits.undoSteps
        answers = limits.answers
        clientRetentionMs = limits.clientRetentionMs
    }

    var limits: BoardLimits {
        var limits = BoardLimits()
        limits.icons = icons
        limits.sections = sections
        limits.labelCharacters = labelCharacters
        limits.labelBytes = labelBytes
        limits.symbolBytes = symbolBytes
        limits.linkBytes = linkBytes
        limits.snapshotBytes = snapshotBytes
        limits.window = window
        limits.undoSteps = undoSteps
        limits.answers = answers
        limits.clientRetentionMs = clientRetentionMs
        return limits
    }
}
