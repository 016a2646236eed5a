// One connection from accept to close, on a thread of its own.

/// Reads requests and answers them until either side ends the connection.
struct Connection {
    let socket: Socket
    let number: Int
    /// The answer for a connection above the limit.
    let refusal: Answer?
    let state: Locked<OriginState>

    func run() {
        var reader = RequestReader(socket)
        var ending = Ending.fin
        var answered = 0
        while let request = reader.next(connection: number) {
            answered += 1
            guard let outcome = answer(request, answered: answered) else { continue }
            ending = outcome
            break
        }
        // First out of the list, so that `stop` never shuts down a descriptor that has a new owner.
        state.withLock { $0.forget(connection: number) }
        socket.end(ending)
    }

    /// Answers a request; says how the connection is to end, nil when it goes on.
    private func answer(_ request: Request, answered: Int) -> Ending? {
        let admission = state.withLock { $0.begin(request) }
        let limits = admission.limits
        let answer = refusal ?? admission.handler(admission.request)
        let delay = limits.requestDelay + answer.delivery.delay
        guard delay == .zero || socket.pause(delay) else {
            state.withLock { $0.end(admission.id, .interrupted) }
            return .fin
        }
        let isLast = refusal != nil || request.isLast || answered >= limits.requestsPerConnection
        let writer = AnswerWriter(
            socket: socket, state: state, id: admission.id, answer: answer,
            pace: answer.delivery.pace ?? limits.bytesPerSecond.map { .bytesPerSecond($0) })
        switch writer.send(to: request.method, announcingClose: isLast && limits.announcesClose) {
        case .cut(let ending): return ending
        case .interrupted, .inProgress: return .fin
        case .complete: return isLast || endsConnection(answer, request.method) ? .fin : nil
        }
    }

    private func endsConnection(_ answer: Answer, _ method: String) -> Bool {
        if answer.closes || answer.rawHead != nil { return true }
        if !answer.sendsBody(to: method) { return false }
        let length = answer.headers["Content-Length"]
        return !answer.framing.keepsConnection || (length != nil && length != String(answer.content.length))
    }
}
