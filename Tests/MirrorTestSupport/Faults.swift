// The misbehaviour of a resource, one switch for each way. The default of every switch is what RFC 9110 asks for.

/// What a resource does wrong; the switches combine.
package struct Faults: Sendable {
    /// What HEAD gets.
    package enum HeadHandling: Sendable {
        case normal
        /// That status with an HTML page, to HEAD only.
        case status(Int)
        case hang
        case closed(Ending)
        case zeroLength
        case noLength
        /// A length that GET does not confirm.
        case length(Int64)
        /// A Content-Encoding with the encoded length, where GET sends identity.
        case encoded(String, length: Int64)
    }

    /// What If-Range does.
    package enum IfRangeHandling: Sendable {
        case honoured
        /// 206 whatever If-Range says.
        case ignored
        /// ETags are not understood: 200. Dates are compared.
        case datesOnly
        /// Weak tags match too, which RFC 9110 section 13.1.5 forbids.
        case weakComparison
        /// 200 whenever If-Range is there.
        case always200
    }

    /// What the answers say of ETag and Last-Modified.
    package enum ValidatorHandling: Sendable {
        case asGiven
        /// Neither ETag nor Last-Modified.
        case none
        /// Another ETag in each answer.
        case randomETag
        /// The ETag with `W/` before it.
        case weakETag
    }

    /// Faults of HEAD only.
    package var head = HeadHandling.normal
    /// Faults of requests with a range that could be satisfied.
    package var range = RangeHandling.honour
    /// Faults of If-Range.
    package var ifRange = IfRangeHandling.honoured
    /// Faults of ETag and Last-Modified.
    package var validators = ValidatorHandling.asGiven
    /// If-Match, If-None-Match, If-Modified-Since and If-Unmodified-Since have no effect.
    package var ignoresConditions = false
    /// A 416 comes without `Content-Range: bytes */total`.
    package var omitsTotalIn416 = false
    /// A Content-Encoding header on GET, whatever the body is and the client accepts.
    package var contentEncoding: String?
    /// Framing of 200 and 206 answers to GET.
    package var framing = Framing.length
    /// Delivery of 200 and 206 answers to GET.
    package var delivery = Delivery.plain

    /// A healthy resource.
    package init() {}

    /// A healthy resource but for what `change` sets: `Faults { $0.range = .ignore }`.
    package init(_ change: (inout Faults) -> Void) {
        self.init()
        change(&self)
    }
}
