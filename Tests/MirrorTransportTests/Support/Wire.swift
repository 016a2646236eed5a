// A transport with an origin at its other end.

import MirrorCore
import MirrorTestSupport
import MirrorTransport
import MirrorURL

typealias Request = MirrorTransport.Request

/// Sends requests the way the rest of the program does.
final class Wire: Sendable {
    let origin: WickedOrigin
    let transport: Transport

    private init(_ origin: WickedOrigin, _ transport: Transport) {
        self.origin = origin
        self.transport = transport
    }

    /// Runs a test with a transport that ends with it.
    static func use(
        limits: Limits = Limits(), _ change: (inout TransportOptions) -> Void = { _ in },
        now: (@Sendable () -> Int64)? = nil, _ body: (Wire) async throws -> Void
    ) async throws {
        var options = TransportOptions(userAgent: "test/1")
        // Silences in tests are meant; on a busy machine they are longer than a server's ever should be. The clock of a
        // test that is about stalls is handed in, and counts from the default.
        if now == nil { options.stallTimeout = .seconds(3_600) }
        change(&options)
        let wire = Wire(
            try WickedOrigin(limits: limits),
            try now.map { try Transport.start(options, now: $0) } ?? Transport.start(options))
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(wire))
        } catch {
            result = .failure(error)
        }
        await wire.end()
        wire.origin.stop()
        try result.get()
    }

    private let hasEnded = MirrorTestSupport.Locked(false)

    /// Ends the transport, once.
    func end() async {
        let isFirst = hasEnded.withLock { ended in
            defer { ended = true }
            return !ended
        }
        guard isFirst else { return }
        let transport = transport
        await Task(executorPreference: transport.loop) { await transport.end() }.value
    }

    func address(_ path: String) throws -> Address { try URLParser().parse(origin.url(path)) }

    func start(_ request: Request, to receiver: Collector) -> Task<Completion, Never> {
        let transport = transport
        return Task(executorPreference: transport.loop) { await transport.send(request, to: receiver) }
    }

    func send(_ request: Request, to receiver: Collector = Collector()) async -> Completion {
        await start(request, to: receiver).value
    }

    func get(_ path: String, to receiver: Collector = Collector()) async throws -> Completion {
        await send(Request(.get, try address(path)), to: receiver)
    }
}

extension Completion {
    /// The code of a failure; nil for any other end.
    var code: FailureCode? { if case .failed(let failure) = outcome { failure.code } else { nil } }
}

extension Address {
    /// The same on the loopback address of IPv6.
    func onIPv6(port: UInt16) throws -> Address { try URLParser().parse("http://[::1]:\(port)\(path)") }
}
