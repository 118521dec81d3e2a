internal import BoardWire

/// What a hub keeps for those who are behind, at its most: each is bounded, however slow they are.
package struct Footprint {
    /// Told events kept, of one board.
    package var events = 0
    /// Answers that wait for one peer, in bytes.
    package var answerBytes = 0
    /// Undecided edits of one peer.
    package var undecided = 0
    /// What waits behind a replacement of one board.
    package var deferred = 0
    /// Clients that left one board and may still mean something by a drop.
    package var departed = 0
    /// What one peer sent before its welcome, in bytes.
    package var waitingBytes = 0
}

extension Hub {
    /// O(boards + sessions).
    package var footprint: Footprint {
        var most = Footprint()
        for case .loaded(let room) in slots.values {
            most.events = max(most.events, room.log.count)
            most.deferred = max(most.deferred, room.deferred.count)
            most.departed = max(most.departed, room.departed.count)
        }
        for session in sessions.values {
            most.answerBytes = max(most.answerBytes, session.answerBytes)
            most.undecided = max(most.undecided, session.undecided)
            if case .joining(_, _, let bytes) = session.stage {
                most.waitingBytes = max(most.waitingBytes, bytes)
            }
        }
        return most
    }

    /// What none of these may exceed, given what a peer can send in one go.
    package var footprintMax: Footprint {
        Footprint(
            // Half of it goes at a time, and nothing goes that nobody had the chance to be sent.
            events: logLimits.events + Session.undecidedMax * max(1, sessions.count),
            answerBytes: Session.answerBytesMax + limits.messageBytes,
            undecided: Session.undecidedMax + 1,
            deferred: Room.deferredMax + max(1, sessions.count), departed: Room.departedMax,
            waitingBytes: Session.waitingBytesMax)
    }
}

extension Footprint {
    /// The names of what is over its bound.
    package func excess(over most: Footprint) -> [String] {
        let pairs = [
            ("events", events, most.events), ("answer bytes", answerBytes, most.answerBytes),
            ("undecided edits", undecided, most.undecided),
            ("deferred", deferred, most.deferred), ("departed", departed, most.departed),
            ("waiting bytes", waitingBytes, most.waitingBytes),
        ]
        return pairs.filter { $0.1 > $0.2 }.map(\.0)
    }
}
