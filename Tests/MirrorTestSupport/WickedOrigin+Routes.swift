// Ready-made arrangements of several answers: a file that changes, chains of redirects, links that expire.

extension WickedOrigin {
    /// Serves a resource that changes: each is served for `requests` GET requests in turn, the last one for ever. HEAD
    /// sees what the next GET gets.
    package func serve(_ path: String, inTurn resources: [Resource], each requests: Int = 1) {
        precondition(!resources.isEmpty && requests > 0)
        let gets = Locked(0)
        serve(path) { request in
            let turn = gets.withLock { count in
                defer { count += request.method == "GET" ? 1 : 0 }
                return min(count / requests, resources.count - 1)
            }
            return resources[turn].answer(to: request)
        }
    }

    /// A chain of `hops` redirects from `path` to `target`; the paths between have `.hop-n` at their ends.
    package func serveRedirects(_ path: String, hops: Int, to target: String, status: Int = 302) {
        precondition(hops > 0)
        for hop in 0..<hops {
            let from = hop == 0 ? path : "\(path).hop-\(hop)"
            let next = hop == hops - 1 ? target : "\(path).hop-\(hop + 1)"
            serve(from) { _ in .redirect(to: next, status: status) }
        }
    }

    /// A ring of `hops` redirects that never ends.
    package func serveRedirectLoop(_ path: String, hops: Int = 2, status: Int = 302) {
        serveRedirects(path, hops: hops, to: path, status: status)
    }

    /// Redirects `path` to a signed link, another one each time. A link serves the resource to `uses` requests and then
    /// says 403, as if its time were over; counting in place of a clock keeps tests free of sleep.
    package func serveSigned(_ path: String, _ resource: Resource, uses: Int) {
        let signed = "\(path).signed"
        let used = Locked([String: Int]())
        serve(path) { request in .redirect(to: "\(signed)?signature=\(request.ordinal)") }
        serve(signed) { request in
            let before = used.withLock { used in
                defer { used[request.target, default: 0] += 1 }
                return used[request.target, default: 0]
            }
            return before < uses ? resource.answer(to: request) : .expiredSignature
        }
    }
}
