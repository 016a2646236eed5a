// What the origin does for one path, and how often it was asked.

/// Makes the answer to a request; runs on the thread of the connection and may block.
package typealias Handler = @Sendable (Request) -> Answer

/// A handler and the requests it has seen.
struct Route: Sendable {
    let handler: Handler
    private var requests = 0
    private var requestsByMethod: [String: Int] = [:]

    init(_ handler: @escaping Handler) { self.handler = handler }

    /// Numbers a request in its row.
    mutating func count(_ request: inout Request) {
        request.ordinal = requests
        request.methodOrdinal = requestsByMethod[request.method, default: 0]
        requests += 1
        requestsByMethod[request.method, default: 0] += 1
    }
}
