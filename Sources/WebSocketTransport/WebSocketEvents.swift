internal import CLibwebsockets

/// WebSockets: what libwebsockets reports. Each method answers what its callback returns; anything
/// but 0 makes libwebsockets close the socket.
extension WebSocketTransport {
    /// The 101 is being worded. libwebsockets does not know our subprotocols, so it has named none.
    func addHeaders(_ wsi: OpaquePointer, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
        guard let connection = unsafe opening(wsi), let arguments = unsafe arguments else {
            return -1
        }
        guard let name = connection.subprotocol else { return 0 }
        let line = Array("Sec-WebSocket-Protocol: \(name)\r\n".utf8)
        let place = unsafe arguments.assumingMemoryBound(to: lws_process_html_args.self)
        guard let target = unsafe place.pointee.p, unsafe line.count < place.pointee.max_len else {
            return -1
        }
        unsafe UnsafeMutableRawPointer(target).copyMemory(
            from: line, byteCount: line.count)
        unsafe place.pointee.p = target + line.count
        return 0
    }

    /// The 101 is written. `memory` is where C keeps the connection's name from now on.
    func established(_ wsi: OpaquePointer, _ memory: UnsafeMutableRawPointer?) -> Int32 {
        guard let connection = unsafe opening(wsi), let memory = unsafe memory else { return -1 }
        let id = connection.id
        unsafe memory.storeBytes(
            of: SessionMemory(slot: id.slot, generation: id.generation), as: SessionMemory.self)
        unsafe connection.wsi = wsi
        connection.phase = .open
        guard let head = connection.head else { return -1 }
        connection.head = nil
        delegate?.connectionOpened(id, head: head)
        return 0
    }

    func received(
        _ connection: WebSocketConnection, _ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer
    ) -> Int32 {
        guard connection.phase == .open else { return 0 }
        let endsMessage = unsafe lws_is_final_fragment(wsi) != 0
        if unsafe lws_frame_is_binary(wsi) != 0 {
            if !connection.isSkipping { delegate?.receivedBinary(connection.id) }
            connection.isSkipping = !endsMessage
            return 0
        }
        let piece = unsafe bytes.bindMemory(to: UInt8.self).span
        let step = connection.assembler.append(
            piece, endsFrame: unsafe lws_remaining_packet_payload(wsi) == 0,
            endsMessage: endsMessage, bytesMax: configuration.messageBytesMax,
            framesMax: configuration.fragmentsMax)
        switch step {
        case .partial: break
        case .whole: delegate?.received(connection.id, text: piece)
        case .assembled:
            let message = connection.assembler.take()
            delegate?.received(connection.id, text: message.span)
        case .tooLong: close(connection, code: 1009, reason: "message too long")
        case .malformed: close(connection, code: 1007, reason: "not UTF-8")
        }
        return 0
    }

    /// Nothing is waiting any more. Comes unasked too, after a pong for instance.
    func writable(_ connection: WebSocketConnection) -> Int32 {
        connection.progressAt = nil
        if connection.owesDrained && connection.phase == .open {
            connection.owesDrained = false
            delegate?.drained(connection.id)
        }
        return 0
    }

    func peerClosed(_ connection: WebSocketConnection) -> Int32 {
        // The answer to our own close frame: done.
        if connection.phase == .closing { return -1 }
        connection.phase = .closedByPeer
        connection.owesDrained = false
        connection.deadline = now + configuration.closeTimeout.nanoseconds
        connection.limit = connection.deadline
        watch(connection)
        return 0
    }

    func closed(_ connection: WebSocketConnection, _ wsi: OpaquePointer) {
        let departure: Departure =
            switch connection.phase {
            case .closedByPeer: .clean
            case .closing: .server
            case .broken: .lost
            // libwebsockets itself had a reason, a breach of the protocol.
            case .opening, .open: unsafe lws_get_close_length(wsi) > 0 ? .server : .lost
            }
        unsafe connection.wsi = nil
        webSockets.remove(slot: connection.id.slot, generation: connection.id.generation)
        watched.remove(connection.id)
        delegate?.connectionClosed(connection.id, departure)
        resumeAccepting()
    }

    /// The connection whose request libwebsockets has just read.
    private func opening(_ wsi: OpaquePointer) -> WebSocketConnection? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let base = text.baseAddress,
                unsafe lws_hdr_copy(wsi, base, 64, WSI_TOKEN_GET_URI) > 0,
                let id = UpgradeHandshake.connection(in: unsafe String(cString: base)),
                let connection = webSockets[id.slot, id.generation],
                connection.phase == .opening
            else { return nil }
            return connection
        }
    }
}
