// HTTP dates in the one form that servers send (RFC 9110 section 5.6.7, IMF-fixdate).

import Glibc

/// Conversion between HTTP dates and seconds since 1970.
package enum HTTPDate {
    private static let form = "%a, %d %b %Y %H:%M:%S GMT"
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date `seconds` after 1970, for example `Sat, 31 Jan 2026 00:00:00 GMT`.
    package static func text(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { strftime($0, 64, form, &parts) } ?? 0
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The current time.
    package static var now: String { text(time(nil)) }

    /// Seconds since 1970; nil when the text is no IMF-fixdate.
    package static func seconds(_ text: String) -> Int? {
        let words = text.split { ", :".contains($0) }
        let numbers = words.map { Int32($0) }
        guard words.count == 8, words[7] == "GMT", let month = months.firstIndex(of: String(words[2])),
            let day = numbers[1], let year = numbers[3], let hour = numbers[4], let minute = numbers[5],
            let second = numbers[6]
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, Int32(month), day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        return timegm(&parts)
    }
}
