// Retry-After: seconds, dates, and what is neither.

import MirrorCore
import Testing

@Suite struct RetryAfterTests {
    @Test(
        arguments: [
            ("seconds", "120", .seconds(120)),
            ("nothing (C082)", "0", .zero),
            ("a blank before it", " 7", .seconds(7)),
            ("blanks behind it", "7 ", .seconds(7)),
            ("a day", "86400", .seconds(86_400)),
            ("more than a day", "86401", .seconds(86_400)),
            ("more than 63 bits", "99999999999999999999999", .seconds(86_400)),
            ("a date", "Sat, 31 Jan 2026 10:01:00 GMT", .seconds(60)),
            ("a date of RFC 850", "Saturday, 31-Jan-26 10:01:00 GMT", .seconds(60)),
            ("a date of asctime", "Sat Jan 31 10:01:00 2026", .seconds(60)),
            ("now", Time.ten, .zero),
            ("a date in the past (C079)", Time.nine, .zero),
            ("a date far away (C079)", "Fri, 31 Dec 2027 23:59:59 GMT", .seconds(86_400)),
            ("the first date", "Mon, 01 Jan 0001 00:00:00 GMT", .zero),
            ("negative", "-5", nil),
            ("signed", "+5", nil),
            ("a fraction", "1.5", nil),
            ("empty", "", nil),
            ("blank", "  ", nil),
            ("garbage", "soon", nil),
            ("a unit", "5s", nil),
            ("half a date", "Sat, 31 Jan 2026", nil),
        ] as [(String, String, Duration?)])
    func delay(_ row: (name: String, text: String, expected: Duration?)) {
        #expect(RetryAfter.delay(row.text, now: HTTPDate(seconds: Time.tenSeconds)) == row.expected, "\(row.name)")
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func noClockTraps(now: Int64) {
        for text in ["Mon, 01 Jan 0001 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"] {
            let delay = RetryAfter.delay(text, now: HTTPDate(seconds: now))
            #expect(delay.map { $0 >= .zero && $0 <= .seconds(86_400) } == true)
        }
    }

    @Test("several fields, a line each: the longest of those that can be read")
    func several() {
        let now = HTTPDate(seconds: 0)
        #expect(RetryAfter.delay("10\n20", now: now) == .seconds(20))
        #expect(RetryAfter.delay("20\nsoon\n10", now: now) == .seconds(20))
        #expect(RetryAfter.delay("soon\n", now: now) == nil)
        #expect(RetryAfter.delay("Thu, 01 Jan 1970 00:00:30 GMT\n7", now: now) == .seconds(30))
    }
}
