// The sums over a report's files.

/// Totals of a report; sums that would overflow stay at the largest value.
public struct Totals: Sendable, Equatable {
    /// Entries.
    public var files = 0
    /// Entries that failed.
    public var failed = 0
    /// Bytes of all remote files whose size is known.
    public var bytesTotal: Int64 = 0
    /// Bytes that the plan means to fetch, where known.
    public var bytesToFetch: Int64 = 0
    /// Body bytes that arrived.
    public var bytesFetched: Int64 = 0
    /// Bytes that were on disk before the run and stayed.
    public var bytesReused: Int64 = 0
    /// Requests of all kinds.
    public var requests = 0
    /// Attempts after the first of each file and URL.
    public var retries = 0
    /// Wall time of the run.
    public var seconds: Double
    /// How often each action occurs.
    public var actions: [Action: Int] = [:]

    package init(of files: [FileReport], seconds: Double) {
        self.seconds = seconds
        for file in files { add(file) }
    }

    private mutating func add(_ file: FileReport) {
        files += 1
        if file.status == .failed { failed += 1 }
        bytesTotal = Self.sum(bytesTotal, file.remoteSize ?? 0)
        bytesToFetch = Self.sum(bytesToFetch, file.bytesToFetch)
        bytesFetched = Self.sum(bytesFetched, file.bytesFetched)
        bytesReused = Self.sum(bytesReused, file.bytesReused)
        requests = Self.sum(requests, file.requests)
        retries = Self.sum(retries, file.retries)
        actions[file.action, default: 0] += 1
    }

    /// Saved reports are sums of what anybody wrote.
    static func sum<Number: FixedWidthInteger>(_ left: Number, _ right: Number) -> Number {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? (left < 0 ? Number.min : Number.max) : sum
    }
}
