// Carries requests to their origins: waits for a place there, follows redirects hop by hop, and learns from each
// answer how much the origin takes. What one file learns holds for all.

import MirrorCore
import MirrorTransport
import MirrorURL

/// How a request ended, with all its redirects.
package struct Delivery: Sendable {
    package var completion: Completion
    /// Where the last request went: what the redirects led to.
    package var address: Address
    /// Requests that were sent for it.
    package var requests: Int
    /// Whether it was refused because others were served, as far as one can tell.
    package var isOfCrowd = false
}

/// Sends requests, never more at once to an origin than it may get.
package actor Courier {
    /// What a request gets at the gate of its origin.
    private enum Entry: Sendable {
        case entered(OriginPace.Ticket)
        /// Its task was cancelled while it waited.
        case cancelled
        /// The origin wants to be left alone for longer than anybody waits.
        case refused(Failure)
    }

    private struct Waiter {
        let id: Int
        let continuation: UnsafeContinuation<Entry, Never>
    }

    /// One origin: its pace and those who wait for it.
    private final class Gate {
        let origin: Origin
        var pace: OriginPace
        var waiters: [Waiter] = []
        /// Waits for the end of a pause that the origin asked for.
        var timer: Task<Void, Never>?
        /// Whether the rest of the run does without HTTP/2.
        var http2 = HTTP2Doubt()

        init(_ origin: Origin, limit: Int) {
            self.origin = origin
            pace = OriginPace(limit: limit)
        }
    }

    private let transport: Transport
    private let clock: RunClock
    private let limit: Int
    /// How long a request waits for an origin that asked for a pause.
    private let patience: Duration
    private let parser = URLParser()
    private var gates: [Origin: Gate] = [:]
    private var lastWaiter = 0
    /// Told whenever an origin may have room again.
    private var onRoom: (@Sendable () -> Void)?

    /// For tasks that wait for deliveries.
    nonisolated var loop: TransferLoop { transport.loop }
    package nonisolated var unownedExecutor: UnownedSerialExecutor { transport.unownedExecutor }

    package init(transport: Transport, clock: RunClock, connectionsPerHost: Int, patience: Duration) {
        self.patience = patience
        self.transport = transport
        self.clock = clock
        limit = connectionsPerHost
    }

    /// Waits for no origin any more, when there is nothing left to send: a pause may be hours longer than the run.
    func end() async {
        for timer in gates.values.compactMap(\.timer) {
            timer.cancel()
            await timer.value
        }
    }

    package func notifyOfRoom(_ action: (@Sendable () -> Void)?) { onRoom = action }

    /// How many files of an origin may be in progress now.
    package func room(at origin: Origin) -> Int {
        let gate = gate(of: origin)
        // Those that will be refused may come at once.
        return isHeld(gate) && refusal(at: gate) == nil ? 0 : gate.pace.allowed
    }

    /// Sends a request and follows its redirects. The receiver sees the final answer only.
    package func send(_ first: Request, to receiver: any ResponseReceiver) async -> Delivery {
        await send(first) { _ in receiver }
    }

    /// Sends a request whose receiver must know where the redirects led to before the first byte.
    package func send(_ first: Request, to receiver: @Sendable (Address) -> any ResponseReceiver) async -> Delivery {
        var request = first
        var requests = 0
        while true {
            let gate = gate(of: request.address.origin)
            let ticket: OriginPace.Ticket
            switch await enter(gate) {
            case .entered(let place): ticket = place
            case .cancelled:
                return Delivery(
                    completion: Completion(outcome: .cancelled), address: request.address, requests: requests)
            case .refused(let failure):
                return Delivery(
                    completion: Completion(outcome: .failed(failure)), address: request.address, requests: requests)
            }
            request.avoidsHTTP2 = gate.http2.isAvoided
            var completion = await transport.send(request, to: receiver(request.address))
            let isOfCrowd = leave(gate, ticket, completion)
            requests += 1
            guard let location = completion.head.flatMap(RedirectRule.target) else {
                return Delivery(
                    completion: completion, address: request.address, requests: requests, isOfCrowd: isOfCrowd)
            }
            do {
                request = try next(request, location, from: first, count: requests - 1)
            } catch {
                completion.outcome = .failed(error)
                return Delivery(completion: completion, address: request.address, requests: requests)
            }
        }
    }

    /// The request that a redirect leads to. What the user gave for one origin does not go to another.
    private func next(
        _ request: Request, _ location: String, from first: Request, count: Int
    ) throws(Failure) -> Request {
        let target: Address
        do {
            target = try parser.resolve(location, against: request.address)
        } catch {
            throw Failure(.http, "the server redirects to an address that cannot be used: \(error.message)")
        }
        if let refusal = RedirectRule.refusal(from: request.address, to: target, count: count) { throw refusal }
        var next = first
        next.address = target.inheritingUserInfo(from: first.address, parser)
        if target.origin != first.address.origin {
            next.isTrusted = false
            next.fields = []
            next.referer = nil
        }
        return next
    }

    private func gate(of origin: Origin) -> Gate {
        if let gate = gates[origin] { return gate }
        let gate = Gate(origin, limit: limit)
        gates[origin] = gate
        return gate
    }

    private func isHeld(_ gate: Gate) -> Bool { gate.pace.heldUntil.map { clock.elapsed() < $0 } ?? false }

    /// The failure of requests to an origin that asked for a longer wait than a file is tried for.
    private func refusal(at gate: Gate) -> Failure? {
        guard let held = gate.pace.heldUntil, held - clock.elapsed() > patience else { return nil }
        let seconds = (held - clock.elapsed()).components.seconds
        return Failure(.http, "the server asks to be left alone for \(seconds) s, longer than a file is tried")
    }

    private func enter(_ gate: Gate) async -> Entry {
        if Task.isCancelled { return .cancelled }
        if let failure = refusal(at: gate) { return .refused(failure) }
        if gate.waiters.isEmpty, gate.pace.hasRoom, !isHeld(gate) {
            return .entered(gate.pace.start())
        }
        lastWaiter += 1
        let id = lastWaiter
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                gate.waiters.append(Waiter(id: id, continuation: continuation))
                pump(gate)
            }
        } onCancel: {
            Task(executorPreference: self.loop) { await self.cancelWaiter(id) }
        }
    }

    private func cancelWaiter(_ id: Int) {
        for gate in gates.values {
            guard let index = gate.waiters.firstIndex(where: { $0.id == id }) else { continue }
            return gate.waiters.remove(at: index).continuation.resume(returning: .cancelled)
        }
    }

    /// - Returns: whether the request was refused because others were served.
    private func leave(_ gate: Gate, _ ticket: OriginPace.Ticket, _ completion: Completion) -> Bool {
        let isRefused = learn(from: completion, gate, ticket)
        let isOfCrowd = isRefused && gate.pace.hadCompany(ticket)
        gate.pace.finish()
        pump(gate)
        onRoom?()
        return isOfCrowd
    }

    /// - Returns: whether the origin refused the request for what else it has to do.
    private func learn(from completion: Completion, _ gate: Gate, _ ticket: OriginPace.Ticket) -> Bool {
        let head = completion.head
        let signs: [(HTTP2Doubt.Sign, Bool)] = [
            (.answer, head != nil), (.failure, completion.failedInHTTP2), (.silence, completion.isSilentTLS),
        ]
        for (sign, isSeen) in signs where isSeen {
            gate.http2.note(sign, number: ticket.number, sent: gate.pace.started)
        }
        let meaning = CrowdRule.meaning(
            status: head?.status, failure: completion.failure, openedConnection: completion.openedConnection)
        switch meaning {
        case .throttled:
            let delay = head?.relativeRetryAfter.flatMap { RetryAfter.delay($0, now: clock.date()) }
            gate.pace.throttle(until: delay.map { clock.elapsed() + $0 })
        case .refused: gate.pace.refuse(ticket)
        case nil: if let head, head.status < 400 { gate.pace.succeed() }
        }
        return meaning != nil
    }

    /// Lets waiting requests go as far as the origin has room. The end of a hold is always waited for, even where all that
    /// wait now are refused: others come later.
    private func pump(_ gate: Gate) {
        guard !gate.waiters.isEmpty || gate.pace.heldUntil != nil else { return }
        if let failure = refusal(at: gate) {
            for waiter in gate.waiters { waiter.continuation.resume(returning: .refused(failure)) }
            gate.waiters = []
        }
        let now = clock.elapsed()
        if let held = gate.pace.heldUntil, held > now {
            guard gate.timer == nil else { return }
            let origin = gate.origin
            gate.timer = Task(executorPreference: loop) { await self.endHold(of: origin, after: held - now) }
            return
        }
        while !gate.waiters.isEmpty, gate.pace.hasRoom {
            gate.waiters.removeFirst().continuation.resume(returning: .entered(gate.pace.start()))
        }
    }

    private func endHold(of origin: Origin, after delay: Duration) async {
        await clock.sleep(delay)
        guard !Task.isCancelled else { return }
        let gate = gate(of: origin)
        gate.timer = nil
        pump(gate)
        onRoom?()
    }
}
