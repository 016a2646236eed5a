// What the planner decided for one entry.

/// Where bytes of the new file are already on disk.
package enum Kept: Sendable, Equatable {
    case nothing
    /// In mirror's own partial file.
    case partial(PartialRecord)
    /// In a shorter file under the final name, to be proved by an overlap: this many bytes, and the state of the
    /// remote file that they are to be completed to.
    case localFile(Int64, Generation)
}

/// One entry's action with all that carrying it out needs.
package struct Decision: Sendable, Equatable {
    package var action: Action
    /// Why, in words for the report.
    package var reason: String
    /// Bytes of the file under its final name.
    package var localSize: Int64?
    /// Bytes of the remote file.
    package var remoteSize: Int64?
    package var kept: Kept
    /// The bytes to fetch; nil when the size is not known.
    package var ranges: [ByteRange]?
    /// What a conditional request carries: an answer of 304 turns the action into `skip`.
    package var condition: Validators?
    /// Why nothing can be done.
    package var failure: Failure?

    package init(
        _ action: Action, _ reason: String, localSize: Int64? = nil, remoteSize: Int64? = nil, kept: Kept = .nothing,
        ranges: [ByteRange]? = nil, condition: Validators? = nil, failure: Failure? = nil
    ) {
        self.action = action
        self.reason = reason
        self.localSize = localSize
        self.remoteSize = remoteSize
        self.kept = kept
        self.ranges = ranges
        self.condition = condition
        self.failure = failure
    }

    /// Bytes to fetch; nil when not known.
    package var bytesToFetch: Int64? { ranges.map { $0.reduce(0) { $0 + $1.count } } }
}
