// Asks servers for the size and state of files, before anything is decided.

import MirrorCore
import MirrorTransport
import MirrorURL

/// Questions about files: HEAD, and where that is of no use a GET of one byte.
actor Prober {
    /// What is asked, and what is known before.
    struct Question: Sendable {
        let entry: Entry
        /// Whether a web page in answer is no file.
        let refusesHTML: Bool
        /// What is written down of the local file, if it is still the one that was fetched.
        let record: FileRecord?
    }

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
    func facts(of question: Question) async -> RemoteFacts? {
        var requests = 0
        var last: RemoteFacts?
        let addresses = question.entry.addresses
        for address in addresses where question.entry.mayAsk(address, after: last?.failure ?? last?.refusal) {
            guard var facts = await facts(at: address, question) else { return nil }
            requests += facts.requests
            facts.requests = requests
            if addresses.count > 1 { facts.url = Redaction.text(of: address) }
            if facts.failure == nil, facts.refusal == nil { return facts }
            // What the first URL says tells most, for alternates may be anything; but where one may still answer a
            // plain GET, that is to be tried.
            if last == nil || last?.failure != nil && facts.failure == nil { last = facts }
        }
        last?.requests = requests
        return last
    }

    private func facts(at address: Address, _ question: Question) async -> RemoteFacts? {
        var method = headless.contains(address.origin) ? ProbeMethod.firstByte : .head
        var patience = Patience(policy: policy, clock: clock)
        var requests = 0
        var unanswered = 0
        while true {
            let answer = await ask(address, method, question.entry)
            requests += answer.requests
            let failure: Failure
            switch judge(answer, method, question) {
            case nil: return nil
            case .facts(var facts):
                facts.requests = requests
                facts.isFolder = answer.address.isFolder(of: address)
                return facts
            case .useless(var facts):
                facts.requests = requests
                facts.isFolder = answer.address.isFolder(of: address)
                if facts.isFolder { return facts }
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
                var facts = ProbeVerdict.facts(after: failure)
                facts.requests = requests
                return facts
            }
            await clock.sleep(delay)
            if Task.isCancelled { return nil }
        }
    }

    private func ask(_ address: Address, _ method: ProbeMethod, _ entry: Entry) async -> Delivery {
        var request = entry.request(method == .head ? .head : .get, address)
        if method == .firstByte { request.range = (0, 0) }
        return await courier.send(request, to: HeadReceiver())
    }

    private func refusal(_ completion: Completion) -> Failure {
        var failure = completion.failure ?? .status(completion.head?.status ?? 0)
        failure.retryAfter = completion.head?.relativeRetryAfter
        return failure
    }

    private func judge(_ delivery: Delivery, _ method: ProbeMethod, _ question: Question) -> ProbeVerdict? {
        let completion = delivery.completion
        // It says nothing of the file, nor of the method.
        if delivery.isOfCrowd { return .retry(refusal(completion).ofCrowd) }
        return switch completion.outcome {
        case .cancelled: nil
        case .failed(let failure): failure.isTransient ? .retry(failure) : .facts(RemoteFacts(failure: failure))
        case .finished, .stopped:
            completion.head.map { head in
                ProbeVerdict.on(
                    head, method: method, refusesHTML: question.refusesHTML, record: question.record)
            } ?? .retry(Failure(.http, "the server sent no answer", isTransient: true))
        }
    }
}

/// Wants no body: what is asked for is the head.
final class HeadReceiver: ResponseReceiver {
    func receive(head: ResponseHead) -> Bool { false }
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
}
