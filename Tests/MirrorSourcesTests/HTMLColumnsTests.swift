import MirrorCore
import MirrorSources
import Testing

/// What the columns of the known servers tell, and how exactly.
struct HTMLColumnsTests {
    private static let mebi: Int64 = 1_048_576

    @Test(arguments: [
        ("0", ShownSize.exact(0)), ("207", .exact(207)), (" 5255225 ", .exact(5_255_225)),
        ("5,255,225 bytes", .exact(5_255_225)), ("1,535 Bytes", .exact(1_535)), ("1023 B", .exact(1_023)),
        ("5368709127", .exact(5_368_709_127)), ("1.0K", .within(922...1_131)), ("10K", .within(9_216...11_263)),
        ("1024K", .within(1_047_552...1_049_599)), ("0.1K", .within(0...209)), ("9.9K", .within(10_036...10_244)),
        ("97.6K", .within(99_840...100_049)), ("1.5 KiB", .within(1_434...1_643)), ("9 kB", .within(8_192...10_239)),
        ("5M", .within(4 * mebi...6 * mebi - 1)), ("5242880.0 KiB", .within(5_368_709_018...5_368_709_227)),
        ("5G", .within(4_294_967_296...6_442_450_943)), ("4\u{A0}KB", .within(3_072...5_119)),
    ])
    func `a size is exact or an interval`(_ text: String, _ size: ShownSize) {
        #expect(ShownSize.parse(Array(text.utf8)) == size)
    }

