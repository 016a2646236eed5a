// TLS before a server that speaks plain TCP: it carries bytes between the two, and ends connections in every way in which
// TLS connections end. It listens from the moment it exists and ends with its last reference.

internal import CTLS
import Glibc

/// A TLS server on 127.0.0.1.
package final class TLSFront: Sendable {
    /// How connections begin.
    package enum Greeting: Sendable {
        case handshake
        /// Never a byte.
        case hang
        /// Ends after the client's first bytes.
        case closed(Ending)
    }

    /// How connections end.
    package enum Goodbye: Sendable {
        /// As TLS wants it, with close_notify.
        case notified
        /// The end of TCP alone.
        case bare
        /// Within a record, after so many bytes to the client.
        case withinRecord(after: Int, Ending)
    }

    /// What the certificate says.
    package struct Certificate: Sendable {
        package var names = "DNS:localhost,IP:127.0.0.1"
        /// Seconds from now.
        package var validity: (first: Int, last: Int) = (-3_600, 86_400)

        package init(_ change: (inout Certificate) -> Void = { _ in }) { change(&self) }
    }

    package let port: UInt16
    /// The certificate as PEM.
    package let certificate: String
    private let listener: Socket
    // libssl's contexts are counted and may be used by several threads.
    nonisolated(unsafe) private let context: OpaquePointer
    private let count = Locked(0)

    /// - Parameters:
    ///   - http1: the port of the server behind it.
    ///   - http2: the port of the server for clients that take HTTP/2; nil when it is not offered.
    ///   - greetings: for each connection in order; the last one for ever.
    package init(
        http1: UInt16, http2: UInt16? = nil, _ certificate: Certificate = Certificate(),
        greetings: [Greeting] = [.handshake], goodbye: Goodbye = .notified
    ) throws(OriginError) {
        (listener, port) = try Socket.listening()
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw OriginError(call: "SSL_CTX_new", errno: 0) }
        self.context = context
        self.certificate = "/tmp/mirror-test-certificate-\(getpid())-\(port).pem"
        let isMade = mirror_tls_certify(
            context, certificate.names, certificate.validity.first, certificate.validity.last, self.certificate)
        guard isMade == 1 else { throw OriginError(call: "mirror_tls_certify", errno: 0) }
        mirror_tls_offer(context, http2 == nil ? Self.onlyHTTP1 : Self.both)
        let (listener, count) = (listener, count)
        nonisolated(unsafe) let shared = context
        SSL_CTX_up_ref(context)
        let isStarted = startThread {
            while let socket = listener.accept() {
                socket.configure(sendBuffer: nil)
                let number = count.withLock { number in
                    number += 1
                    return number - 1
                }
                let greeting = greetings[min(number, greetings.count - 1)]
                nonisolated(unsafe) let connection = SSL_new(shared)
                _ = startThread {
                    TLSConnection(socket: socket, connection: connection, goodbye: goodbye).run(greeting) {
                        $0 ? http2 ?? http1 : http1
                    }
                }
            }
            SSL_CTX_free(shared)
        }
        if !isStarted { throw OriginError(call: "pthread_create", errno: 0) }
    }

    deinit {
        listener.shutDown()
        unlink(certificate)
        SSL_CTX_free(context)
    }

    package func url(_ path: String, host: String = "localhost") -> String { "https://\(host):\(port)\(path)" }

    /// Connections accepted since the start.
    package var acceptedConnections: Int { count.read { $0 } }

    // They live as long as any context.
    nonisolated(unsafe) private static let both = strdup("\u{2}h2\u{8}http/1.1")
    nonisolated(unsafe) private static let onlyHTTP1 = strdup("\u{8}http/1.1")
}

/// One connection, on a thread of its own.
private struct TLSConnection {
    let socket: Socket
    let connection: OpaquePointer?
    let goodbye: TLSFront.Goodbye

    func run(_ greeting: TLSFront.Greeting, port: (Bool) -> UInt16) {
        // libssl writes without MSG_NOSIGNAL. The signal is this thread's, and ends with it.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        defer { SSL_free(connection) }
        switch greeting {
        case .hang:
            _ = socket.pause(.seconds(3_600))
            return socket.end(.fin)
        case .closed(let ending):
            var byte = [UInt8](repeating: 0, count: 1)
            _ = byte.withUnsafeMutableBytes { socket.receive(into: $0) }
            return socket.end(ending)
        case .handshake: break
        }
        SSL_set_fd(connection, socket.descriptor)
        guard SSL_accept(connection) == 1, let server = Socket.connected(to: port(mirror_tls_is_http2(connection) == 1))
        else { return socket.end(.fin) }
        let ending = relay(server)
        server.end(.fin)
        socket.end(ending)
    }

    /// Carries bytes until one side ends.
    private func relay(_ server: Socket) -> Ending {
        var sent = 0
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            var asks = [
                pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if SSL_pending(connection) == 0 { poll(&asks, 2, -1) }
            if SSL_pending(connection) > 0 || asks[0].revents != 0 {
                let count = buffer.withUnsafeMutableBytes { SSL_read(connection, $0.baseAddress, Int32($0.count)) }
                guard count > 0, buffer[..<Int(count)].withUnsafeBytes({ server.send($0) }) else { return .fin }
            }
            guard asks[1].revents != 0 else { continue }
            var count = buffer.withUnsafeMutableBytes { server.receive(into: $0) }
            if count == 0 {
                if case .notified = goodbye { SSL_shutdown(connection) }
                return .fin
            }
            if case .withinRecord(let limit, let ending) = goodbye {
                count = min(count, limit - sent)
                if count == 0 {
                    // The head of a record of 16 KiB, and less than that of it.
                    _ = ([0x17, 0x03, 0x03, 0x40, 0x00, 1, 2, 3] as [UInt8]).withUnsafeBytes { socket.send($0) }
                    return ending
                }
            }
            let written = buffer.withUnsafeBytes { SSL_write(connection, $0.baseAddress, Int32(count)) }
            guard written > 0 else { return .fin }
            sent += count
        }
    }
}

extension Socket {
    /// A connection to a port of 127.0.0.1; nil when nobody listens there.
    static func connected(to port: UInt16) -> Socket? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        let socket = Socket(descriptor: descriptor)
        socket.configure(sendBuffer: nil)
        return socket
    }
}
