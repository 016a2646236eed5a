// What was seen, as short lines of text: tables stay readable, and a failed comparison shows everything at once.

import MirrorKit
import MirrorTestSupport

extension FileReport {
    /// `resume done 206 500-999`: action, status, HTTP status, ranges, failure code.
    var line: String {
        var words = [action.rawValue, status.rawValue]
        if let httpStatus { words.append(String(httpStatus)) }
        if let ranges { words.append(ranges.isEmpty ? "none" : ranges.map(\.text).joined(separator: ",")) }
        if let failure { words.append(failure.code.rawValue) }
        return words.joined(separator: " ")
    }
}

extension ByteRange {
    /// First and last byte, as in HTTP.
    var text: String { "\(first)-\(last)" }
}

extension Report {
    var lines: [String] { files.map(\.line) }
}

extension LoggedRequest {
    /// `GET bytes=500-999 "v1"`: method, Range and If-Range, where they are there.
    var line: String {
        ([method] + [headers["Range"], headers["If-Range"]].compactMap { $0 }).joined(separator: " ")
    }
}

extension WickedOrigin {
    /// The requests for a path, or for all.
    func lines(for path: String? = nil) -> [String] { (path.map { requests(for: $0) } ?? log).map(\.line) }
}

extension Resource {
    /// A file as most servers have it: a strong ETag, and a date long before the clock's.
    static func plain(_ body: Body, version: Int = 1, _ faults: Faults = Faults()) -> Resource {
        Resource(body: body, etag: "\"v\(version)\"", lastModified: Self.date(version), faults: faults)
    }

    /// Seconds since 1970 of a version's Last-Modified; a later version is an hour later.
    static func seconds(_ version: Int) -> Int { 1_700_000_000 + version * 3_600 }

    private static func date(_ version: Int) -> String { MirrorTestSupport.HTTPDate.text(seconds(version)) }
}

extension Body {
    /// Bytes that differ at every offset from those of another seed.
    static func sized(_ length: Int64, seed: UInt64 = 1) -> Body { .synthetic(length: length, seed: seed) }
}
