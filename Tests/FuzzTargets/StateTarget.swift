// Values of the state database: what is not exactly as mirror writes it is nothing.

import MirrorCore
import MirrorStore

func checkState(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    let text = bytes.text
    var isRead = false
    for total in [0, 1_000, 1 << 40, Int64.max] {
        guard let ranges = StateCoding.ranges(text, total: total) else { continue }
        try promise(StateCoding.text(ranges).utf8.elementsEqual(text.utf8), text.quoted)
        try promise(ranges.end <= total, "\(text.quoted) within \(total)")
        try promise(ranges.missing(of: total).reduce(ranges.count) { $0 + $1.count } == total, text.quoted)
        isRead = isRead || !ranges.isEmpty
    }
    if let sums = StateCoding.sums(bytes) { try promise(StateCoding.bytes(sums) == bytes, "sums") }
    let known = StateCoding.knownSums(bytes)
    if bytes.count % 12 == 0 { try promise(StateCoding.bytes(known) == bytes, "known sums") }
    try promise(known.allSatisfy { $0.block >= 0 }, "a negative block")
    return isRead
}
