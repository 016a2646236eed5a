// The part of a plan that takes files away. It is carried out last, and only when everything else went well.

/// What is removed, or why nothing is.
package struct RemovalPlan: Sendable {
    package var files: [PlannedRemoval]
    /// Why nothing is removed though something could be. One sentence without final stop.
    package var refusal: String?

    package init(files: [PlannedRemoval] = [], refusal: String? = nil) {
        self.files = files
        self.refusal = refusal
    }
}

/// One recorded file that the sources no longer name.
package struct PlannedRemoval: Sendable {
    /// What is done with it.
    package enum Fate: Sendable, Equatable {
        case remove
        /// Only its record goes: it is gone already, or else another file is in its place by now.
        case forget(isGone: Bool)
        /// It stays, and why.
        case keep(String)
        /// It could not be found out whether it is still there.
        case fail(Failure)
    }

    package var path: LocalPath
    package var record: FileRecord
    package var fate: Fate
    /// Requests that it took to find out.
    package var requests = 0

    package init(path: LocalPath, record: FileRecord, fate: Fate) {
        self.path = path
        self.record = record
        self.fate = fate
    }
}
