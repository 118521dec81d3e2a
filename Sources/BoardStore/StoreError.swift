package import BoardModel

/// Why the store did not do what it was asked. The texts are for the operator, not for clients.
package enum StoreError: Error, Sendable, Equatable {
    /// The identifier is taken, be it by a board that cannot be read.
    case exists(BoardID)
    /// There is no such board to append to.
    case missing(BoardID)
    /// What is stored of the board is not what was written. Its bytes are kept and never served;
    /// the other boards are not concerned.
    case damaged(BoardID, what: String)
    /// Another process, `holder`, has the directory.
    case locked(directory: String, holder: String)
    /// No space, or too much waiting: nothing of the request was stored; the same may work later.
    case full(String)
    /// A batch does not begin where the stored log ends, as after a failed batch before it: nothing
    /// of it was stored.
    case outOfSequence(BoardID, expected: Int)
    /// The disk failed, so that nobody knows what of the request is on it. The store refuses
    /// everything from then on; the process has to end and start again from what is there.
    case failed(String)
    /// The store cannot be opened, or was told to stop, or has failed before.
    case unusable(String)
}
