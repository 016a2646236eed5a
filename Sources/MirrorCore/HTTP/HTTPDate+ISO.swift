// Dates as mirror's own reports show them, read back. No other time zone, no fractions.

extension HTTPDate {
    /// Reads what `isoText` writes: `1994-11-06T08:49:37Z` (RFC 3339 in UTC).
    package static func iso(_ text: String) -> HTTPDate? {
        let bytes = Array(text.utf8)
        let form = Array("0000-00-00T00:00:00Z".utf8)
        guard bytes.count == form.count else { return nil }
        let agrees = zip(bytes, form).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isASCIIDigit : $0 == $1 }
        guard agrees, let month = Int(String(decoding: bytes[5...6], as: UTF8.self)), (1...12).contains(month)
        else { return nil }
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let year = String(decoding: bytes[0...3], as: UTF8.self)
        let day = String(decoding: bytes[8...9], as: UTF8.self)
        let time = String(decoding: bytes[11...18], as: UTF8.self)
        // The weekday is not judged on reading.
        return HTTPDate("Sun, \(day) \(names[month - 1]) \(year) \(time) GMT")
    }
}
