// The sum of what a row holds, stored with it: SQLite does not see a bit that changed on the disk, and a claim about
// bytes that are not there would become a wrong file.

import CXXHash

/// XXH3-64 over the values of a row, in order. Different values never give the same bytes to it.
struct RowSum {
    private var bytes: [UInt8] = []

    mutating func add(_ value: String?) {
        guard let value else { return add(nil as Int64?) }
        add(Int64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    mutating func add(_ value: [UInt8]) {
        add(Int64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func add(_ value: Int64?) {
        bytes.append(value == nil ? 0 : 1)
        withUnsafeBytes(of: (value ?? 0).bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// As SQLite stores it.
    var value: Int64 { bytes.withUnsafeBytes { Int64(bitPattern: XXH3_64bits($0.baseAddress, $0.count)) } }
}
