internal import CLibwebsockets
internal import CLoopShims
internal import Glibc
import Synchronization

/// A libwebsockets context that listens on nothing: sockets are given to it one by one, when they
/// become WebSockets. It is never destroyed (see `WebSocketTransport.shutDown`).
@safe
final class LwsContext {
    private let context: UnsafeMutablePointer<OpaquePointer?>
    private let protocols: UnsafeMutablePointer<lws_protocols>
    private let policy: UnsafeMutablePointer<lws_retry_bo_t>
    private let vhost: OpaquePointer

    /// Creating touches what is global in libwebsockets and OpenSSL.
    private static let global = Mutex(())

    init(
        owner: UnsafeMutableRawPointer, loop: LoopHandles, _ configuration: TransportConfiguration
    ) throws(TransportError) {
        unsafe context = .allocate(capacity: 1)
        unsafe context.initialize(to: nil)
        unsafe protocols = .allocate(capacity: 2)
        unsafe protocols.initialize(repeating: lws_protocols(), count: 2)
        unsafe policy = .allocate(capacity: 1)
        unsafe policy.initialize(to: lws_retry_bo_t())
        unsafe policy.pointee.secs_since_valid_ping = seconds(configuration.pingAfter)
        unsafe policy.pointee.secs_since_valid_hangup = seconds(configuration.hangUpAfter)
        let before = loop.activeHandles
        LwsLog.install()
        let pointers = unsafe (context, protocols, policy)
        let made = Self.global.withLock { _ in
            unsafe Self.create(
                owner: owner, loop: loop.loop, context: pointers.0, protocols: pointers.1,
                policy: pointers.2)
        }
        guard made, let vhost = unsafe lws_get_vhost_by_name(context.pointee, "default")
        else {
            let detail = LwsLog.last ?? "no reason given"
            let missing = detail.contains("evlib")
            throw TransportError(
                missing ? .eventLibraryMissing : .system,
                missing
                    ? "libwebsockets has no libuv event library (\(detail)): "
                        + "install libwebsockets-evlib-uv"
                    : "libwebsockets gives no context: \(detail)")
        }
        unsafe self.vhost = vhost
        guard loop.activeHandles > before else {
            throw TransportError(
                .eventLibraryMissing, "libwebsockets does not use the libuv event library")
        }
    }

    /// Gives a socket to libwebsockets, and with it the request that makes it a WebSocket. The
    /// socket belongs to libwebsockets from now on, even when this is false: then it is closed.
    func adopt(_ descriptor: Int32, request: [UInt8]) -> Bool {
        unsafe request.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                unsafe lws_adopt_socket_vhost_readbuf(
                    vhost, descriptor, text.baseAddress, text.count) != nil
            }
        }
    }

    /// Makes libwebsockets look at its timers again. They live in a libuv timer that it only sets
    /// after one of its own sockets was served.
    func kick() {
        unsafe lws_cancel_service(context.pointee)
    }

    private static func create(
        owner: UnsafeMutableRawPointer, loop: UnsafeMutablePointer<uv_loop_t>,
        context: UnsafeMutablePointer<OpaquePointer?>,
        protocols: UnsafeMutablePointer<lws_protocols>,
        policy: UnsafeMutablePointer<lws_retry_bo_t>
    ) -> Bool {
        unsafe protocols[0].name = unsafe protocolName
        unsafe protocols[0].callback = board_lws_callback
        unsafe protocols[0].per_session_data_size = MemoryLayout<SessionMemory>.size
        // Held once per connection, so small; messages are put together by `FragmentAssembler`.
        unsafe protocols[0].rx_buffer_size = 4096
        // Zero would mean "as rx_buffer_size", and every longer frame would be cut up.
        unsafe protocols[0].tx_packet_size = 8 * 1_048_576
        var info = unsafe lws_context_creation_info()
        unsafe info.port = CONTEXT_PORT_NO_LISTEN_SERVER
        unsafe info.protocols = unsafe UnsafePointer(protocols)
        unsafe info.retry_and_idle_policy = unsafe UnsafePointer(policy)
        unsafe info.options =
            UInt64(LWS_SERVER_OPTION_LIBUV)
            | UInt64(LWS_SERVER_OPTION_VALIDATE_UTF8)
            | UInt64(LWS_SERVER_OPTION_DISABLE_IPV6)
            | UInt64(LWS_SERVER_OPTION_UV_NO_SIGSEGV_SIGFPE_SPIN)
        unsafe info.user = owner
        unsafe info.gid = -1
        unsafe info.uid = -1
        unsafe info.timeout_secs = 5
        unsafe info.keepalive_timeout = 5
        unsafe info.max_http_header_data = 1024
        unsafe info.pt_serv_buf_size = 16_384
        unsafe info.pcontext = context
        var loops: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(loop)
        unsafe info.alpn = unsafe onlyHTTP1
        return unsafe withUnsafeMutablePointer(to: &loops) { foreign in
            unsafe info.foreign_loops = foreign
            unsafe context.pointee = lws_create_context(&info)
            return unsafe context.pointee != nil
        }
    }
}

/// What libwebsockets keeps for us beside each WebSocket, zeroed at first.
struct SessionMemory {
    var slot: UInt32
    var generation: UInt32
}

/// The name of the one protocol, for as long as the process runs; peers never see it.
nonisolated(unsafe) private let protocolName = unsafe UnsafePointer(strdup("board"))
nonisolated(unsafe) private let onlyHTTP1 = unsafe UnsafePointer(strdup("http/1.1"))

private func seconds(_ duration: Duration) -> UInt16 {
    UInt16(clamping: max(1, duration.components.seconds))
}
