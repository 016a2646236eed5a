// What tells one state of a remote file from another.

/// The validators of a response (RFC 9110 section 8.8).
public struct Validators: Sendable, Equatable {
    /// The ETag field.
    public var etag: EntityTag?
    /// The Last-Modified field as text, so that a date that cannot be read still tells two states apart.
    public var lastModified: String?
    /// The Date field, which says how far Last-Modified can be trusted.
    package var date: HTTPDate?

    package init(etag: EntityTag? = nil, lastModified: String? = nil, date: HTTPDate? = nil) {
        self.etag = etag
        self.lastModified = lastModified
        self.date = date
    }

    /// Last-Modified as a date, where it is one.
    public var lastModifiedDate: HTTPDate? { lastModified.flatMap(HTTPDate.init) }

    package var isEmpty: Bool { etag == nil && lastModified == nil }

    /// What If-Range may carry: a strong ETag, or a Last-Modified that is at least one second older than the Date
    /// of the same answer, so that no second change can hide in that second (RFC 9110 sections 8.8.2.2 and 13.1.5).
    /// A weak tag never.
    package var ifRange: String? {
        if let etag {
            return etag.isWeak ? dateForIfRange : etag.text
        }
        return dateForIfRange
    }

    /// Whether two states of the file cannot both have these.
    package var tellStatesApart: Bool { ifRange != nil }

    private var dateForIfRange: String? {
        guard let date, let modified = lastModifiedDate, modified.seconds < date.seconds else { return nil }
        return lastModified
    }

    /// How a later answer relates to these.
    package enum Comparison: Sendable, Equatable {
        /// Something that both carry is different.
        case different
        /// All that both carry is equal.
        case same
        /// They have nothing in common to compare.
        case unknown
    }

    /// Compares what both carry. An ETag is equal when its opaque part is: a weak tag that stays the same speaks
    /// for no change, only it proves nothing to a range request.
    package func compare(with later: Validators) -> Comparison {
        var compared = false
        if let etag, let other = later.etag {
            guard etag.weaklyMatches(other) else { return .different }
            compared = true
        }
        if let lastModified, let other = later.lastModified {
            guard lastModified.hasSameBytes(as: other) || Self.sameDate(lastModified, other) else { return .different }
            compared = true
        }
        return compared ? .same : .unknown
    }

    /// These, or those of a later answer of the same state that has all that they have. Never some of each: a date says
    /// something of the Last-Modified of its own answer only.
    package func completed(by later: Validators) -> Validators {
        let hasAll = (etag == nil || later.etag != nil) && (lastModified == nil || later.lastModified != nil)
        let hasMore = etag == nil && later.etag != nil || lastModified == nil && later.lastModified != nil
        return hasAll && hasMore && compare(with: later) != .different ? later : self
    }

    private static func sameDate(_ left: String, _ right: String) -> Bool {
        guard let left = HTTPDate(left), let right = HTTPDate(right) else { return false }
        return left == right
    }

    /// Dates are compared as times where both can be read.
    public static func == (left: Validators, right: Validators) -> Bool {
        left.etag == right.etag && left.date == right.date
            && (left.lastModified == nil) == (right.lastModified == nil)
            && (left.lastModified ?? "").hasSameBytes(as: right.lastModified ?? "")
    }
}
