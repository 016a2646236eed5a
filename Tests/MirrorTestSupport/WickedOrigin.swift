// The wicked origin: an HTTP/1.1 server on loopback that answers rightly or wrongly, as the test says, and remembers
// what it was asked. It listens from the moment it exists and ends with its last reference.

import Glibc

/// A test server on 127.0.0.1 or ::1.
package final class WickedOrigin: Sendable {
    /// The port it listens on.
    package let port: UInt16
    private let host: String
    private let listener: Socket
    let state = Locked(OriginState())

    /// Starts listening on a free port. `sendBuffer` bounds, in bytes, what the kernel holds between origin and
    /// client (twice that, on Linux); nil leaves it to the system. Throws when a system call fails.
    package init(limits: Limits = Limits(), sendBuffer: Int32? = nil, onIPv6: Bool = false) throws(OriginError) {
        (listener, port) = onIPv6 ? try Socket.listeningOnIPv6() : try Socket.listening()
        host = onIPv6 ? "[::1]" : "127.0.0.1"
        state.withLock { $0.limits = limits }
        // The thread holds the parts, not the origin, which could otherwise never be released.
        let (listener, state) = (listener, state)
        let isStarted = startThread {
            Self.acceptConnections(from: listener, state, sendBuffer: sendBuffer)
            listener.end(.fin)
        }
        if !isStarted {
            listener.end(.fin)
            throw OriginError(call: "pthread_create", errno: 0)
        }
    }

    deinit { stop() }

    /// Refuses new connections and ends all open ones; returns when their threads have left them.
    package func stop() {
        state.withLock { state in
            if !state.isStopped { listener.shutDown() }
            state.stop()
        }
        _ = state.wait(timeout: .seconds(10)) { $0.connections.isEmpty }
    }

    /// The URL of a path, for example `http://127.0.0.1:40000/a.bin`; `localhost` as host makes another origin of it.
    package func url(_ path: String, host: String? = nil) -> String { "http://\(host ?? self.host):\(port)\(path)" }

    /// Whether this machine has ::1.
    package static let canUseIPv6: Bool = {
        guard let (socket, _) = try? Socket.listeningOnIPv6() else { return false }
        close(socket.descriptor)
        return true
    }()

    // MARK: What it serves

    /// Serves a resource; replaces what the path had, and its requests are counted from 0 again.
    package func serve(_ path: String, _ resource: Resource) {
        serve(path) { resource.answer(to: $0) }
    }

    /// Serves whatever `handler` makes of each request. A path with a query is preferred to one without.
    package func serve(_ path: String, _ handler: @escaping Handler) {
        state.withLock { $0.serve(path, handler) }
    }

    /// Answers the requests for all paths that nothing else is served for; 404 otherwise.
    package func serveOthers(_ handler: @escaping Handler) {
        state.withLock { $0.serveOthers(handler) }
    }

    /// Serves nothing at the path any more.
    package func remove(_ path: String) { state.withLock { $0.remove(path) } }

    /// Limits over all paths; a change counts for the next connection and the next request.
    package var limits: Limits {
        get { state.read { $0.limits } }
        set { state.withLock { $0.limits = newValue } }
    }

    // MARK: What it saw

    /// All requests since the start or the last `resetLog`, in order of arrival.
    package var log: [LoggedRequest] { state.read { $0.log } }

    /// The requests for a target or, with any query, for a path.
    package func requests(for path: String) -> [LoggedRequest] { log.filter { $0.isFor(path) } }

    /// Body bytes handed to the sockets, for one path or all.
    package func bodyBytesSent(for path: String? = nil) -> Int64 { state.read { $0.bodyBytesSent(for: path) } }

    /// Body bytes handed to the sockets, over all paths.
    package var bodyBytesSent: Int64 { bodyBytesSent() }

    /// Connections accepted since the start.
    package var acceptedConnections: Int { state.read { $0.acceptedConnections } }

    /// The most connections open at one time, those above the limit included.
    package var peakConnections: Int { state.read { $0.peakConnections } }

    /// The most requests being answered at one time. A request counts until its last bytes are about to be sent.
    package var peakConcurrentRequests: Int { state.read { $0.peakConcurrentRequests } }

    /// Whether a request is being answered now.
    package var isAnswering: Bool { state.read { $0.concurrentRequests > 0 } }

    /// Empties the log and starts the peaks afresh; the ordinals of requests go on.
    package func resetLog() { state.withLock { $0.resetLog() } }

    // MARK: Connections

    private static func acceptConnections(from listener: Socket, _ state: Locked<OriginState>, sendBuffer: Int32?) {
        while let socket = listener.accept() {
            socket.configure(sendBuffer: sendBuffer)
            let (admission, limits) = state.withLock { ($0.open(socket), $0.limits) }
            guard let admission else {
                socket.end(.rst)
                continue
            }
            start(socket, admission, limits, state)
        }
    }

    private static func start(
        _ socket: Socket, _ admission: (number: Int, isAdmitted: Bool), _ limits: Limits, _ state: Locked<OriginState>
    ) {
        let isStarted = startThread {
            var refusal: Answer?
            if !admission.isAdmitted {
                switch limits.overflow {
                case .answer(let answer): refusal = answer
                case .closed(let ending):
                    state.withLock { $0.forget(connection: admission.number) }
                    socket.end(ending)
                    return
                }
            }
            Connection(socket: socket, number: admission.number, refusal: refusal, state: state).run()
        }
        if !isStarted {
            state.withLock { $0.forget(connection: admission.number) }
            socket.end(.rst)
        }
    }
}
