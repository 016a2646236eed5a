// One attempt of a transfer: from the first request to the end of the last stream. The functions that streams call are
// at the end; they run inside libcurl's callbacks.

import MirrorCore
import MirrorStore
import MirrorTransport

extension FileTransfer {
    /// Fetches what is missing from one URL, without a second try.
    func makeAttempt(_ address: Address) async -> AttemptEnd {
        attempt = Attempt(address: address)
        attempt.takesSiblings = rung == .parallel && plan.split > 1
        var end: AttemptEnd?
        if let generation = assembly.generation, !assembly.have.isEmpty, rung != .fresh {
            end = await proveOldBytes()
            if end == nil { fillQueue(generation.total) }
        } else {
            end = await fetch(nil, isLead: true)
        }
        // Siblings that give up put back what they took; the lead goes on until nothing is left to take.
        repeat {
            while end == nil, attempt.halt == nil, let share = attempt.queue.takeFirst() {
                end = await fetch(share, isLead: true)
            }
            stopSiblings(after: end)
            await finishSiblings()
        } while end == nil && attempt.halt == nil && !attempt.queue.isEmpty
        if let halt = attempt.halt { return halt }
        // Coverage decides, not how the streams ended: what one could not get, another may have.
        if assembly.isComplete, end != .unchanged { return .complete }
        return end ?? attempt.siblingFailure ?? .failed(.truncated(received: assembly.have.count, expected: nil))
    }

    /// A short file that somebody else left is only touched when its last bytes are the server's.
    private func proveOldBytes() async -> AttemptEnd? {
        guard assembly.isUnproved else { return nil }
        let end = assembly.have.end
        if plan.checksOverlap {
            let demand = demand(for: end..<end)
            let stream = RangeStream(file: self, demand: demand, share: end..<end, isLead: false)
            let delivery = await context.courier.send(request(for: demand), to: stream)
            account.add(delivery)
            let summary = stream.summary
            notice(summary)
            guard summary.stop == nil, summary.wasAccepted, summary.position >= end else {
                return await conclude(summary, nil, delivery)
            }
        }
        do throws(Failure) {
            try await assembly.takeOver()
            return nil
        } catch {
            return .failed(error)
        }
    }

    /// What the lead saw may make the work of the others worthless.
    private func stopSiblings(after end: AttemptEnd?) {
        switch end {
        case .startOver, .cancelled:
            attempt.halt = attempt.halt ?? end
            cancelSiblings()
        default: break
        }
    }

    /// The run has been ended.
    func cancel() {
        attempt.takesSiblings = false
        cancelSiblings()
    }

    private func cancelSiblings() {
        for sibling in attempt.siblings { sibling.cancel() }
    }

    private func finishSiblings() async {
        // More may join while these are waited for.
        // They stay in the list meanwhile, for the end of the run to reach them.
        while let sibling = attempt.siblings.first {
            await sibling.value
            attempt.siblings.removeFirst()
        }
    }

    private func fillQueue(_ total: Int64) {
        let split = rung == .parallel ? plan.split : 1
        attempt.queue = RangeQueue(
            missing: assembly.have.missing(of: total), split: split, minimum: plan.minimumSplitSize)
    }

    private func startSiblings() {
        guard attempt.takesSiblings, let generation = assembly.generation else { return }
        attempt.takesSiblings = false
        // Nothing but a checksum would notice two states in one file where both have the same validators or none.
        let isProved = plan.checksum != nil || plan.pieces?.fits(size: generation.total) == true
        guard generation.validators.tellStatesApart || isProved else { return }
        for _ in 0..<min(plan.split - 1, attempt.queue.shares.count) {
            attempt.siblings.append(Task(executorPreference: context.courier.loop) { await self.runSibling() })
        }
        if !attempt.siblings.isEmpty { attempt.adoptsWhole = false }
    }

    /// Takes shares from the end of the file, for the lead works from its front.
    private func runSibling() async {
        while attempt.halt == nil, !Task.isCancelled, let share = attempt.queue.takeLast() {
            guard let end = await fetch(share, isLead: false) else { continue }
            if case .startOver = end {
                attempt.halt = end
                cancelSiblings()
            }
            if case .rangeUnusable = end { rung = .resumed }
            attempt.siblingFailure = end
            return
        }
    }

    /// One request.
    /// - Parameter share: the bytes to fetch; nil asks for the whole file.
    /// - Returns: nil when the stream did what it was to do.
    private func fetch(_ share: ByteRange?, isLead: Bool) async -> AttemptEnd? {
        let offsets = share.map { $0.first..<$0.end }
        let demand = demand(for: offsets)
        let stream = RangeStream(file: self, demand: demand, share: offsets, isLead: isLead)
        let delivery = await context.courier.send(request(for: demand), to: stream)
        account.add(delivery)
        let summary = stream.summary
        notice(summary)
        if let rest = summary.wasAccepted ? summary.leftOver : share, assembly.generation != nil {
            attempt.queue.giveBack(rest)
        }
        return await conclude(summary, share, delivery)
    }

