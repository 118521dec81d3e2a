/// Names one WebSocket for as long as it is open. A stale one hits nothing: the generation differs.
package struct ConnectionID: Hashable, Sendable {
    package let slot: UInt32
    package let generation: UInt32

    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}

/// Names one HTTP request until it is answered or its peer is gone.
package struct RequestID: Hashable, Sendable {
    package let slot: UInt32
    package let generation: UInt32

    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}
