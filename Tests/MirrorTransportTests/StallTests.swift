// Silence: a request is given up when no byte came for the stall timeout, and not a nanosecond before. The clock is
// handed in.

import MirrorCore
import MirrorTestSupport
import MirrorTransport
import Testing

struct StallTests {
    private static let second: Int64 = 1_000_000_000

    /// A transport whose clock only moves by hand.
    private func use(
        _ answer: Answer,
        _ body: (Wire, MirrorTestSupport.Locked<Int64>, Task<Completion, Never>, Collector) async throws -> Void
    ) async throws {
        let time = MirrorTestSupport.Locked<Int64>(Self.second)
        try await Wire.use({ $0.stallTimeout = .seconds(30) }, now: { time.read { $0 } }) { wire in
            wire.origin.serve("/a") { _ in answer }
            wire.origin.serve("/b") { _ in .text("b") }
            let receiver = Collector()
            let request = wire.start(Request(.get, try wire.address("/a")), to: receiver)
            try await body(wire, time, request, receiver)
        }
    }

    /// The loop has turned at least once since the call, for another request has gone through it.
    private func turn(_ wire: Wire) async throws { #expect(try await wire.get("/b").outcome == .finished) }

    @Test("C160 neither head nor body: exactly after the stall timeout", arguments: [true, false])
    func exact(isBeforeHead: Bool) async throws {
        let answer =
            isBeforeHead
            ? Answer.hang
            : Answer(status: 200, content: Content(.synthetic(length: 5_000, seed: 1)), delivery: .stall(after: 1_000))
        try await use(answer) { wire, time, request, receiver in
            let hasEnded = MirrorTestSupport.Locked(false)
            let watcher = Task {
                let completion = await request.value
                hasEnded.withLock { $0 = true }
                return completion
            }
            #expect(await wire.origin.waitUntil(requests: 1, for: "/a"))
            if !isBeforeHead { while receiver.count < 1_000 { await Task.yield() } }
            try await turn(wire)
            time.withLock { $0 += 30 * Self.second - 1 }
            for _ in 0..<3 { try await turn(wire) }
            #expect(!hasEnded.read { $0 })
            time.withLock { $0 += 1 }
            let completion = await watcher.value
            #expect(completion.code == .timeout)
            #expect(completion.failure?.message == "no byte came for 30 s")
            #expect(completion.failure?.isTransient == true)
            #expect(receiver.count == (isBeforeHead ? 0 : 1_000))
        }
    }

    @Test("a trickle below the limit is no stall, however long it takes")
    func trickle() async throws {
        let gates = (0..<5).map { _ in Gate() }
        let time = MirrorTestSupport.Locked<Int64>(Self.second)
        try await Wire.use({ $0.stallTimeout = .seconds(30) }, now: { time.read { $0 } }) { wire in
            wire.origin.serve("/b") { _ in .text("b") }
            wire.origin.serve("/a") { _ in
                Answer(
                    status: 200, content: Content("12345"),
                    delivery: Delivery(
                        pace: .trickle(bytes: 1, every: .zero), hold: .init(at: .body(3), gate: gates[0])))
            }
            let receiver = Collector()
            let request = wire.start(Request(.get, try wire.address("/a")), to: receiver)
            while receiver.count < 3 { await Task.yield() }
            for _ in 0..<4 {
                time.withLock { $0 += 29 * Self.second }
                gates[0].open()
                while receiver.count < 5 { await Task.yield() }
            }
            #expect(await request.value.outcome == .finished)
        }
    }

    @Test("what is paused does not stall; afterwards the wait begins anew")
    func paused() async throws {
        let gate = Gate()
        let answer = Answer(
            status: 200, content: Content(.synthetic(length: 5_000, seed: 1)),
            delivery: .stall(after: 1_000, gate: gate))
        try await use(answer) { wire, time, request, receiver in
            while receiver.count < 1_000 { await Task.yield() }
            let transport = wire.transport
            await Task(executorPreference: transport.loop) { await transport.setPaused(true) }.value
            time.withLock { $0 += 3_600 * Self.second }
            await Task(executorPreference: transport.loop) { await transport.setPaused(false) }.value
            time.withLock { $0 += 29 * Self.second }
            for _ in 0..<3 { try await turn(wire) }
            gate.open()
            #expect(await request.value.outcome == .finished)
            #expect(receiver.count == 5_000)
        }
    }
}
