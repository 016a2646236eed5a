// The Range header of a request, read by RFC 9110 section 14.1.2.

/// What a Range header asks for.
package enum RequestedRange: Sendable, Equatable {
    /// `bytes=first-`
    case from(Int64)
    /// `bytes=first-last`, both inclusive.
    case between(Int64, Int64)
    /// `bytes=-count`
    case suffix(Int64)
    case several([RequestedRange])
    /// Not a byte range; a server ignores it.
    case malformed(String)

    /// Reads the value of a Range header.
    package init(_ value: String) {
        guard value.hasPrefix("bytes=") else {
            self = .malformed(value)
            return
        }
        let ranges = value.dropFirst(6).split(separator: ",").map { Self.single($0.filter { $0 != " " }) }
        if ranges.isEmpty || ranges.contains(nil) {
            self = .malformed(value)
        } else {
            let all = ranges.compactMap { $0 }
            self = all.count == 1 ? all[0] : .several(all)
        }
    }

    /// The offsets asked for in a body of `length` bytes; nil when no byte of it is asked for (416) or there are
    /// several ranges.
    package func resolved(in length: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first): first < length ? first..<length : nil
        case .between(let first, let last): first < length ? first..<min(last, length - 1) + 1 : nil
        case .suffix(let count): count > 0 && length > 0 ? max(0, length - count)..<length : nil
        case .several, .malformed: nil
        }
    }

    private static func single(_ text: String) -> RequestedRange? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        switch (Int64(ends[0]), Int64(ends[1])) {
        case (let first?, let last?): return first <= last ? .between(first, last) : nil
        case (let first?, nil): return ends[1].isEmpty ? .from(first) : nil
        case (nil, let count?): return ends[0].isEmpty ? .suffix(count) : nil
        case (nil, nil): return nil
        }
    }
}
