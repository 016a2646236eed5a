// Documents over the network, read while they arrive. Each attempt reads anew; an index is never asked for
// conditionally, for its validators are those of the folder and say nothing of the files.

import MirrorCore
import MirrorSources
import MirrorThreads
import MirrorTransport
import MirrorURL

/// Fetches documents with the same patience as files.
struct DocumentFetcher: Sendable {
    /// A document that was read.
    struct Fetched: Sendable {
        let content: SourceContent
        /// Where it was, after all redirects.
        let address: Address
    }

    let courier: Courier
    let clock: RunClock
    let policy: RetryPolicy

    /// - Parameter make: makes the document when it is known where it is and what it says of itself.
    /// - Throws: why there is no document at all. One that was cut is read as far as it goes.
    func fetch(
        _ request: Request, _ make: @escaping @Sendable (Address, ResponseHead) -> SourceDocument
    ) async throws(Failure) -> Fetched {
        var patience = Patience(policy: policy, clock: clock)
        while true {
            let receiver = DocumentReceiver(make)
            let delivery = await courier.send(request) { address in
                receiver.expect(from: address)
                return receiver
            }
            let failure: Failure
            switch (delivery.completion.outcome, receiver.document) {
            case (.finished, let document?), (.stopped, let document?):
                return Fetched(content: document.finish(isWhole: true), address: delivery.address)
            case (.cancelled, _): throw Failure(.invalidSource, "interrupted before it was read")
            case (.failed(let cause), let document):
                guard let delay = patience.delay(after: cause) else {
                    guard let document, delivery.completion.bodyBytes > 0 else { throw cause }
                    return Fetched(content: document.finish(isWhole: false), address: delivery.address)
                }
                await clock.sleep(delay)
                continue
            case (_, nil):
                var refusal = Failure.status(delivery.completion.head?.status ?? 0)
                refusal.retryAfter = delivery.completion.head?.retryAfter
                failure = refusal
            }
            guard let delay = patience.delay(after: failure) else { throw failure }
            await clock.sleep(delay)
        }
    }
}

/// Hands the body of a good answer to a document.
// @unchecked: everything in it is touched on the loop's thread alone.
private final class DocumentReceiver: ResponseReceiver, @unchecked Sendable {
    private let make: @Sendable (Address, ResponseHead) -> SourceDocument
    private var address: Address?
    private(set) var document: SourceDocument?

    init(_ make: @escaping @Sendable (Address, ResponseHead) -> SourceDocument) { self.make = make }

    func expect(from address: Address) { self.address = address }

    func receive(head: ResponseHead) -> Bool {
        guard let address, head.status == 200 || head.status == 207 else { return false }
        document = make(address, head)
        return true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { document?.read(bytes) ?? false }
}
