// Asks servers for the size and state of files, before anything is decided.

import MirrorCore
import MirrorTransport

/// Questions about files: HEAD, and where that is of no use a GET of one byte.
actor Prober {
    private let courier: Courier
    private let clock: RunClock
    private let policy: RetryPolicy
    /// Origins that refuse the method HEAD: they are not asked that way again.
    private var headless: Set<Origin> = []
    /// After so many HEADs without an answer the next question is a GET.
    private static let patienceWithHEAD = 2

    nonisolated var unownedExecutor: UnownedSerialExecutor { courier.unownedExecutor }

    init(courier: Courier, clock: RunClock, policy: RetryPolicy) {
        self.courier = courier
        self.clock = clock
        self.policy = policy
    }

    /// What the first URL that answers says of an entry; nil when the task was cancelled.
    /// - Parameter refusesHTML: whether a web page in answer is no file.
    func facts(of entry: Entry, refusesHTML: Bool) async -> RemoteFacts? {
        var requests = 0
        var last: RemoteFacts?
        for address in entry.addresses {
            guard var facts = await facts(at: address, entry.options, refusesHTML) else { return nil }
            requests += facts.requests
            facts.requests = requests
            if facts.failure == nil { return facts }
            // The failure of the first URL tells most; alternates may be anything.
            last = last ?? facts
        }
        last?.requests = requests
        return last
    }

    private func facts(at address: Address, _ options: EntryOptions?, _ refusesHTML: Bool) async -> RemoteFacts? {
        var method = headless.contains(address.origin) ? ProbeMethod.firstByte : .head
        var patience = Patience(policy: policy, clock: clock)
        var requests = 0
        var unanswered = 0
        while true {
            let answer = await ask(address, method, options)
            requests += answer.requests
            let failure: Failure
            switch judge(answer.completion, method, refusesHTML) {
            case nil: return nil
            case .facts(var facts):
                facts.requests = requests
                return facts
            case .useless(var facts):
                facts.requests = requests
                guard let next = method.next else { return facts }
                if ProbeVerdict.refusesMethod(facts.status) { headless.insert(address.origin) }
                method = next
                continue
            case .retry(let transient): failure = transient
            }
            if answer.completion.head == nil { unanswered += 1 }
            // Servers and firewalls are known that let HEAD hang or cut it off.
            if unanswered >= Self.patienceWithHEAD { method = .firstByte }
            guard let delay = patience.delay(after: failure) else {
                return RemoteFacts(failure: failure, requests: requests)
            }
            await clock.sleep(delay)
            if Task.isCancelled { return nil }
        }
    }

    private func ask(_ address: Address, _ method: ProbeMethod, _ options: EntryOptions?) async -> Delivery {
        var request = Request(
            method == .head ? .head : .get, address, fields: options?.fields ?? [], referer: options?.referer,
            userAgent: options?.userAgent)
        if method == .firstByte { request.range = (0, 0) }
        return await courier.send(request, to: HeadReceiver())
    }

    private func judge(_ completion: Completion, _ method: ProbeMethod, _ refusesHTML: Bool) -> ProbeVerdict? {
        switch completion.outcome {
        case .cancelled: nil
        case .failed(let failure): failure.isTransient ? .retry(failure) : .facts(RemoteFacts(failure: failure))
        case .finished, .stopped:
            completion.head.map { ProbeVerdict.on($0, method: method, refusesHTML: refusesHTML) }
                ?? .retry(Failure(.http, "the server sent no answer", isTransient: true))
        }
    }
}

/// Wants no body: what is asked for is the head.
final class HeadReceiver: ResponseReceiver {
    func receive(head: ResponseHead) -> Bool { false }
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
}
