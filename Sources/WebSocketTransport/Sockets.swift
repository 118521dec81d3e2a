internal import CLoopShims
internal import Glibc

/// The system calls on sockets, each with what it needs to be safe.
enum Sockets {
    struct Accepted {
        let descriptor: Int32
        let remoteAddress: String
    }

    enum AcceptOutcome {
        case accepted(Accepted)
        /// Nobody is waiting.
        case none
        /// Out of descriptors or memory: trying again at once would spin.
        case exhausted
    }

    /// A listening, non-blocking socket bound to exactly this address.
    static func listen(address: String, port: Int) throws(TransportError) -> Int32 {
        let family: Int32
        var v4 = in_addr()
        var v6 = in6_addr()
        if unsafe inet_pton(AF_INET, address, &v4) == 1 {
            family = AF_INET
        } else if unsafe inet_pton(AF_INET6, address, &v6) == 1 {
            family = AF_INET6
        } else {
            throw TransportError(.badAddress, "\(address) is not a numeric IP address")
        }
        guard (0...65_535).contains(port) else {
            throw TransportError(.badAddress, "\(port) is not a port")
        }
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, flags, 0)
        guard descriptor >= 0 else {
            throw TransportError(.cannotListen(errno: errno), "cannot make a socket: \(message())")
        }
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        var bound: Int32
        if family == AF_INET {
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = UInt16(port).bigEndian
            name.sin_addr = v4
            bound = unsafe bindSocket(descriptor, &name, MemoryLayout<sockaddr_in>.size)
        } else {
            set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1)
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = UInt16(port).bigEndian
            name.sin6_addr = v6
            bound = unsafe bindSocket(descriptor, &name, MemoryLayout<sockaddr_in6>.size)
        }
        if bound == 0 { bound = Glibc.listen(descriptor, 1024) }
        guard bound == 0 else {
            let number = errno
            let text = "cannot listen on \(address) port \(port): \(message(number))"
            Sockets.close(descriptor)
            throw TransportError(.cannotListen(errno: number), text)
        }
        return descriptor
    }

    /// The port a socket is bound to.
    static func port(of descriptor: Int32) -> Int {
        var name = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let failed = unsafe withUnsafeMutablePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(descriptor, address, &length)
            }
        }
        // The port stands at the same place for both families.
        return failed == 0 ? Int(UInt16(bigEndian: name.sin6_port)) : 0
    }

    /// Takes one waiting connection, non-blocking and with small kernel queues.
    static func accept(_ listener: Int32, kernelQueueBytes: Int) -> AcceptOutcome {
        var name = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        while true {
            let descriptor = unsafe withUnsafeMutablePointer(to: &name) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe board_accept(listener, address, &length)
                }
            }
            if descriptor >= 0 {
                set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
                // Else a peer that reads slowly is owed megabytes of what is long out of date.
                set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Int32(kernelQueueBytes))
                set(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(kernelQueueBytes))
                return .accepted(
                    Accepted(descriptor: descriptor, remoteAddress: unsafe numeric(&name, length)))
            }
            switch errno {
            case EINTR, ECONNABORTED, EPROTO: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return .none
            }
        }
    }

    /// Bytes the peer has acknowledged: the only sign that a peer with full buffers still reads.
    static func bytesAcknowledged(_ descriptor: Int32) -> Int64 {
        board_tcp_bytes_acked(descriptor)
    }

    /// Ends both directions; the descriptor stays.
    static func shutDown(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    /// The soft limit of open files.
    static func fileLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1024
        }
        return Int(clamping: limit.rlim_cur)
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        _ = unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func bindSocket(
        _ descriptor: Int32, _ name: UnsafeMutableRawPointer, _ size: Int
    ) -> Int32 {
        unsafe bind(descriptor, name.assumingMemoryBound(to: sockaddr.self), socklen_t(size))
    }

    private static func numeric(_ name: UnsafeMutablePointer<sockaddr_in6>, _ length: socklen_t)
        -> String
    {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            let failed = unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getnameinfo(address, length, text.baseAddress, 64, nil, 0, NI_NUMERICHOST)
            }
            guard failed == 0, let base = text.baseAddress else { return "" }
            return unsafe String(cString: base)
        }
    }

    private static func message(_ number: Int32 = errno) -> String {
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: text)
    }
}
