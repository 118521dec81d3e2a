internal import Dispatch
internal import Synchronization

/// A bounded queue between two threads: any number post, one takes.
package final class Mailbox<Message: Sendable>: Sendable {
    /// What became of a posted message.
    package enum Posting: Sendable {
        /// Taken in, and nothing else was waiting: the reader has to be told.
        case first
        /// Taken in behind others, of which the reader knows.
        case behind
        /// Not taken in: as many are waiting as may.
        case full
        /// Not taken in: the mailbox was closed.
        case closed
    }

    private struct State {
        var messages: [Message] = []
        var isReaderWaiting = false
        var isClosed = false
    }

    /// The most messages that wait at a time.
    package let capacity: Int
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    package init(capacity: Int) {
        precondition(capacity > 0, "a mailbox that holds nothing")
        self.capacity = capacity
    }

    /// Adds a message without waiting.
    package func post(_ message: Message) -> Posting {
        let (posting, wakesReader) = state.withLock { state -> (Posting, Bool) in
            guard !state.isClosed else { return (.closed, false) }
            guard state.messages.count < capacity else { return (.full, false) }
            state.messages.append(message)
            let wakesReader = state.isReaderWaiting
            state.isReaderWaiting = false
            return (state.messages.count == 1 ? .first : .behind, wakesReader)
        }
        if wakesReader { arrival.signal() }
        return posting
    }

    /// Everything that waits, in the order of posting; empty when nothing does.
    package func takeAll() -> [Message] {
        state.withLock { state in
            let messages = state.messages
            state.messages = []
            return messages
        }
    }

    /// The same, but waits for at least one message; `nil` when the mailbox is closed and empty.
    ///
    /// For one thread at a time.
    package func waitAndTakeAll() -> [Message]? {
        while true {
            let (messages, isClosed) = state.withLock { state -> ([Message], Bool) in
                let messages = state.messages
                state.messages = []
                state.isReaderWaiting = messages.isEmpty && !state.isClosed
                return (messages, state.isClosed)
            }
            if !messages.isEmpty { return messages }
            if isClosed { return nil }
            arrival.wait()
        }
    }

    /// Takes nothing in any more; what waits can still be taken.
    package func close() {
        let wakesReader = state.withLock { state in
            let wakesReader = state.isReaderWaiting
            state.isReaderWaiting = false
            state.isClosed = true
            return wakesReader
        }
        if wakesReader { arrival.signal() }
    }
}
