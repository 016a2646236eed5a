// The plan is a value: what a dry run reports and a real run carries out.

/// Every entry with its decision, in the order of the source.
package struct Plan: Sendable {
    package var files: [PlannedFile]
    /// What is taken away when all files are in line.
    package var removals: RemovalPlan

    package init(files: [PlannedFile], removals: RemovalPlan = RemovalPlan()) {
        self.files = files
        self.removals = removals
    }

    /// The bytes that are known to be needed before the first one is fetched.
    package var knownBytesToFetch: Int64 {
        files.reduce(0) { sum, file in
            guard file.decision.failure == nil else { return sum }
            let (total, overflow) = sum.addingReportingOverflow(file.decision.bytesToFetch ?? 0)
            return overflow ? Int64.max : total
        }
    }
}

/// One entry of the plan.
package struct PlannedFile: Sendable {
    package var entry: Entry
    /// nil only where the entry has no usable path; the decision then carries the failure.
    package var path: LocalPath?
    package var decision: Decision
    /// What mirror knows of the file that is there: its type tells a web page from a file.
    package var record: FileRecord?
    /// What the server said while the plan was made; nil when it was not asked.
    package var remote: RemoteFacts?

    package init(
        entry: Entry, path: LocalPath?, decision: Decision, record: FileRecord? = nil, remote: RemoteFacts? = nil
    ) {
        self.entry = entry
        self.path = path
        self.decision = decision
        self.record = record
        self.remote = remote
    }
}