    private func notice(_ stream: RangeStream.Summary) {
        if case .part = stream.verdict, stream.wasAccepted { ranges.areSeen = true }
    }

    private func demand(for share: Range<Int64>?) -> Demand {
        var demand = Demand(
            part: .whole, isConditional: plan.decision.condition != nil && assembly.have.isEmpty,
            refusesHTML: plan.refusesHTML, declaredSize: plan.declaredSize, promised: plan.promised,
            claim: plan.claim, isSecondLook: bypassesCaches)
        guard let share else { return demand }
        // Servers may leave out of a part what says its state (RFC 9110 section 15.3.7); the next rung has a proof for that.
        let isCertain = rung == .parallel && assembly.isCertain(before: share.lowerBound)
        let overlap =
            plan.checksOverlap && !isCertain
            ? assembly.have.bytes(before: share.lowerBound, limit: Overlap.length) : 0
        let isOpenEnded = rung != .parallel && !share.isEmpty
        demand.part = .range(first: share.lowerBound - overlap, last: isOpenEnded ? nil : share.upperBound - 1)
        demand.generation = assembly.generation
        demand.isProved = Overlap.proves(overlap, before: share.lowerBound)
        demand.isConditional = false
        return demand
    }

    private func request(for demand: Demand) -> Request {
        var request = plan.request(attempt.address)
        request.bypassesCaches = bypassesCaches
        if case .range(let first, let last) = demand.part {
            request.range = (first, last)
            ranges.areAsked = true
            request.ifRange = demand.generation?.validators.ifRange
        } else if demand.isConditional {
            request.condition = plan.decision.condition
        }
        return request
    }

    private func conclude(
        _ stream: RangeStream.Summary, _ share: ByteRange?, _ delivery: Delivery
    ) async -> AttemptEnd? {
        let end = await judge(stream, share, delivery.completion)
        if delivery.isOfCrowd, case .failed(let failure) = end { return .failed(failure.ofCrowd) }
        return end
    }

    private func judge(
        _ stream: RangeStream.Summary, _ share: ByteRange?, _ completion: Completion
    ) async -> AttemptEnd? {
        switch stream.stop {
        case .overlapMismatch: return .startOver("overlap mismatch")
        case .failure(let failure): return .failed(failure)
        case .halted: return attempt.halt ?? .cancelled
        case nil: break
        }
        switch stream.verdict {
        case .whole where !stream.wasAccepted: return onUnwantedWhole(completion)
        case .whole, .part: return await concludeBody(stream, share, completion)
        case .unchanged: return .unchanged
        case .otherGeneration: return .startOver("the remote file changed")
        case .rangeUnusable(let failure): return .rangeUnusable(failure)
        case .failure(let failure): return .failed(failure)
        case nil: return concludeOutcome(completion, received: 0, expected: nil)
        }
    }

    /// The whole file came in answer to a range request while others write: either the server takes no ranges on this
    /// connection, or it has another state.
    private func onUnwantedWhole(_ completion: Completion) -> AttemptEnd {
        let validators = completion.head?.validators ?? Validators()
        if assembly.generation?.validators.compare(with: validators) == .different {
            return .startOver("the remote file changed")
        }
        return .rangeUnusable(.range("it is the whole file"))
    }

    private func concludeBody(
        _ stream: RangeStream.Summary, _ share: ByteRange?, _ completion: Completion
    ) async -> AttemptEnd? {
        if let share, stream.isWhole, stream.position <= share.first {
            return .rangeUnusable(.range("it ends before the first byte that is missing"))
        }
        // Complete by count: how the connection ended afterwards does not matter.
        if stream.isWhole {
            if let share, isHopeless(stream, share) {
                return .rangeUnusable(.range("it is a few bytes of the many that were asked for"))
            }
            return settle(stream)
        }
        if stream.isUnbounded, completion.outcome == .finished {
            return await settleUnbounded(stream, wasCutOff: completion.wasCutOff)
        }
        return concludeOutcome(completion, received: stream.position, expected: stream.expectedEnd)
    }

    private func isHopeless(_ stream: RangeStream.Summary, _ share: ByteRange) -> Bool {
        guard case .part = stream.verdict, let total = assembly.generation?.total else { return false }
        return smallParts.isHopeless(
            stream.position - share.first, missing: total - assembly.have.count, isCapped: stream.leftOver != nil)
    }

