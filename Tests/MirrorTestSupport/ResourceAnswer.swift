// The rules of RFC 9110 by which a resource answers, and the places where each fault bends them: HEAD, conditions and
// what all answers share.

/// One request meeting one resource.
struct ResourceAnswer {
    let resource: Resource
    let request: Request
    let faults: Faults
    let etag: String?
    let lastModified: String?

    init(_ resource: Resource, to request: Request) {
        self.resource = resource
        self.request = request
        faults = request.methodOrdinal < resource.faultyRequests ? resource.faults : Faults()
        lastModified = if case .none = faults.validators { nil } else { resource.lastModified }
        etag =
            switch faults.validators {
            case .asGiven: resource.etag
            case .none: nil
            case .randomETag: "\"\(UInt64.random(in: .min ... .max))\""
            case .weakETag: resource.etag.map { $0.hasPrefix("W/") ? $0 : "W/" + $0 }
            }
    }

    var answer: Answer {
        switch request.method {
        case "GET": conditional ?? ranged ?? whole
        case "HEAD": head
        default: .status(405, headers: ["Allow": "GET, HEAD"])
        }
    }

    // MARK: HEAD

    private var head: Answer {
        var answer = healthyHead
        switch faults.head {
        case .normal: break
        case .status(let status): return .status(status)
        case .hang: return .hang
        case .closed(let ending): return .closed(ending)
        case .zeroLength: answer.framing = .lengths(["0"])
        case .noLength: answer.framing = .lengths([])
        case .length(let length): answer.framing = .lengths([String(length)])
        case .encoded(let coding, let length):
            answer.headers.set("Content-Encoding", coding)
            answer.framing = .lengths([String(length)])
        }
        return answer
    }

    private var healthyHead: Answer {
        conditional ?? Answer(status: 200, headers: headers, content: Content(resource.body))
    }

    // MARK: Conditions (RFC 9110 section 13.2.2)

    private var conditional: Answer? {
        if faults.ignoresConditions { return nil }
        if failsPrecondition { return .status(412) }
        return isNotModified ? Answer(status: 304, headers: headers) : nil
    }

    private var failsPrecondition: Bool {
        if let tags = request.headers["If-Match"] { return !list(tags) { $0 == etag && !$0.hasPrefix("W/") } }
        guard let date = seconds(request.headers["If-Unmodified-Since"]), let own = seconds(lastModified) else {
            return false
        }
        return own > date
    }

    private var isNotModified: Bool {
        if let tags = request.headers["If-None-Match"] { return list(tags) { weakly($0) == etag.map(weakly) } }
        guard let date = seconds(request.headers["If-Modified-Since"]), let own = seconds(lastModified) else {
            return false
        }
        return own <= date
    }

    private func list(_ tags: String, contains matches: (String) -> Bool) -> Bool {
        tags == "*" || tags.split(separator: ",").contains { matches(String($0.drop { $0 == " " })) }
    }

    func weakly(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }

    private func seconds(_ date: String?) -> Int? { date.flatMap { HTTPDate.seconds($0) } }

    // MARK: What all answers share

    var whole: Answer { success(200, headers: headers, Content(resource.body)) }

    func success(_ status: Int, headers: Headers, _ content: Content) -> Answer {
        var answer = Answer(
            status: status, headers: headers, content: content, framing: faults.framing, delivery: faults.delivery)
        if let coding = faults.contentEncoding { answer.headers.set("Content-Encoding", coding) }
        return answer
    }

    var headers: Headers {
        var headers = Headers()
        if resource.headers["Date"] == nil { headers.append("Date", HTTPDate.now) }
        headers.append("Content-Type", ifPresent: resource.contentType)
        headers.append("Accept-Ranges", ifPresent: resource.acceptRanges)
        headers.append("ETag", ifPresent: etag)
        headers.append("Last-Modified", ifPresent: lastModified)
        headers.fields += resource.headers.fields
        return headers
    }
}
