// HTTP dates: the three forms of RFC 9110 section 5.6.7, the calendar, and what is no date.

import MirrorCore
import Testing

import struct MirrorTestSupport.SeededNumbers

@Suite struct HTTPDateTests {
    @Test(
        arguments: [
            ("IMF-fixdate", "Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("asctime, a blank before the day", "Sun Nov  6 08:49:37 1994", 784_111_777),
            ("asctime, two digits", "Wed Nov 16 08:49:37 1994", 784_975_777),
            ("UTC in place of GMT", "Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777),
            ("the epoch", "Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("before the epoch", "Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("a leap day", "Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("the leap day of a century", "Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("after the day that 1900 did not have", "Thu, 01 Mar 1900 00:00:00 GMT", -2_203_891_200),
            ("a leap second", "Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("beyond 32 bits", "Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
            ("the first moment", "Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
            ("the last moment", "Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("a leap second behind the last moment", "Fri, 31 Dec 9999 23:59:60 GMT", 253_402_300_799),
            ("two digits: 70 is 1970", "Thursday, 01-Jan-70 00:00:00 GMT", 0),
            ("two digits: 69 is 2069", "Tuesday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
            ("a wrong weekday does not matter", "Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ] as [(String, String, Int64)])
    func reads(_ row: (name: String, text: String, seconds: Int64)) {
        #expect(HTTPDate(row.text)?.seconds == row.seconds, "\(row.name)")
    }

    @Test(arguments: [
        "", " ", "0", "-1", "120", "tomorrow", "GMT", "Sun, 06 Nov 1994", "08:49:37",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37 +0100",
        "Sun, 06 Nov 1994 08:49:37 GMT GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Thu, 31 Nov 1994 08:49:37 GMT",
        "Wed, 29 Feb 2023 00:00:00 GMT", "Thu, 29 Feb 1900 00:00:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 194 08:49:37 GMT",
        "Sun, 06 Nov 19944 08:49:37 GMT", "Sun, 99999999999999999999 Nov 1994 08:49:37 GMT",
        "Sun, 0x Nov 1994 08:49:37 GMT", "Sun, ０６ Nov 1994 08:49:37 GMT", "2026-01-31T10:00:00Z",
        "Sun, 06 Nov 1994 08:49:37 GMT\0", "Sun, 06 Nov 1994 08.49.37 GMT",
    ])
    func refuses(_ text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT", "1969-12-31T23:59:59Z"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT", "2000-02-29T00:00:00Z"),
            (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT", "0001-01-01T00:00:00Z"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"),
            (Int64.min, "Mon, 01 Jan 0001 00:00:00 GMT", "0001-01-01T00:00:00Z"),
            (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"),
        ] as [(Int64, String, String)])
    func writes(_ row: (seconds: Int64, http: String, iso: String)) {
        #expect(HTTPDate(seconds: row.seconds).httpText == row.http)
        #expect(HTTPDate(seconds: row.seconds).isoText == row.iso)
    }

    @Test func everyDayOfFourCenturiesReadsBackAndFollowsTheOneBefore() {
        var wrong: [Int64] = []
        var yesterday = ""
        for day in Int64(-141_427)..<4_670 {
            let date = HTTPDate(seconds: day * 86_400 + day.magnitude.remainder)
            if HTTPDate(date.httpText) != date || date.isoText <= yesterday { wrong.append(day) }
            yesterday = date.isoText
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: UInt64(0)..<20)
    func everyMomentReadsBack(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<200 {
            let date = HTTPDate(seconds: Int64.random(in: -62_135_596_800...253_402_300_799, using: &random))
            #expect(HTTPDate(date.httpText) == date)
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func noTextTraps(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let alphabet = Array("0123456789 ,-:GMTSunNov\u{0}é".unicodeScalars)
        for _ in 0..<200 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<40, using: &random) {
                text.append(alphabet.randomElement(using: &random) ?? " ")
            }
            _ = HTTPDate(String(text))
        }
    }
}

extension UInt64 {
    /// Some second of the day that differs from day to day.
    fileprivate var remainder: Int64 { Int64(self * 7_919 % 86_400) }
}