    /// A body that cannot be resumed has come whole: now there is a size.
    private func settle(_ stream: RangeStream.Summary) -> AttemptEnd? {
        if assembly.generation == nil {
            if let declared = plan.declaredSize, declared != stream.position {
                return .failed(.size(declared: declared, actual: stream.position, stream.head))
            }
            assembly.settle(total: stream.position, validators: stream.head?.validators ?? Validators())
        }
        return nil
    }

    /// A body without a length has ended as its framing wants it.
    private func settleUnbounded(_ stream: RangeStream.Summary, wasCutOff: Bool) async -> AttemptEnd? {
        let isEncoded = stream.head?.isEncoded ?? false
        var body = UnboundedBody(
            received: stream.position, declared: plan.declaredSize,
            claimed: isEncoded ? nil : plan.decision.remoteSize, local: plan.local?.size, isEncoded: isEncoded,
            endsWithConnection: stream.head?.endsWithConnection ?? true, wasCutOff: wasCutOff, before: lastUnbounded)
        lastUnbounded = stream.position
        var proof = LengthProof.of(body)
        if proof == .mustAsk {
            body.claimed = await claimedLength() ?? body.claimed
            body.isClaimFresh = true
            proof = .of(body)
        }
        account.lengthDoubt = nil
        switch proof {
        case .proved, .mustAsk: return settle(stream)
        case .unproved(let doubt):
            account.lengthDoubt = doubt
            return settle(stream)
        case .refused(let failure): return .failed(failure)
        }
    }

    /// What HEAD says of the length. 0 is what servers say that do not know.
    private func claimedLength() async -> Int64? {
        var request = plan.request(attempt.address)
        request.method = .head
        let delivery = await context.courier.send(request, to: HeadReceiver())
        account.requests += delivery.requests
        guard let head = delivery.completion.head, head.status == 200, !head.isEncoded else { return nil }
        return head.contentLength.flatMap { $0 > 0 ? $0 : nil }
    }

    private func concludeOutcome(_ completion: Completion, received: Int64, expected: Int64?) -> AttemptEnd? {
        switch completion.outcome {
        // What the transport knows of the end of a body is the bytes that are missing.
        case .failed(let failure) where failure.code == .truncated && received > 0:
            .failed(.truncated(received: received, expected: expected))
        // Protocols without status codes: FTP servers without REST.
        case .failed(let failure) where failure.code == .range: .rangeUnusable(failure)
        case .failed(let failure): .failed(failure)
        case .cancelled: .cancelled
        case .stopped, .finished: .failed(.truncated(received: received, expected: expected))
        }
    }
}

extension FileTransfer {
    var isHalted: Bool { attempt.halt != nil }

    /// An answer with the whole file.
    /// - Returns: where its first share ends, or nil when the answer is not wanted.
    func accept(whole total: Int64?, _ head: ResponseHead, isLead: Bool) throws(Failure) -> Int64? {
        guard isLead, attempt.adoptsWhole else { return nil }
        if let total { try context.space.reserve(total) }
        if !assembly.have.isEmpty {
            account.bytesReused = 0
            account.restart = "the server sent the whole file"
        }
        try assembly.startOver(head, total: total, from: attempt.address)
        attempt.adoptsWhole = false
        guard let total, !head.isEncoded else {
            attempt.queue.removeAll()
            return total ?? .max
        }
        // What the plan knew is counted already.
        if plan.decision.ranges == nil, account.attempts == 1 { context.progress.willFetch(total) }
        fillQueue(total)
        // Only a file of no bytes has no first share.
        guard let first = attempt.queue.takeFirst() else { return 0 }
        if head.refusesRanges { attempt.takesSiblings = false }
        startSiblings()
        return first.end
    }

    /// The bytes on disk that an answer which starts at their end has to repeat.
    func overlap(before offset: Int64) throws(Failure) -> [UInt8]? {
        plan.checksOverlap ? try assembly.overlapBytes(before: offset) : []
    }

    /// The lead's answer belongs to the state of the bytes on disk and repeats the last of them.
    func leadIsGood() {
        attempt.adoptsWhole = false
        startSiblings()
    }

    /// - Parameter isUnbounded: whether nobody said how many bytes will come, so that each takes its room when it is there.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isUnbounded: Bool) throws(Failure) {
        if isUnbounded { try context.space.reserve(Int64(bytes.count)) }
        try assembly.write(bytes, at: offset)
        context.progress.received(bytes.count)
        if assembly.beginCheckpointIfDue() {
            Task(executorPreference: context.courier.loop) { await self.makeCheckpoint() }
        }
    }

    private func makeCheckpoint() async {
        if let failure = await assembly.checkpoint() { attempt.halt = .failed(failure) }
    }

    /// The share that starts at an offset, for an answer that goes on there.
    /// - Returns: where it ends.
    func takeShare(at offset: Int64) -> Int64? { attempt.queue.take(at: offset)?.end }
}
