// A partial file as the state knows it.

import MirrorCore

/// What is stored of one partial file.
struct StoredPartial: Sendable {
    var record: PartialRecord
    /// Its name in the folder of partial files.
    var file: String
    var sums: [KnownSum]

    /// Takes away what lies behind the first `size` bytes.
    mutating func clamp(to size: Int64) {
        record.ranges.truncate(to: size)
        let ranges = record.ranges
        sums.removeAll { !ranges.containsBlock($0.block) }
    }
}
