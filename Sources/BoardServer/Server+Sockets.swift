internal import BoardWire
internal import Collaboration
package import WebSocketTransport

extension Server: TransportDelegate {
    package func decideUpgrade(_ head: RequestHead) -> UpgradeDecision {
        guard case .live = Route(path: head.path) else {
            return .refuse(Self.problem(404, "no such path", "sockets are at /v1/boards/{id}/live"))
        }
        guard origins.allows(origin: head.origin, host: head.host) else {
            metrics.count("homeboard_connections_rejected_total{reason=\"origin\"}")
            return .refuse(
                Self.problem(403, "origin not allowed", "pages of this origin may not connect"))
        }
        return .accept
    }

    package func connectionOpened(_ id: ConnectionID, head: RequestHead) {
        metrics.count("homeboard_connections_accepted_total")
        guard case .live(let board) = Route(path: head.path) else {
            preconditionFailure("only sockets of boards were accepted")
        }
        let offers = head.subprotocols.contains("homeboard.v1")
        turn { hub, time, effects in
            hub.opened(
                SessionID(id), board: board, offersProtocol: offers, time: time, into: &effects)
        }
    }

    package func received(_ id: ConnectionID, text: Span<UInt8>) {
        metrics.count("homeboard_messages_received_total")
        turn { hub, time, effects in
            hub.received(SessionID(id), text: text, time: time, into: &effects)
        }
    }

    package func receivedBinary(_ id: ConnectionID) {
        turn { hub, time, effects in
            hub.receivedBinary(SessionID(id), time: time, into: &effects)
        }
    }

    package func connectionClosed(_ id: ConnectionID, _ departure: Departure) {
        metrics.count("homeboard_connections_closed_total")
        turn { hub, time, _ in
            hub.closed(SessionID(id), isClean: departure != .lost, time: time)
        }
    }

    package func closing(_ id: ConnectionID, code: UInt16) {
        metrics.count("homeboard_disconnects_total{code=\"\(code)\"}")
    }

    package func drained(_ id: ConnectionID) {
        turn { hub, time, effects in hub.drained(SessionID(id), time: time, into: &effects) }
    }

    package func timerFired() {
        turn { hub, time, effects in hub.timerFired(time: time, into: &effects) }
    }

    package func stopRequested() { beginStopping() }

    package func turnEnded() {
        turn { hub, time, effects in hub.endTurn(time: time, into: &effects) }
        if let tick = load.turnEnded() { hub.tick = tick }
        checkClock()
    }
}

extension Moment {
    /// As the transport counts time.
    var nanoseconds: Int64 {
        elapsed.components.seconds * 1_000_000_000
            + elapsed.components.attoseconds / 1_000_000_000
    }
}
