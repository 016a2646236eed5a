// Dates of mirror's own reports read back.

import MirrorCore
import Testing

@Suite struct HTTPDateISOTests {
    @Test(arguments: [-62_135_596_800, -1, 0, 951_782_400, 784_111_777, 253_402_300_799] as [Int64])
    func readsWhatItWrites(_ seconds: Int64) {
        let date = HTTPDate(seconds: seconds)
        #expect(HTTPDate.iso(date.isoText) == date)
    }

    @Test(arguments: [
        "", "1994-11-06", "1994-11-06T08:49:37", "1994-11-06 08:49:37Z", "1994-11-06T08:49:37z",
        "1994-11-06T08:49:37+00:00", "1994-11-06T08:49:37.5Z", "1994-13-06T08:49:37Z", "1994-00-06T08:49:37Z",
        "1994-11-31T08:49:37Z", "1994-11-00T08:49:37Z", "1994-11-06T24:00:00Z", "0000-01-01T00:00:00Z",
        "-994-11-06T08:49:37Z", "1994-11-06T08:49:3éZ",
    ])
    func refuses(_ text: String) {
        #expect(HTTPDate.iso(text) == nil)
    }
}
