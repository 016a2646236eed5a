// Requests in, answers out. All of libcurl's state is this actor's, and this actor's thread is the loop's.

import CCurl
import Glibc
import MirrorCore
import MirrorThreads

/// Sends requests. Actors that share its executor hear of the answers without a change of thread.
package actor Transport {
    package nonisolated let loop: TransferLoop
    private let multi: MultiHandle
    /// What the loop sleeps on while the rate limit holds.
    private let alarm: MultiHandle
    private let profile: HandleProfile
    private var idle: [EasyHandle] = []
    /// By the address of the easy handle, which is what libcurl reports.
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]
    private var lastID = 0
    private var rateLimit: RateLimit?
    private let now: @Sendable () -> Int64
    private let stallTimeout: Duration
    private let stallLimit: Int64
    /// No request can have stalled before.
    private var nextLook: Int64 = 0
    private var isPaused = false
    private var isEnding = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(
        multi: sending MultiHandle, alarm: sending MultiHandle, options: TransportOptions,
        now: @escaping @Sendable () -> Int64
    ) {
        loop = TransferLoop(transfers: multi.pointer, alarm: alarm.pointer)
        self.multi = multi
        self.alarm = alarm
        rateLimit = options.rateLimit.map { RateLimit(bytesPerSecond: $0, now: MonotonicTime.now) }
        self.now = now
        stallTimeout = options.stallTimeout
        stallLimit = Int64(options.stallTimeout.milliseconds) * 1_000_000
        profile = HandleProfile(options, largestBuffer: rateLimit?.bufferSize)
    }

    /// Starts a loop with its thread. It lives until `end()`.
    /// - Parameter now: the clock by which an answer stalls, in nanoseconds, never going back.
    package static func start(
        _ options: TransportOptions, now: @escaping @Sendable () -> Int64 = { MonotonicTime.now }
    ) throws(Failure) -> Transport {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
            let multi = MultiHandle(
                connectionsPerHost: max(options.connectionsPerHost, 1), usesProxy: usesProxy(options)),
            let alarm = MultiHandle(connectionsPerHost: 1, usesProxy: false)
        else { throw Failure(.io, "libcurl cannot be started") }
        let transport = Transport(multi: multi, alarm: alarm, options: options, now: now)
        let thread = transport.loop.start {
            transport.assumeIsolated { $0.turn() }
        } hold: {
            transport.assumeIsolated { $0.hold() }
        } wait: {
            transport.assumeIsolated { $0.wait() }
        } leave: {
            transport.assumeIsolated { $0.multi.close() }
        }
        guard thread != nil else { throw Failure(.io, "no thread can be started") }
        return transport
    }

    private static func usesProxy(_ options: TransportOptions) -> Bool {
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return options.proxy != nil || variables.contains { getenv($0) != nil }
    }

    /// Sends one request and returns when it has ended. Cancelling the task ends it at once.
    package func send(_ request: Request, to receiver: any ResponseReceiver) async -> Completion {
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { begin(id, request, receiver, $0) }
        } onCancel: {
            Task(executorPreference: self.loop) { await self.cancel(id) }
        }
    }

    /// Stops reading from all connections, or goes on.
    package func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        self.isPaused = isPaused
        for transfer in running.values {
            transfer.excuseSilence()
            curl_easy_pause(transfer.handle.pointer, isPaused ? CURLPAUSE_ALL : CURLPAUSE_CONT)
        }
    }

    /// Ends all requests and then the thread.
    package func end() async {
        isEnding = true
        for transfer in Array(running.values) { finish(transfer, nil) }
        idle.removeAll()
        await loop.end()
    }

    private func begin(
        _ id: Int, _ request: Request, _ receiver: any ResponseReceiver,
        _ continuation: UnsafeContinuation<Completion, Never>
    ) {
        assertIsolated("a task that does not prefer the loop's executor")
        let handle = isEnding ? nil : idle.popLast() ?? EasyHandle(profile: profile)
        guard let handle else {
            let outcome: Completion.Outcome =
                isEnding ? .cancelled : .failed(.noMemoryForTransfer)
            return continuation.resume(returning: Completion(outcome: outcome))
        }
        let transfer = Transfer(
            id: id, request: request, handle: handle, receiver: receiver, continuation: continuation,
            counter: rateLimit == nil ? nil : self, watch: StallWatch(limit: stallLimit), now: now)
        start(transfer)
    }

    private func start(_ transfer: Transfer) {
        running[transfer.handle.pointer] = transfer
        if !multi.add(transfer.handle) { return finish(transfer, nil, .noMemoryForTransfer) }
        if isPaused { curl_easy_pause(transfer.handle.pointer, CURLPAUSE_ALL) }
    }

    private func cancel(_ id: Int) {
        if let transfer = running.values.first(where: { $0.id == id }) { finish(transfer, nil) }
    }

    /// One turn of the loop: libcurl moves the transfers, and those that ended are answered.
    private func turn() {
        multi.perform()
        while let (handle, result) = multi.nextDone() {
            if let transfer = running[handle] { finish(transfer, result) }
        }
        endStalled()
    }

    /// libcurl's own watch takes the average of some seconds, and so is late by as many.
    private func endStalled() {
        let now = now()
        guard !isPaused, now >= nextLook else { return }
        // A request that begins later stalls later.
        nextLook = now + stallLimit
        for transfer in Array(running.values) {
            guard let deadline = transfer.watch.deadline else { continue }
            if deadline <= now {
                finish(transfer, nil, .stalled(after: stallTimeout))
            } else {
                nextLook = min(nextLook, deadline)
            }
        }
    }

    /// Milliseconds that the loop may sleep, rounded up: a request is given up after its time and never before.
    private func wait() -> Int32 {
        guard !isPaused, !running.isEmpty else { return 1000 }
        return Int32(min(max((nextLook - now() + 999_999) / 1_000_000, 0), 1000))
    }

    private func finish(_ transfer: Transfer, _ result: CURLcode?, _ failure: Failure? = nil) {
        running[transfer.handle.pointer] = nil
        multi.remove(transfer.handle)
        if let result, !isEnding, transfer.beginsAnew(after: result, with: { EasyHandle(profile: profile) }) {
            return start(transfer)
        }
        transfer.finish(result, failure)
        idle.append(transfer.handle)
    }

    /// Milliseconds for which too many bytes have come.
    private func hold() -> Int32 { rateLimit?.delay(now: MonotonicTime.now) ?? 0 }

    /// Called from within libcurl's callbacks.
    nonisolated func count(_ bytes: Int) { assumeIsolated { $0.rateLimit?.take(bytes) } }
}
