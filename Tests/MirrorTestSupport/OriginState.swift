// All that the threads of an origin share, as one value behind one lock.

/// Routes, limits, open connections and the log.
struct OriginState: Sendable {
    /// A connection that has not ended yet.
    struct OpenConnection: Sendable {
        let socket: Socket
        /// False for a connection above the limit, which is open only to be told so.
        let isAdmitted: Bool
    }

    var limits = Limits()
    private(set) var isStopped = false
    private(set) var connections: [Int: OpenConnection] = [:]
    private(set) var acceptedConnections = 0
    private(set) var peakConnections = 0
    private(set) var peakConcurrentRequests = 0
    private(set) var log: [LoggedRequest] = []
    private var routes: [String: Route] = [:]
    private var fallback = Route { _ in .status(404) }
    private(set) var concurrentRequests = 0
    /// Entries that `resetLog` took away: identities of requests go on counting.
    private var forgottenRequests = 0

    // MARK: Routes

    mutating func serve(_ path: String, _ handler: @escaping Handler) { routes[path] = Route(handler) }

    mutating func serveOthers(_ handler: @escaping Handler) { fallback = Route(handler) }

    mutating func remove(_ path: String) { routes[path] = nil }

    /// The handler for a request, which is numbered on the way. A route with a query is preferred.
    private mutating func route(_ request: inout Request) -> Handler {
        for key in [request.target, request.path] {
            if let handler = routes[key]?.handler {
                routes[key]?.count(&request)
                return handler
            }
        }
        fallback.count(&request)
        return fallback.handler
    }

    // MARK: Connections

    /// Registers a connection; nil when the origin was stopped meanwhile.
    mutating func open(_ socket: Socket) -> (number: Int, isAdmitted: Bool)? {
        if isStopped { return nil }
        // A client that closed one connection and opens the next is not at two, though a thread here may not have
        // seen the end of the first.
        let live = connections.values.filter { !$0.socket.isPeerGone }
        let isAdmitted = live.count { $0.isAdmitted } < limits.connections
        let number = acceptedConnections
        connections[number] = OpenConnection(socket: socket, isAdmitted: isAdmitted)
        acceptedConnections += 1
        peakConnections = max(peakConnections, live.count + 1)
        return (number, isAdmitted)
    }

    mutating func forget(connection: Int) { connections[connection] = nil }

    /// Ends all connections, and drops the handlers, which may hold the origin.
    mutating func stop() {
        isStopped = true
        for connection in connections.values { connection.socket.shutDown() }
        routes = [:]
        fallback = Route { _ in .status(404) }
    }

    // MARK: Requests

    /// What a connection needs to answer a request.
    struct Admission: Sendable {
        let id: Int
        let request: Request
        let handler: Handler
        let limits: Limits
    }

    /// Logs a request and finds its handler.
    mutating func begin(_ request: Request) -> Admission {
        var request = request
        var handler = route(&request)
        concurrentRequests += 1
        peakConcurrentRequests = max(peakConcurrentRequests, concurrentRequests)
        if concurrentRequests > limits.concurrentRequests {
            let answer = limits.busyAnswer
            handler = { _ in answer }
        }
        log.append(LoggedRequest(request: request))
        return Admission(id: forgottenRequests + log.count - 1, request: request, handler: handler, limits: limits)
    }

    /// Notes that an answer is over, or will be with the write that follows.
    mutating func end(_ id: Int, _ outcome: LoggedRequest.Outcome) {
        concurrentRequests -= 1
        update(id) { $0.outcome = outcome }
    }

    mutating func update(_ id: Int, _ change: (inout LoggedRequest) -> Void) {
        let index = id - forgottenRequests
        if log.indices.contains(index) { change(&log[index]) }
    }

    func bodyBytesSent(for path: String?) -> Int64 {
        log.reduce(0) { $0 + (path.map($1.isFor) ?? true ? $1.bodyBytesSent : 0) }
    }

    func requestCount(for path: String?) -> Int {
        path.map { path in log.count { $0.isFor(path) } } ?? log.count
    }

    mutating func resetLog() {
        forgottenRequests += log.count
        log = []
        peakConnections = connections.values.count { !$0.socket.isPeerGone }
        peakConcurrentRequests = concurrentRequests
    }
}
