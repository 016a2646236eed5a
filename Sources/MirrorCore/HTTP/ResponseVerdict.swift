// Judgement of a response by its head, before its first byte is written. libcurl checks none of this: a range
// request may be answered with anything.

/// What was asked for, and what the answer must agree with.
package struct Demand: Sendable, Equatable {
    /// The bytes asked for; `last` nil asks up to the end.
    package enum Part: Sendable, Equatable {
        case whole
        case range(first: Int64, last: Int64?)
    }

    package var part: Part
    /// The state that the bytes on disk belong to; nil when there are none.
    package var generation: Generation?
    /// Whether the answer repeats bytes that are on disk, which then are compared.
    package var isProved: Bool
    /// Whether the request carried a condition, so that 304 is an answer.
    package var isConditional: Bool
    /// Whether an answer of text/html is no file: see `MediaType`.
    package var refusesHTML: Bool
    /// The size and validators that the source promises.
    package var declaredSize: Int64?
    package var promised: Validators
    /// What the server said when it was asked for size and state, where it was.
    package var claim: Generation?
    /// Whether caches were passed by, so that an answer that contradicts the claim is the server's own.
    package var isSecondLook: Bool

    package init(
        part: Part, generation: Generation? = nil, isProved: Bool = false, isConditional: Bool = false,
        refusesHTML: Bool = false, declaredSize: Int64? = nil, promised: Validators = Validators(),
        claim: Generation? = nil, isSecondLook: Bool = false
    ) {
        self.claim = claim
        self.isSecondLook = isSecondLook
        self.part = part
        self.generation = generation
        self.isProved = isProved
        self.isConditional = isConditional
        self.refusesHTML = refusesHTML
        self.declaredSize = declaredSize
        self.promised = promised
    }
}

