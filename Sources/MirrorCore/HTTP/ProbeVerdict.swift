// What the answer to a question about a file is good for. A HEAD is often refused or wrong; then a GET of one byte
// asks again, and where that is refused too only a plain GET can tell.

/// The ways to ask, in the order in which they are tried.
package enum ProbeMethod: Sendable, Equatable {
    case head
    /// GET with `bytes=0-0`.
    case firstByte

    /// The way to try when this one gave nothing.
    package var next: ProbeMethod? { self == .head ? .firstByte : nil }
}

/// What one question brought.
package enum ProbeVerdict: Sendable, Equatable {
    case facts(RemoteFacts)
    /// This way of asking does not work here; another may.
    case useless(RemoteFacts)
    /// The same question may be answered later.
    case retry(Failure)

    /// Whether the answer to a HEAD is about the method, and not about this file alone: URLs that are signed for GET
    /// answer 403, servers that do not know the method 400, 405 or 501.
    package static func refusesMethod(_ status: Int?) -> Bool {
        status.map { [400, 403, 405, 501].contains($0) } ?? false
    }

    /// What is known when nobody asks any more. Servers fail on questions that are no plain GET in every way; what is
    /// about the client holds for GET as well.
    /// - Parameter failure: how the last question ended.
    package static func facts(after failure: Failure) -> RemoteFacts {
        guard let status = failure.status, !CrowdRule.isThrottle(status) else {
            return RemoteFacts(status: failure.status, failure: failure)
        }
        return RemoteFacts(status: status, refusal: failure)
    }

    /// - Parameters:
    ///   - refusesHTML: whether an answer of text/html is no file.
    ///   - record: what was written down when the local file was fetched, if it is still that one.
    package static func on(
        _ head: ResponseHead, method: ProbeMethod, refusesHTML: Bool, record: FileRecord? = nil
    ) -> ProbeVerdict {
        let failure = Failure.status(head.status)
        switch head.status {
        case 200, 206:
            if refusesHTML, let type = head.mediaType, MediaType.isWebPage(type) {
                return .useless(facts(head, size: nil, failure: .unexpectedType(type)))
            }
            return head.status == 206 ? onFirstByte(head) : onWhole(head, method, record)
        case 416 where method == .firstByte:
            // The only file that has no first byte is the empty one.
            let total = head.contentRange.flatMap(ContentRange.init)?.total
            return .facts(facts(head, size: total == 0 ? 0 : nil))
        // Servers fail on HEAD in every way, but 429 and 503 are about the client and hold for GET as well.
        case 400...599 where failure.isTransient && (method == .firstByte || CrowdRule.isThrottle(head.status)):
            var failure = failure
            failure.retryAfter = head.relativeRetryAfter
            return .retry(failure)
        case 400...599: return .useless(RemoteFacts(status: head.status, refusal: failure))
        default: return .useless(facts(head, size: nil))
        }
    }

    private static func onWhole(
        _ head: ResponseHead, _ method: ProbeMethod, _ record: FileRecord?
    ) -> ProbeVerdict {
        if method == .head, needsGET(head, record) { return .useless(facts(head, size: nil)) }
        // The answer to GET is the file itself: its length is the size, even when it is 0.
        let isSize = !head.isEncoded && head.contentRange == nil
        return .facts(facts(head, size: isSize ? head.contentLength.flatMap(possible) : nil))
    }

    /// Whether the answer to a HEAD says too little, or what a GET of the same state has shown to be wrong.
    private static func needsGET(_ head: ResponseHead, _ record: FileRecord?) -> Bool {
        let relation = record?.validators.compare(with: head.validators) ?? .unknown
        // The length of a coded form tells nothing; a file that has always come coded has no other.
        if head.isEncoded { return !(record?.isEncoded ?? false && relation == .same) }
        // No length, or a length of 0, is what servers say that do not know; but the file may well be as empty as it
        // was.
        let isStillEmpty = head.contentLength == 0 && record?.size == 0 && relation == .same
        guard isStillEmpty || head.contentLength.flatMap(possible) ?? 0 > 0 else { return true }
        guard let record, !record.isEncoded, relation != .different else { return false }
        return head.contentLength != record.size
    }

    private static func onFirstByte(_ head: ResponseHead) -> ProbeVerdict {
        let content = head.contentRange.flatMap(ContentRange.init)
        let isAsAsked = content?.range?.first == 0 && !head.isEncoded
        return .facts(facts(head, size: isAsAsked ? content?.total.flatMap(possible) : nil))
    }

    private static func possible(_ size: Int64) -> Int64? { size <= ByteCount.largestFile ? size : nil }

    private static func facts(_ head: ResponseHead, size: Int64?, failure: Failure? = nil) -> RemoteFacts {
        // An error page has fields of its own, which say nothing of the file.
        guard failure == nil, [200, 206].contains(head.status) else {
            return RemoteFacts(size: size, status: head.status, failure: failure)
        }
        return RemoteFacts(
            size: size, validators: head.validators, mediaType: head.mediaType, status: head.status,
            suggestedName: head.contentDisposition.flatMap(ContentDisposition.fileName))
    }
}
