extension BoardState {
    /// After how many commits forgotten ghosts are taken from memory; they decide nothing before
    /// that either.
    static let pruneInterval = 64

    /// Takes ghosts from memory that are older than the window.
    mutating func prune() {
        let oldest = oldest
        for section in sections.indices {
            let gone = sections[section].slots.filter { $0.gone <= oldest }
            guard !gone.isEmpty else { continue }
            forgetDetails(of: gone)
            sections[section].slots.removeAll { $0.gone <= oldest }
        }
    }

    /// Forgets what is kept beside slots that are no more.
    mutating func forgetDetails(of slots: [Slot]) {
        var serials: Set<Int> = []
        for slot in slots {
            removed[slot.serial] = nil
            if slot.isWanted { serials.insert(slot.serial) }
        }
        if !serials.isEmpty { wanted = wanted.filter { !serials.contains($0.serial) } }
    }

    /// Forgets the sequence and the steps of clients that were not decided for since
    /// `limits.clientRetentionMs` before `now` (milliseconds since 1970). O(clients + slots).
    public mutating func forgetClients(now: Int) {
        let entries = ledger.entries
        let retention = limits.clientRetentionMs
        let isStale = { (entry: ClientLedger.Entry) in
            entry.lastSeq == 0 || now - entry.lastAt > retention
        }
        guard entries.contains(where: { $0.lastSeq > 0 && isStale($0) }) else { return }
        let authors = authors
        var numbers: [ClientNumber: ClientNumber] = [Slot.nobody: Slot.nobody]
        var kept = ClientLedger()
        for (index, entry) in entries.enumerated() {
            let number = ClientNumber(index + 1)
            let isForgotten = isStale(entry)
            guard !isForgotten || authors.contains(number) else { continue }
            // The author of a slot keeps its name only: what it made is still its own.
            kept.append(isForgotten ? ClientLedger.Entry(id: entry.id) : entry)
            numbers[number] = ClientNumber(kept.count)
        }
        ledger = kept
        renumber(numbers)
    }

    /// The clients that slots name.
    private var authors: Set<ClientNumber> {
        var authors = Set(wanted.map(\.client))
        for section in sections {
            for slot in section.slots + section.pins {
                authors.insert(slot.by)
                authors.insert(slot.goneBy)
            }
        }
        return authors
    }

    private mutating func renumber(_ numbers: [ClientNumber: ClientNumber]) {
        let rename = { (slot: inout Slot) in
            slot.by = numbers[slot.by] ?? Slot.nobody
            slot.goneBy = numbers[slot.goneBy] ?? Slot.nobody
        }
        for section in sections.indices {
            for index in sections[section].slots.indices {
                rename(&sections[section].slots[index])
            }
            for index in sections[section].pins.indices {
                rename(&sections[section].pins[index])
            }
        }
        wanted = Set(
            wanted.compactMap { want in
                numbers[want.client].map { Wanted(serial: want.serial, client: $0) }
            })
    }
}
