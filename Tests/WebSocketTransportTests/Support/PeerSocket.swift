import Glibc

/// A blocking TCP socket to a port of 127.0.0.1, with a time limit on every wait.
final class PeerSocket: @unchecked Sendable {
    private var descriptor: Int32
    private(set) var received: [UInt8] = []

    enum Trouble: Error { case refused(Int32), timedOut, ended }

    init(port: Int, receiveBufferBytes: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBufferBytes {
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(port).bigEndian
        name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let failed = unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard failed == 0 else { throw Trouble.refused(errno) }
    }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Closes with a reset instead of a FIN.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func shutWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { rest in
                unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Trouble.ended }
            sent += count
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Waits for at least one byte more; throws at the end of the stream or of the time.
    func receiveMore(milliseconds: Int32 = 10_000, atMost: Int = 65_536) throws {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, milliseconds) == 1 else { throw Trouble.timedOut }
        var buffer = [UInt8](repeating: 0, count: atMost)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Trouble.ended }
        received += buffer[..<count]
    }

    /// Takes `count` bytes from the front of what has been received.
    func take(_ count: Int) throws -> [UInt8] {
        while received.count < count { try receiveMore() }
        defer { received.removeSubrange(..<count) }
        return Array(received[..<count])
    }

    /// Takes everything up to and including `mark`.
    func take(through mark: String) throws -> String {
        let bytes = Array(mark.utf8)
        var start = 0
        while true {
            if received.count >= bytes.count {
                for index in start...(received.count - bytes.count)
                where received[index] == bytes[0]
                    && Array(received[index..<index + bytes.count]) == bytes
                {
                    return String(decoding: try take(index + bytes.count), as: UTF8.self)
                }
                start = received.count - bytes.count + 1
            }
            try receiveMore()
        }
    }

    /// True when the peer ends the stream, cleanly or not, within the time. What comes is dropped.
    func ends(milliseconds: Int32 = 10_000) -> Bool {
        do {
            while true {
                try receiveMore(milliseconds: milliseconds)
                received = []
            }
        } catch Trouble.ended {
            return true
        } catch {
            return false
        }
    }
}