/// What an answer is good for.
package enum ResponseVerdict: Sendable, Equatable {
    /// The body is the whole file from byte 0. `total` is nil when the server does not say.
    case whole(total: Int64?)
    /// The body is these bytes of the generation that was demanded. It starts at or before the byte asked for.
    case part(ByteRange)
    /// 304: the local file is current.
    case unchanged
    /// The server has another state of the file than the bytes on disk belong to.
    case otherGeneration
    /// Ranges do not work here, though the file may be had in one stream.
    case rangeUnusable(Failure)
    /// Nothing of the body is of use.
    case failure(Failure)

    /// Judges the head of a final response. No body byte of any other verdict than `whole` and `part` is ever written.
    package static func on(_ head: ResponseHead, for demand: Demand) -> ResponseVerdict {
        switch head.status {
        case 200: onWhole(head, demand)
        case 206: onPart(head, demand)
        case 304 where demand.isConditional: .unchanged
        case 412: .otherGeneration
        case 416: onUnsatisfiable(head, demand)
        case 400...599: .failure(withRetryAfter(.status(head.status), head))
        default: .failure(Failure(.http, "the server answered \(head.status)", status: head.status))
        }
    }

    private static func withRetryAfter(_ failure: Failure, _ head: ResponseHead) -> Failure {
        var failure = failure
        failure.retryAfter = head.relativeRetryAfter
        return failure
    }

    private static func onWhole(_ head: ResponseHead, _ demand: Demand) -> ResponseVerdict {
        // A slice sent as 200 contradicts itself: it is good as the 206 it should have been, or not at all.
        if head.contentRange != nil { return onPart(head, demand) }
        if let failure = contradiction(head, demand) { return .failure(failure) }
        let total = head.contentLength
        if let total, let declared = demand.declaredSize, total != declared, !head.isEncoded {
            return .failure(.size(declared: declared, actual: total, head))
        }
        if let total, let claim = demand.claim, isDoubtful(total, head, claim, demand) {
            return .failure(.lessThanClaimed(claim.total, actual: total))
        }
        return .whole(total: total)
    }

    /// Whether less of a file comes than the server said it has, in the same state: a cut copy in a cache looks so. At
    /// the second look the answer holds against the claim; but nothing at all is no file of which there was something.
    private static func isDoubtful(_ total: Int64, _ head: ResponseHead, _ claim: Generation, _ demand: Demand) -> Bool
    {
        guard total < claim.total, !head.isEncoded, claim.validators.compare(with: head.validators) != .different
        else { return false }
        return total == 0 || !demand.isSecondLook
    }

    private static func onPart(_ head: ResponseHead, _ demand: Demand) -> ResponseVerdict {
        if let failure = contradiction(head, demand) { return .failure(failure) }
        if head.mediaType == "multipart/byteranges" { return .rangeUnusable(.range("it has several parts")) }
        if head.isEncoded { return .rangeUnusable(.range("it is content-coded")) }
        guard let text = head.contentRange else { return .rangeUnusable(.range("it has no Content-Range")) }
        guard let content = ContentRange(text), let sent = content.range else {
            return .rangeUnusable(.range("its Content-Range is «\(text.prefix(80))»"))
        }
        if let length = head.contentLength, length != sent.count {
            return .rangeUnusable(.range("\(length) bytes for a Content-Range of \(sent.count)"))
        }
        if let total = content.total, total > ByteCount.largestFile { return .rangeUnusable(.absurdSize(total)) }
        guard let total = content.total else { return .rangeUnusable(.range("it does not say how large the file is")) }
        switch demand.part {
        case .whole:
            guard sent.first == 0, sent.end == total else { return .rangeUnusable(.range("no range was asked for")) }
            return onWholeInOnePart(total, head, demand)
        case .range(let first, let last):
            if let generation = demand.generation {
                guard generation.accepts(total: total, validators: head.validators) else { return .otherGeneration }
                // An If-Range that the server never looked at is answered just so.
                if !demand.isProved, generation.isSilent(head.validators) {
                    return .rangeUnusable(.range("it does not say which state of the file it is of"))
                }
            }
            if let declared = demand.declaredSize, total != declared {
                return .failure(.size(declared: declared, actual: total, head))
            }
            // Later starts leave a hole and longer ends run into bytes that were not asked for; earlier starts and
            // shorter ends are usual for caches that work in blocks, and still say exactly which bytes they are.
            guard sent.first <= first, sent.last >= first, last.map({ sent.last <= $0 }) ?? true else {
                return .rangeUnusable(.range("asked from \(first), got \(sent.first)-\(sent.last)"))
            }
            return .part(sent)
        }
    }

    private static func onWholeInOnePart(_ total: Int64, _ head: ResponseHead, _ demand: Demand) -> ResponseVerdict {
        if let declared = demand.declaredSize, total != declared {
            return .failure(.size(declared: declared, actual: total, head))
        }
        return .whole(total: total)
    }

    private static func onUnsatisfiable(_ head: ResponseHead, _ demand: Demand) -> ResponseVerdict {
        guard case .range = demand.part else { return .failure(.status(416)) }
        guard let generation = demand.generation, let content = head.contentRange.flatMap(ContentRange.init),
            content.total == generation.total
        else { return .otherGeneration }
        return .rangeUnusable(.range("it says 416 for bytes that the file has"))
    }

    /// What makes any body useless: no telling where it ends, a web page in place of a file, or another version than the
    /// source promised.
    private static func contradiction(_ head: ResponseHead, _ demand: Demand) -> Failure? {
        if head.hasInvalidLength { return .invalidLength }
        if demand.refusesHTML, let type = head.mediaType, MediaType.isWebPage(type) { return .unexpectedType(type) }
        if let length = head.contentLength, length > ByteCount.largestFile { return .absurdSize(length) }
        if let promised = demand.promised.etag, let etag = head.validators.etag, !promised.weaklyMatches(etag) {
            return .promisedStateGone("the ETag")
        }
        if demand.promised.lastModified != nil,
            Validators(lastModified: demand.promised.lastModified)
                .compare(with: Validators(lastModified: head.validators.lastModified)) == .different
        {
            return .promisedStateGone("Last-Modified")
        }
        return nil
    }
}
