public import BoardModel

/// The limits of what is said, as told to clients in `welcome` and held to by the codec.
public struct WireLimits: Hashable, Sendable {
    /// Bytes of one message from a client; a longer one closes the connection with 1009.
    public var messageBytes = 65_536
    /// Icons on one board.
    public var icons: Int
    /// Characters (grapheme clusters) of a label or title.
    public var labelCharacters: Int
    /// UTF-8 bytes of the same.
    public var labelBytes: Int
    /// Characters of a display name; a longer one is cut.
    public var nameCharacters = 64
    /// UTF-8 bytes of a display name, since a character alone bounds nothing.
    public var nameBytes = 256
    /// Characters of a drag's tag `t`; a longer one is refused.
    public var tagCharacters = 32
    /// UTF-8 bytes of the same.
    public var tagBytes = 128
    /// Icons named by one edit, drag or drop.
    public var iconsPerMessage = 2_000
    /// Arrays and objects in each other; the deepest message needs six.
    public var depth = 16

    public init(board: BoardLimits = BoardLimits()) {
        icons = board.icons
        labelCharacters = board.labelCharacters
        labelBytes = board.labelBytes
    }
}
