internal import CLibwebsockets
internal import CLoopShims

/// The door through which libwebsockets comes in; declared in CLoopShims.h.
///
/// It is called on the loop's thread only, and whatever it returns but 0 makes libwebsockets close
/// the socket. Nothing is decided here: it finds the transport and the connection and calls the one
/// method for the reason.
@c @implementation
func board_lws_callback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    guard let wsi = unsafe wsi, let context = unsafe lws_get_context(wsi),
        let owner = unsafe lws_context_user(context)
    else { return 0 }
    let transport = unsafe Unmanaged<WebSocketTransport>.fromOpaque(owner).takeUnretainedValue()
    switch reason {
    case LWS_CALLBACK_ADD_HEADERS:
        return unsafe transport.addHeaders(wsi, bytes)
    case LWS_CALLBACK_ESTABLISHED:
        return unsafe transport.established(wsi, user)
    case LWS_CALLBACK_HTTP, LWS_CALLBACK_RAW_ADOPT:
        // Only our own requests reach libwebsockets, and all of them are upgrades.
        return -1
    case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLOSED,
        LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        break
    default:
        return 0
    }
    guard let connection = unsafe transport.connection(in: user) else { return 0 }
    transport.now = Clock.now()
    switch reason {
    case LWS_CALLBACK_RECEIVE:
        return unsafe transport.received(
            connection, wsi, UnsafeRawBufferPointer(start: bytes, count: length))
    case LWS_CALLBACK_SERVER_WRITEABLE: return transport.writable(connection)
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: return transport.peerClosed(connection)
    default:
        unsafe transport.closed(connection, wsi)
        return 0
    }
}

extension WebSocketTransport {
    /// The connection C keeps the name of in `memory`.
    fileprivate func connection(in memory: UnsafeMutableRawPointer?) -> WebSocketConnection? {
        guard let memory = unsafe memory else { return nil }
        let name = unsafe memory.load(as: SessionMemory.self)
        return webSockets[name.slot, name.generation]
    }
}
