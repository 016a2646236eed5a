// Puts one answer on the wire, byte for byte as it says: framing around the content, pace, hold and cut.

/// One answer on its way out. Used by the thread of one connection.
struct AnswerWriter {
    /// A write of this size keeps the socket busy and lets pace and log stay exact enough.
    private static let largestWrite: Int64 = 128 * 1024

    private enum Interruption: Error {
        case cut(Ending)
        case peerGone
    }

    let socket: Socket
    let state: Locked<OriginState>
    let id: Int
    let answer: Answer
    let pace: Delivery.Pace?

    /// Sends the answer. The log has its outcome before the last byte goes out, so that a client that has all of an
    /// answer finds it logged.
    func send(to method: String, announcingClose: Bool) -> LoggedRequest.Outcome {
        do throws(Interruption) {
            let hasBody = answer.sendsBody(to: method) && !isBodyEmpty
            try sendHead(answer.head(announcingClose: announcingClose), isAll: !hasBody)
            if hasBody { try sendBody() }
            return .complete
        } catch {
            switch error {
            case .cut(let ending): return .cut(ending)
            case .peerGone: return .interrupted
            }
        }
    }

    /// Whether nothing follows the head, not even a hold or a cut.
    private var isBodyEmpty: Bool {
        answer.content.length == 0 && answer.framing.chunkedEnd.isEmpty && answer.delivery.hold == nil
            && answer.delivery.cut == nil
    }

    // MARK: Head

    private func sendHead(_ head: [UInt8], isAll: Bool) throws(Interruption) {
        var sent = 0
        if let hold = answer.delivery.hold, let place = hold.point.headBytes {
            sent = min(place, head.count)
            try transmit(head[..<sent], isLast: false)
            try pass(hold)
        }
        if let cut = answer.delivery.cut, let place = cut.point.headBytes {
            end(.cut(cut.ending))
            _ = head[sent..<max(sent, min(place, head.count))].withUnsafeBytes { socket.send($0) }
            throw .cut(cut.ending)
        }
        state.withLock { $0.update(id) { $0.status = answer.status } }
        try transmit(head[sent...], isLast: isAll)
    }

    private func transmit(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(Interruption) {
        if isLast { end(.complete) }
        let isSent = bytes.withUnsafeBytes { socket.send($0) }
        if !isSent {
            if !isLast { end(.interrupted) }
            throw .peerGone
        }
    }

    // MARK: Body

    private func sendBody() throws(Interruption) {
        let content = answer.content
        let cut = answer.delivery.cut.flatMap { cut in cut.point.position(in: content).map { ($0, cut.ending) } }
        let end = cut?.0 ?? content.length
        var hold = answer.delivery.hold.flatMap { hold in
            hold.point.position(in: content).flatMap { $0 <= end ? ($0, hold) : nil }
        }
        let start = MonotonicTime.now
        var position: Int64 = 0
        var isEnded = false
        while !isEnded {
            if let held = hold, position == held.0 {
                hold = nil
                try pass(held.1)
            }
            try keep(pace, start, position)
            let stop = min(end, position + lot, hold?.0 ?? end)
            isEnded = stop == end && hold == nil
            try send(position..<stop, outcome: isEnded ? cut.map { .cut($0.1) } ?? .complete : nil)
            position = stop
        }
        if let cut { throw .cut(cut.1) }
    }

    private var lot: Int64 { min(Self.largestWrite, pace.map { Int64($0.lot) } ?? Self.largestWrite) }

    /// Sends a range of the content in its framing. With an outcome it is the last one.
    private func send(_ range: Range<Int64>, outcome: LoggedRequest.Outcome?) throws(Interruption) {
        let bytes = framed(range, isLast: outcome == .complete)
        let count = range.upperBound - range.lowerBound
        // The last bytes count before they go, the others after: see `send(to:announcingClose:)`, and a test that
        // waits for the middle of a body must not be early.
        if let outcome {
            state.withLock { state in
                state.update(id) { $0.bodyBytesSent += count }
                state.end(id, outcome)
            }
        }
        guard bytes.withUnsafeBytes({ socket.send($0) }) else {
            if outcome == nil {
                end(.interrupted)
            } else {
                state.withLock {
                    $0.update(id) {
                        $0.bodyBytesSent -= count
                        $0.outcome = .interrupted
                    }
                }
            }
            throw .peerGone
        }
        if outcome == nil { state.withLock { $0.update(id) { $0.bodyBytesSent += count } } }
    }

    private func framed(_ range: Range<Int64>, isLast: Bool) -> [UInt8] {
        let isChunked = answer.framing.isChunked
        let data = isChunked && !range.isEmpty
        let before = data ? Array("\(String(range.count, radix: 16))\r\n".utf8) : []
        let after = Array(((data ? "\r\n" : "") + (isLast ? answer.framing.chunkedEnd : "")).utf8)
        return [UInt8](unsafeUninitializedCapacity: before.count + range.count + after.count) { buffer, count in
            count = buffer.count
            let raw = UnsafeMutableRawBufferPointer(buffer)
            raw.copyBytes(from: before)
            let end = before.count + range.count
            answer.content.fill(
                UnsafeMutableRawBufferPointer(rebasing: raw[before.count..<end]), from: range.lowerBound)
            UnsafeMutableRawBufferPointer(rebasing: raw[end...]).copyBytes(from: after)
        }
    }

    // MARK: Time

    private func keep(_ pace: Delivery.Pace?, _ start: MonotonicTime, _ sent: Int64) throws(Interruption) {
        guard let pace, sent > 0 else { return }
        let early = MonotonicTime.now.until(start.advanced(by: pace.due(after: sent)))
        if early > .zero, !socket.pause(early) {
            end(.interrupted)
            throw .peerGone
        }
    }

    /// Waits until the gate of a hold opens, or the connection ends.
    private func pass(_ hold: Delivery.Hold) throws(Interruption) {
        while !(hold.gate?.wait(timeout: .milliseconds(10)) ?? false) {
            if !socket.pause(hold.gate == nil ? .seconds(3600) : .zero) {
                end(.interrupted)
                throw .peerGone
            }
        }
    }

    private func end(_ outcome: LoggedRequest.Outcome) { state.withLock { $0.end(id, outcome) } }
}
