internal import CLibwebsockets
internal import CLoopShims

/// WebSockets: what the delegate asks for.
extension WebSocketTransport {
    /// Sends a frame, at once and straight to the kernel when nothing is waiting.
    package func send(_ frame: OutboundFrame, to id: ConnectionID) -> SendOutcome {
        guard let connection = webSockets[id.slot, id.generation], connection.phase == .open,
            let wsi = unsafe connection.wsi
        else { return .gone }
        // lws_write would take it, and append to a buffer without bounds.
        if unsafe lws_partial_buffered(wsi) != 0 {
            connection.owesDrained = true
            return .behind
        }
        guard unsafe lws_write(wsi, frame.payload, frame.count, LWS_WRITE_TEXT) >= 0 else {
            connection.phase = .broken
            kill(connection)
            return .gone
        }
        if unsafe lws_partial_buffered(wsi) != 0 { watchProgress(of: connection) }
        return .sent
    }

    /// Sends a close frame behind everything accepted so far and hangs up when the peer has
    /// answered it, or after `closeTimeout`. Nothing more is received from it. The reason is cut to
    /// 123 bytes.
    package func close(_ id: ConnectionID, code: UInt16, reason: String) {
        guard let connection = webSockets[id.slot, id.generation], connection.phase == .open else {
            return
        }
        close(connection, code: code, reason: reason)
    }

    func close(_ connection: WebSocketConnection, code: UInt16, reason: String) {
        guard let wsi = unsafe connection.wsi else { return }
        connection.phase = .closing
        delegate?.closing(connection.id, code: code)
        connection.owesDrained = false
        connection.assembler.discard()
        now = Clock.now()
        connection.deadline = now + configuration.closeTimeout.nanoseconds
        connection.limit = now + configuration.stallTimeout.nanoseconds
        watch(connection)
        let payload = [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + Self.cut(reason)
        let frame = OutboundFrame(payload)
        // Written by us, not by way of lws_close_reason and a return value: that would need a
        // writable socket first, drop the frame when output is buffered, and share its bytes with
        // the payload of a ping that comes in between.
        if unsafe lws_write(wsi, frame.payload, frame.count, board_lws_write_close) < 0 {
            kill(connection)
        }
        if connection.isReadingPaused { setReading(true, of: connection) }
    }

    /// Reads nothing more from a peer until `resumeReading`: its own sending slows down. Pongs are
    /// not read either, so a pause must be shorter than `hangUpAfter`.
    package func pauseReading(_ id: ConnectionID) {
        guard let connection = webSockets[id.slot, id.generation], connection.phase == .open,
            !connection.isReadingPaused
        else { return }
        setReading(false, of: connection)
    }

    package func resumeReading(_ id: ConnectionID) {
        guard let connection = webSockets[id.slot, id.generation], connection.isReadingPaused
        else { return }
        setReading(true, of: connection)
    }

    private func setReading(_ isOn: Bool, of connection: WebSocketConnection) {
        guard let wsi = unsafe connection.wsi else { return }
        connection.isReadingPaused = !isOn
        _ = unsafe lws_rx_flow_control(wsi, isOn ? 1 : 0)
        lws?.kick()
    }

    /// Turns an HTTP connection into a WebSocket: its socket goes to libwebsockets.
    func upgrade(_ http: HTTPConnection, key: String) {
        guard forget(http) else { return }
        let head = http.request.head
        let subprotocol = UpgradeHandshake.subprotocol(
            from: head.subprotocols, preferring: configuration.subprotocol)
        var made: WebSocketConnection?
        webSockets.insert { slot, generation in
            let connection = WebSocketConnection(
                id: ConnectionID(slot: slot, generation: generation), descriptor: http.descriptor,
                head: head, subprotocol: subprotocol)
            made = connection
            return connection
        }
        guard let made, let lws else { return }
        let request = UpgradeHandshake.request(for: made.id, key: key) + http.input
        http.input = []
        if !lws.adopt(http.descriptor, request: request) && made.phase == .opening {
            webSockets.remove(slot: made.id.slot, generation: made.id.generation)
            resumeAccepting()
        }
    }

    /// Hangs up without a word, at once: not while libwebsockets serves the socket.
    func hangUp(_ connection: WebSocketConnection) {
        guard let wsi = unsafe connection.wsi else { return }
        // Where it has output buffered, libwebsockets would keep the socket to send it.
        Sockets.shutDown(connection.descriptor)
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC)
    }

    /// Hangs up without a word, soon: libwebsockets must not free a socket it is just serving.
    func kill(_ connection: WebSocketConnection) {
        guard let wsi = unsafe connection.wsi else { return }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC)
        lws?.kick()
    }

    /// The longest beginning that fits a close frame and ends at a character.
    private static func cut(_ reason: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in reason.unicodeScalars {
            guard bytes.count + UTF8.width(scalar) <= 123 else { break }
            bytes += Array(String(scalar).utf8)
        }
        return bytes
    }
}

/// Deadlines of WebSockets.
extension WebSocketTransport {
    func watch(_ connection: WebSocketConnection) {
        watched.insert(connection.id)
        watchDeadlines()
    }

    /// Output is waiting: from now on the peer has to make progress.
    private func watchProgress(of connection: WebSocketConnection) {
        guard connection.progressAt == nil else { return }
        connection.progressAt = now
        connection.acknowledged = Sockets.bytesAcknowledged(connection.descriptor)
        watch(connection)
    }

    func checkDeadline(of id: ConnectionID) {
        guard let connection = webSockets[id.slot, id.generation] else {
            watched.remove(id)
            return
        }
        let acknowledged = Sockets.bytesAcknowledged(connection.descriptor)
        let isMoving = acknowledged != connection.acknowledged
        connection.acknowledged = acknowledged
        guard connection.phase == .open else {
            return checkClosing(connection, isMoving: isMoving)
        }
        guard let since = connection.progressAt else {
            watched.remove(id)
            return
        }
        if isMoving {
            connection.progressAt = now
        } else if now - since >= configuration.stallTimeout.nanoseconds {
            close(connection, code: 4508, reason: "no progress reading")
        }
    }

    /// A slow peer may have all that was accepted before the close frame, a deaf one only the time.
    private func checkClosing(_ connection: WebSocketConnection, isMoving: Bool) {
        if isMoving && hasOutputWaiting(connection) {
            connection.deadline = now + configuration.closeTimeout.nanoseconds
        }
        guard min(connection.deadline, connection.limit) <= now else { return }
        // Once: the socket is closed on the next turn.
        connection.deadline = .max
        connection.limit = .max
        kill(connection)
    }

    private func hasOutputWaiting(_ connection: WebSocketConnection) -> Bool {
        guard let wsi = unsafe connection.wsi else { return false }
        return unsafe lws_partial_buffered(wsi) != 0
    }
}
