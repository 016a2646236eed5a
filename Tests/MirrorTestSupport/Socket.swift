// The system calls on sockets: EINTR is handled here, SIGPIPE cannot arise (MSG_NOSIGNAL), and descriptors are not
// inherited by the processes that tests spawn.

import Glibc

/// A TCP socket; closing it is its owner's business.
struct Socket: Sendable {
    /// POLLRDHUP of poll(2): a GNU extension that the Glibc module does not show.
    private static let peerClosed: Int16 = 0x2000

    let descriptor: Int32

    /// A socket that listens on a free port of 127.0.0.1, and that port.
    static func listening() throws(OriginError) -> (socket: Socket, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw OriginError(call: "socket", errno: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failed: String? = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                if bind(descriptor, address, size) != 0 { return "bind" }
                if listen(descriptor, 1024) != 0 { return "listen" }
                return getsockname(descriptor, address, &size) != 0 ? "getsockname" : nil
            }
        }
        if let failed {
            let error = OriginError(call: failed, errno: errno)
            close(descriptor)
            throw error
        }
        return (Socket(descriptor: descriptor), UInt16(bigEndian: address.sin_port))
    }

    /// A socket that listens on a free port of ::1, and that port.
    static func listeningOnIPv6() throws(OriginError) -> (socket: Socket, port: UInt16) {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw OriginError(call: "socket", errno: errno) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 1024) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isListening else {
            let error = OriginError(call: "listening on ::1", errno: errno)
            close(descriptor)
            throw error
        }
        return (Socket(descriptor: descriptor), UInt16(bigEndian: address.sin6_port))
    }

    /// The next connection; nil when the socket was shut down.
    func accept() -> Socket? {
        while true {
            let accepted = Glibc.accept(descriptor, nil, nil)
            if accepted >= 0 {
                // accept4, which would do it at once, is a GNU extension that the Glibc module does not show.
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                return Socket(descriptor: accepted)
            }
            // The client went before it was accepted, or descriptors are short for a moment: neither ends the origin.
            switch errno {
            case EINVAL: return nil
            case EINTR, ECONNABORTED: continue
            default: poll(nil, 0, 10)
            }
        }
    }

    /// Sends small writes at once, and limits what lies between origin and client to about `sendBuffer` bytes.
    func configure(sendBuffer: Int32?) {
        set(IPPROTO_TCP, TCP_NODELAY, 1)
        if let sendBuffer { set(Int(SOL_SOCKET), SO_SNDBUF, sendBuffer) }
    }

    /// Sends all bytes; false when the peer is gone.
    func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let count = Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// Receives into `buffer`; 0 at the end of the connection, whatever ended it.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count < 0 && errno == EINTR { continue }
            return max(0, count)
        }
    }

    /// Waits with the connection open; false as soon as the peer or `shutDown` closed it.
    func pause(_ duration: Duration) -> Bool {
        let end = MonotonicTime.now.advanced(by: duration)
        while true {
            let left = MonotonicTime.now.until(end).wholeNanoseconds
            var ask = pollfd(fd: descriptor, events: Self.peerClosed, revents: 0)
            // Rounded up, for a pause must not be shorter than asked.
            let count = poll(&ask, 1, Int32(clamping: max(0, (left + 999_999) / 1_000_000)))
            if count > 0 { return false }
            if left <= 0 { return true }
        }
    }

    var isPeerGone: Bool { !pause(.zero) }

    /// Ends the traffic both ways and wakes the thread that blocks on the socket.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Closes the socket so that the peer sees `ending` after all bytes sent so far.
    func end(_ ending: Ending) {
        switch ending {
        case .fin:
            shutdown(descriptor, Int32(SHUT_WR))
            // Closing with unread bytes would turn the FIN into a reset (RFC 9112 section 9.6).
            discardInput(for: .seconds(1))
        case .rst:
            awaitAcknowledgement(for: .seconds(2))
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        close(descriptor)
    }

    private func discardInput(for limit: Duration) {
        let end = MonotonicTime.now.advanced(by: limit)
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = MonotonicTime.now.until(end).wholeNanoseconds / 1_000_000
            var ask = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&ask, 1, Int32(left)) > 0 else { return }
            if bytes.withUnsafeMutableBytes({ receive(into: $0) }) == 0 { return }
        }
    }

    /// A reset throws away what is still in the send buffer, and a cut after n bytes would come earlier.
    private func awaitAcknowledgement(for limit: Duration) {
        let end = MonotonicTime.now.advanced(by: limit)
        var unsent: Int32 = 0
        while ioctl(descriptor, UInt(TIOCOUTQ), &unsent) == 0, unsent > 0, MonotonicTime.now < end {
            guard pause(.milliseconds(1)) else { return }
        }
    }

    private func set(_ level: Int, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
