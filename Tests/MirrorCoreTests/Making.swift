// Short ways to write down values in tables.

import MirrorCore
import Testing

/// `range(0, 9)` is the first ten bytes. Records an issue for what is no range.
func range(_ first: Int64, _ last: Int64, sourceLocation: SourceLocation = #_sourceLocation) -> ByteRange {
    if let range = ByteRange(first: first, last: last) { return range }
    Issue.record("\(first)-\(last) is no range", sourceLocation: sourceLocation)
    return range(0, 0)
}

func set(_ ranges: ByteRange...) -> RangeSet { RangeSet(ranges) }

/// Reads `scheme://host[:port]/path[?query]`, enough for tables.
func address(_ text: String) -> Address {
    let scheme = String(text.prefix { $0 != ":" })
    let authority = text.dropFirst(scheme.count + 3)
    let hostAndPort = authority.prefix { $0 != "/" }
    let host = String(hostAndPort.prefix { $0 != ":" })
    let port = Int(hostAndPort.dropFirst(host.count + 1)) ?? ["http": 80, "https": 443, "ftp": 21][scheme] ?? 0
    let start = scheme.utf8.count + 3 + hostAndPort.utf8.count
    let path = Substring(text.utf8.dropFirst(start).prefix { $0 != UInt8(ascii: "?") })
    return Address(
        text: text, origin: Origin(scheme: scheme, host: host, port: port), pathStart: start,
        pathEnd: start + path.utf8.count)
}

/// Validators from the text of their fields.
func validators(_ etag: String? = nil, modified: String? = nil, date: String? = nil) -> Validators {
    Validators(etag: etag.flatMap { EntityTag($0) }, lastModified: modified, date: date.flatMap { HTTPDate($0) })
}

/// Times of a table, an hour apart, in the form of HTTP.
enum Time {
    static let nine = "Sat, 31 Jan 2026 09:00:00 GMT"
    static let ten = "Sat, 31 Jan 2026 10:00:00 GMT"
    static let eleven = "Sat, 31 Jan 2026 11:00:00 GMT"
    /// `ten` in the form of RFC 850 and of asctime.
    static let ten850 = "Saturday, 31-Jan-26 10:00:00 GMT"
    static let tenAsctime = "Sat Jan 31 10:00:00 2026"
    /// `ten` in seconds since 1970.
    static let tenSeconds: Int64 = 1_769_853_600
}
