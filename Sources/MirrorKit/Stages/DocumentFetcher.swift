// Documents over the network, read while they arrive. Each attempt reads anew; an index is never asked for
// conditionally, for its validators are those of the folder and say nothing of the files.

import MirrorCore
import MirrorSources
import MirrorStore
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

    /// Makes a document when it is known where it is, what it says of itself and which form it has to have.
    typealias Making = @Sendable (Address, ResponseHead, SourceForm?) -> SourceDocument

    let courier: Courier
    let clock: RunClock
    let policy: RetryPolicy
    /// Requests that the sources took.
    let requests = Locked(0)

    /// - Parameters:
    ///   - form: the form it has to have; nil for the one that its content shows.
    ///   - mayBeDAV: whether it may be a folder of a server that lists it under another method only.
    ///   - promise: what the document that names it promises of its bytes.
    /// - Throws: why there is no document at all. One that was cut is read as far as it goes.
    func fetch(
        _ address: Address, form: SourceForm?, mayBeDAV: Bool, promise: ListedPart? = nil, _ make: @escaping Making
    ) async throws(Failure) -> Fetched {
        if form == .dav { return try await fetch(Request(.propfind, address), promise) { make($0, $1, .xml) } }
        do {
            let fetched = try await fetch(Request(.get, address), promise) { make($0, $1, form) }
            guard mayBeDAV, fetched.isNoListing else { return fetched }
            return await fetchDAV(address, make) ?? fetched
        } catch {
            guard mayBeDAV, [403, 405, 501].contains(error.status ?? 0), let fetched = await fetchDAV(address, make)
            else { throw error }
            return fetched
        }
    }

    private func fetchDAV(_ address: Address, _ make: @escaping Making) async -> Fetched? {
        let fetched = try? await fetch(Request(.propfind, address), nil) { make($0, $1, .xml) }
        return fetched.flatMap { $0.isNoListing ? nil : $0 }
    }

    private func fetch(
        _ request: Request, _ promise: ListedPart?,
        _ make: @escaping @Sendable (Address, ResponseHead) -> SourceDocument
    ) async throws(Failure) -> Fetched {
        var patience = Patience(policy: policy, clock: clock)
        while true {
            let receiver = try DocumentReceiver(promise, make)
            let delivery = await courier.send(request) { address in
                receiver.expect(from: address)
                return receiver
            }
            requests.withLock { $0 += delivery.requests }
            let failure: Failure
            switch (delivery.completion.outcome, receiver.document) {
            case (.finished, let document?), (.stopped, let document?):
                let content = try receiver.proof(promise) ?? document.finish(isWhole: true)
                return Fetched(content: content, address: delivery.address)
            case (.cancelled, _): throw Failure(.invalidSource, "interrupted before it was read")
            case (.failed(let cause), let document):
                guard let delay = patience.delay(after: cause) else {
                    guard let document, promise == nil, delivery.completion.bodyBytes > 0 else { throw cause }
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

extension DocumentFetcher.Fetched {
    /// Whether it says of itself that it lists nothing.
    fileprivate var isNoListing: Bool {
        if case .listing(let listing) = content, case .failed = listing.state { return true }
        return false
    }
}

/// Hands the body of a good answer to a document.
// @unchecked: everything in it is touched on the loop's thread alone.
private final class DocumentReceiver: ResponseReceiver, @unchecked Sendable {
    private let make: @Sendable (Address, ResponseHead) -> SourceDocument
    private var address: Address?
    private let hash: RunningHash?
    private var size: Int64 = 0
    private(set) var document: SourceDocument?

    init(
        _ promise: ListedPart?, _ make: @escaping @Sendable (Address, ResponseHead) -> SourceDocument
    ) throws(Failure) {
        self.make = make
        hash = try promise?.checksum.map { (checksum) throws(Failure) in try RunningHash(checksum.algorithm) }
    }

    func expect(from address: Address) { self.address = address }

    func receive(head: ResponseHead) -> Bool {
        guard let address, head.status == 200 || head.status == 207 else { return false }
        document = make(address, head)
        return true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        size += Int64(bytes.count)
        hash?.update(bytes)
        return document?.read(bytes) ?? false
    }

    /// What stands for a document that is not the promised one.
    func proof(_ promise: ListedPart?) throws(Failure) -> SourceContent? {
        guard let promise else { return nil }
        if let wanted = promise.size, wanted != size {
            return .listing(Listing(state: .failed("it has \(size) bytes where \(wanted) were promised")))
        }
        guard let hash, let wanted = promise.checksum, try hash.finish() != wanted else { return nil }
        return .listing(Listing(state: .failed("its checksum is not the promised one")))
    }
}
