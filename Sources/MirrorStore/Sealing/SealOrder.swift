// What a partial file needs to become the file: everything was fetched and proved before this is asked for.

import MirrorCore

/// The order to give a complete partial file its name.
package struct SealOrder: Sendable {
    package let partial: PartialFile
    /// Bytes; the file takes its name only if it has exactly so many.
    package let size: Int64
    /// The bytes that were written and proved: the file takes its name only if no other is in it.
    package let have: RangeSet
    /// The file that had the name when the plan was made; no other one is replaced.
    package let planned: LocalFile?
    /// The modification time it gets; nil leaves the time of the last write.
    package let modified: HTTPDate?
    /// What is recorded; size and time are replaced by those that the file then has on disk.
    package let record: FileRecord

    package init(
        partial: PartialFile, size: Int64, have: RangeSet, planned: LocalFile?, modified: HTTPDate?, record: FileRecord
    ) {
        self.partial = partial
        self.size = size
        self.have = have
        self.planned = planned
        self.modified = modified
        self.record = record
    }

    var path: LocalPath { partial.path }
}