    @Test(arguments: [
        "", "-", " - ", "—", "<DIR>", "1,23", "1,2345", ",5", "1.", "1.5", "1.5 B", "K", "10X", "12 34", "-5", "1e3",
        "99999999999999999999", "9223372036854775807K", "1.2.3K", "1.00001K", "0x10", "١٢",
    ])
    func `what is no size is none`(_ text: String) {
        #expect(ShownSize.parse(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("29-Feb-2024 23:59", ShownTime(seconds: 1_709_251_140, precision: .minute)),
        ("2024-02-29 23:59", ShownTime(seconds: 1_709_251_140, precision: .minute)),
        ("2024-Feb-29 23:59:58", ShownTime(seconds: 1_709_251_198, precision: .second)),
        ("2024-Feb-29 23:59", ShownTime(seconds: 1_709_251_140, precision: .minute)),
        ("29Feb2024 23:59", ShownTime(seconds: 1_709_251_140, precision: .minute)),
        ("2024/02/29 23:59", ShownTime(seconds: 1_709_251_140, precision: .minute)),
        (" 2024-02-29T23:59:58Z", ShownTime(seconds: 1_709_251_198, precision: .second, isUTC: true)),
        ("2024-02-29 23:59:58 +0000 UTC", ShownTime(seconds: 1_709_251_198, precision: .second, isUTC: true)),
        ("Thu, 29 Feb 2024 23:59:58 GMT", ShownTime(seconds: 1_709_251_198, precision: .second, isUTC: true)),
        ("Thu, 29 Feb 2024 23:59:58", ShownTime(seconds: 1_709_251_198, precision: .second)),
        ("Feb 29  2024", ShownTime(seconds: 1_709_164_800, precision: .day)),
        ("Oct 31, 2021, 12:30:00 AM", ShownTime(seconds: 1_635_640_200, precision: .second)),
        ("Oct 31, 2021, 12:30:00\u{202F}PM", ShownTime(seconds: 1_635_683_400, precision: .second)),
    ])
    func `a time has a precision, and a zone only where it says so`(_ text: String, _ time: ShownTime) {
        #expect(ShownTime.parse(Array(text.utf8)) == time)
        #expect((time.exactSeconds != nil) == (time.isUTC && time.precision == .second))
    }

    @Test(arguments: [
        "", "-", "Jan 19 03:14", "1/16/2014 5:06 PM", "2023-02-29 10:00", "2024-13-01 10:00", "2024-02-29 24:00",
        "2024-02-29 23:59:58 +0200 CEST", "2024-02-29T23:59:58.123Z", "2024-02-29T23:59:58+01:00", "29-Xyz-2024 23:59",
        "24-Feb-29 23:59", "Oct 31, 2021, 13:30:00 PM", "0001-01-01 00:00", "99999-01-01 00:00", "12:30",
    ])
    func `what is no time is none`(_ text: String) {
        #expect(ShownTime.parse(Array(text.utf8)) == nil)
    }

    /// Every size and time that was seen on a real page agrees with the file behind it.
    @Test func `what the servers showed holds the truth`() {
        var sizes = 0, times = 0
        // The truth of these was taken with other text in the row.
        for page in HTMLFixture.all where page.server != "apache-header-readme" {
            for row in page.truth where row["type"] == "file" && row["get_result"]?.hasPrefix("ok") == true {
                guard let size = Int64(row["size"] ?? ""), row["date_shown"] != "" || page.server != "webfs"
                else { continue }
                switch ShownSize.parse(Array((row["size_shown"] ?? "").utf8)) {
                case .exact(let bytes)?:
                    #expect(bytes == size, "\(page): \(row)")
                    sizes += 1
                case .within(let range)?:
                    #expect(range.contains(size), "\(page): \(row)")
                    sizes += 1
                case nil: break
                }
                guard let time = HTTPDate.iso(row["mtime_utc"] ?? ""),
                    let shown = ShownTime.parse(Array((row["date_shown"] ?? "").utf8))
                else { continue }
                let length: Int64 = shown.precision == .second ? 1 : shown.precision == .minute ? 60 : 86_400
                #expect((0..<length).contains(time.seconds - shown.seconds), "\(page): \(row)")
                times += 1
            }
        }
        #expect(sizes > 1_000 && times > 1_000)
    }

    private static func facts(_ text: String, by server: IndexServer, cell: Int = 0) -> ListedFacts {
        var row = IndexRow()
        row.text = Array(text.replacing("|", with: "\u{1F}").utf8)
        row.linkCell = cell
        return row.facts(by: server)
    }

    @Test func `only the columns of a known server are read`() {
        #expect(Self.facts("   29-Feb-2024 23:59    207", by: .nginx).size == 207)
        #expect(Self.facts("   29-Feb-2024 23:59    10K", by: .nginx).size == nil)
        #expect(Self.facts("   29-Feb-2024 23:59    -", by: .nginx).size == nil)
        #expect(Self.facts("   29-Feb-2024 23:59    207 more", by: .nginx).size == nil)
        #expect(Self.facts("  2024-02-29 23:59  207  1234 a description", by: .apache).size == 207)
        #expect(Self.facts("  1234 is the size in a description", by: .apache).size == nil)
        #expect(Self.facts("| |a|2024-02-29 23:59 |207 |999", by: .apache, cell: 1).size == 207)
        #expect(Self.facts("|a|207|2024-Feb-29 23:59", by: .fancyindex).size == 207)
        #expect(Self.facts("|a|Feb 29, 2024, 11:59:58 PM\u{A0}|4,096 bytes\u{A0}", by: .jetty).size == 4_096)
        #expect(Self.facts("|a|\u{A0}|0 bytes\u{A0}", by: .jetty).size == nil)
        #expect(Self.facts("-rw-r--r--  r  r  Feb 29  2024   207  B  ", by: .webfs).size == 207)
        #expect(Self.facts("lrwxrwxrwx  r  r  Feb 29  2024   207  B  ", by: .webfs).size == nil)
        #expect(Self.facts("  29Feb2024 23:59  7", by: .acme).size == nil)
        #expect(Self.facts("|a|0.2 KiB|Thu, 29 Feb 2024 23:59:58 GMT", by: .tomcat).modified == 1_709_251_198)
        for server in IndexServer.allCases {
            #expect(Self.facts("1 2 3 |4|5|6|7", by: server) == ListedFacts())
        }
    }

    @Test func `two files in one row have no facts`() throws {
        let row = #"<a href="a">a</a> <a href="b">b</a>  29-Feb-2024 23:59  207"#
        let single = #"<a href="c">c</a>  29-Feb-2024 23:59  207"#
        let page = "<title>Index of /d/</title><h1>x</h1><hr><pre>\(row)\n\(single)\n</pre></html>"
        let listing = try htmlListing(page)
        #expect(listing.names == ["a", "b", "c"])
        // nginx writes one row for each file: the text behind the second link is that link's own.
        #expect(listing.entries.map(\.listed.size) == [nil, 207, 207])
        let cells = #"<tr><td><a href="a">a</a></td><td>5</td><td><a href="b">b</a></td></tr>"#
        let table = try htmlListing(#"<title>Index of /d/</title><table id="list">\#(cells)</table></html>"#)
        #expect(table.entries.map(\.listed.size) == [nil, nil])
    }

    @Test func `facts of a page that turns out to be another server's are dropped`() throws {
        let row = #"<a href="a">a</a>  29-Feb-2024 23:59  207"#
        let page = "<title>Index of /d/</title><pre>\(row)\n</pre>"
        #expect(try htmlListing(page + "</html>").entries.map(\.listed.size) == [207])
        #expect(try htmlListing(page + #"<div class="list"></html>"#).entries.map(\.listed.size) == [nil])
    }
}
