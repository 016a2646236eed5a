// A server that speaks HTTP/2 in raw frames (RFC 9113), over plain TCP as `TLSFront` hands it on. It reads no header field
// of a request: each stream gets what the test says for its number. It listens from the moment it exists and ends with its
// last reference.

import Glibc

/// A test server on 127.0.0.1.
package final class HTTP2Origin: Sendable {
    /// What a stream gets.
    package enum Answer: Sendable {
        /// 200 with these bytes, whole; trailers after them, and a length that is off by so many bytes.
        case file([UInt8], trailers: Bool = false, lengthOff: Int = 0)
        /// RST_STREAM with this error code, after so many bytes of the file; nil: before any answer.
        case reset(UInt32, after: Int?, of: [UInt8])
        /// GOAWAY with this error code, this stream and later ones unanswered; then the end of the connection.
        case goAway(UInt32)
    }

    /// Error codes (RFC 9113 section 7).
    package enum Code {
        package static let none: UInt32 = 0, internalError: UInt32 = 2, refusedStream: UInt32 = 7, cancel: UInt32 = 8
        package static let enhanceYourCalm: UInt32 = 11, http11Required: UInt32 = 13
    }

    package let port: UInt16
    private let listener: Socket
    private let state = Locked((connections: 0, streams: 0))

    /// - Parameter answer: for the n-th stream of the m-th connection, and n over all connections.
    package init(_ answer: @escaping @Sendable (_ stream: Int, _ connection: Int) -> Answer) throws(OriginError) {
        (listener, port) = try Socket.listening()
        let (listener, state) = (listener, state)
        let isStarted = startThread {
            while let socket = listener.accept() {
                socket.configure(sendBuffer: nil)
                let connection = state.withLock { state in
                    state.connections += 1
                    return state.connections - 1
                }
                _ = startThread {
                    let next = {
                        let stream = state.withLock { state in
                            state.streams += 1
                            return state.streams - 1
                        }
                        return answer(stream, connection)
                    }
                    HTTP2Connection(socket: socket, next: next).run()
                }
            }
        }
        if !isStarted { throw OriginError(call: "pthread_create", errno: 0) }
    }

    deinit { listener.shutDown() }

    /// Streams opened since the start.
    package var streams: Int { state.read { $0.streams } }
    /// Connections accepted since the start.
    package var connections: Int { state.read { $0.connections } }
}

/// One connection, on a thread of its own.
private struct HTTP2Connection {
    let socket: Socket
    let next: () -> HTTP2Origin.Answer

    private enum Kind {
        static let data: UInt8 = 0, headers: UInt8 = 1, reset: UInt8 = 3, settings: UInt8 = 4, ping: UInt8 = 6
        static let goAway: UInt8 = 7
    }

    private static let endStream: UInt8 = 1, acknowledges: UInt8 = 1, endHeaders: UInt8 = 4

    func run() {
        defer { socket.end(.fin) }
        guard receive(24) != nil, send(Kind.settings, 0, 0, []) else { return }
        while let head = receive(9) {
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard let payload = receive(length) else { return }
            let stream = UInt32(head[5] & 0x7F) << 24 | UInt32(head[6]) << 16 | UInt32(head[7]) << 8 | UInt32(head[8])
            switch head[3] {
            case Kind.settings where head[4] & Self.acknowledges == 0:
                _ = send(Kind.settings, Self.acknowledges, 0, [])
            case Kind.ping where head[4] & Self.acknowledges == 0: _ = send(Kind.ping, Self.acknowledges, 0, payload)
            case Kind.headers: if !answer(stream) { return }
            default: break
            }
        }
    }

    /// - Returns: whether the connection goes on.
    private func answer(_ stream: UInt32) -> Bool {
        switch next() {
        case .file(let bytes, let trailers, let lengthOff):
            begin(stream, length: bytes.count + lengthOff)
            send(bytes, stream, isEnd: !trailers)
            if trailers {
                _ = send(Kind.headers, Self.endHeaders | Self.endStream, stream, field("x-sum", "7"))
            }
            return true
        case .reset(let code, let sent, let bytes):
            if let sent {
                begin(stream, length: bytes.count)
                send(Array(bytes.prefix(sent)), stream, isEnd: false)
            }
            return send(Kind.reset, 0, stream, number(code))
        case .goAway(let code):
            _ = send(Kind.goAway, 0, 0, number(stream - min(stream, 2)) + number(code))
            return false
        }
    }

    private func begin(_ stream: UInt32, length: Int) {
        // `:status: 200` is number 8 of HPACK's static table (RFC 7541 appendix A).
        let fields = [0x88] + field("content-length", "\(length)") + field("etag", "\"v1\"")
        _ = send(Kind.headers, Self.endHeaders, stream, fields)
    }

    /// A literal field that is not indexed (RFC 7541 section 6.2.2).
    private func field(_ name: String, _ value: String) -> [UInt8] {
        [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }

    private func send(_ bytes: [UInt8], _ stream: UInt32, isEnd: Bool) {
        var sent = 0
        repeat {
            let end = min(sent + 16_000, bytes.count)
            let isLast = isEnd && end == bytes.count
            guard send(Kind.data, isLast ? Self.endStream : 0, stream, Array(bytes[sent..<end])) else { return }
            sent = end
        } while sent < bytes.count
    }

    private func send(_ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> Bool {
        let length = payload.count
        let head = [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), kind, flags]
        return (head + number(stream) + payload).withUnsafeBytes { socket.send($0) }
    }

    private func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

    private func receive(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let more = bytes.withUnsafeMutableBytes {
                socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: $0[got...]))
            }
            guard more > 0 else { return nil }
            got += more
        }
        return bytes
    }
}
