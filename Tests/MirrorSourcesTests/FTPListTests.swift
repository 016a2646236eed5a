// Lists of FTP servers.

import MirrorCore
import MirrorTestSupport
import MirrorURL
import Testing

@testable import MirrorSources

struct FTPListTests {
    /// - Parameter step: how many bytes come at once.
    private static func list(
        _ text: String, at url: String = "ftp://h.invalid/pub/", step: Int = 7, isWhole: Bool = true
    ) throws -> Listing {
        let address = try URLParser().parse(url)
        let document = SourceDocument(.folder, form: nil, context: DocumentContext(address: address))
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            bytes[start..<min(bytes.count, start + step)].withUnsafeBytes { _ = document.read($0) }
        }
        guard case .listing(let listing) = document.finish(isWhole: isWhole) else {
            Issue.record("it is no listing")
            return Listing()
        }
        return listing
    }

    @Test func `names and sizes of files, folders with a slash`() throws {
        let listing = try Self.list(
            """
            total 12\r
            drwxr-xr-x    2 0        0            4096 Dec 01 01:30 .\r
            drwxr-xr-x    2 0        0            4096 Dec 01 01:30 ..\r
            drwxr-xr-x    2 0        0            4096 Dec 01 01:30 sub dir\r
            -rw-r--r--    1 0        0         3000000 Jan 01  2020 a.bin\r
            -rw-rw-r--+   1 some user users           0 Feb 29 23:59   two blanks before and one after \r
            prw-r--r--    1 0        0               0 Feb 29 23:59 pipe\r
            crw-r--r--    1 0        0          1,   3 Feb 29 23:59 null\r

            """)
        #expect(listing.state == .complete)
        #expect(listing.entries.map(\.path?.text) == ["a.bin", "  two blanks before and one after "])
        #expect(listing.entries.map(\.listed.size) == [3_000_000, 0])
        #expect(listing.entries.allSatisfy { $0.listed.modified == nil })
        #expect(listing.entries.first?.address.text == "ftp://h.invalid/pub/a.bin")
        #expect(listing.folders.map(\.address.text) == ["ftp://h.invalid/pub/sub%20dir/"])
        #expect(listing.folders.map(\.path.text) == ["sub dir"])
        #expect(listing.warnings.isEmpty)
    }

    @Test func `a symbolic link is passed over, and that is said`() throws {
        let listing = try Self.list(
            "lrwxrwxrwx 1 0 0 3 Dec 01 01:30 latest -> 1.2\r\n-rw-r--r-- 1 0 0 1 Dec 01 01:30 a -> b\r\n")
        #expect(listing.entries.map(\.path?.text) == ["a -> b"] && listing.state == .complete)
        #expect(listing.warnings.count == 1 && listing.warnings[0].contains("latest -> 1.2"))
    }

    @Test func `names that are paths are refused, each by itself`() throws {
        let listing = try Self.list(
            "-rw-r--r-- 1 0 0 1 Dec 01 01:30 ../up\n-rw-r--r-- 1 0 0 1 Dec 01 01:30 a%2Fb?c\n")
        #expect(listing.entries.map(\.options?.refusal?.code) == [.unsafePath, nil])
        #expect(listing.entries.last?.address.text == "ftp://h.invalid/pub/a%252Fb%3Fc")
        #expect(listing.entries.last?.path?.text == "a%252Fb?c")
    }

    @Test func `a line that cannot be read makes it incomplete, one that is cut is no name`() throws {
        let good = "-rw-r--r-- 1 0 0 1 Dec 01 01:30 a\r\n"
        let odd = try Self.list(good + "?rw-r--r-- 1 0 0 1 Dec 01 01:30 b\r\n")
        #expect(odd.entries.count == 1 && odd.state != .complete)
        let cut = try Self.list(good + "-rw-r--r-- 1 0 0 1 Dec 01 01:30 long-na", isWhole: false)
        #expect(cut.entries.map(\.path?.text) == ["a"] && cut.state == .incomplete("it ends early"))
        let long = try Self.list(good + "-rw-r--r-- 1 0 0 1 Dec 01 01:30 \(String(repeating: "x", count: 70_000))\r\n")
        #expect(long.entries.count == 1 && long.state != .complete)
    }

    @Test(arguments: [
        "12-01-26  01:30AM       <DIR>          sub\r\n", "-rw-r--r-- 1 0 0 1 2026-12-01 01:30 a\r\n",
        "-rw-r--r-- 1 0 0 x Dec 01 01:30 a\r\n", "-rw-r--r-- 1 0 0 1 Dec 32 01:30 a\r\n",
        "-rw-r--r-- 1 0 0 1 Dec 01 01:30\r\n", "-rw-r--r-- 1 0 0 1 Dec 01 01:30 \r\n", "welcome\r\n",
    ])
    func `a form that is not known is no listing`(text: String) throws {
        guard case .failed = try Self.list(text).state else {
            Issue.record("it was read")
            return
        }
    }

    @Test func `an empty folder has no lines`() throws {
        let listing = try Self.list("")
        #expect(listing.state == .complete && listing.entries.isEmpty)
    }

    @Test func `what a proxy makes of it, and the same text from elsewhere, are other forms`() throws {
        let page = "<html><head><title>Index of /pub/</title></head><body><pre><a href=\"a\">a</a></pre></body></html>"
        #expect(try Self.list(page).entries.map(\.path?.text) == ["a"])
        guard
            case .failed = try Self.list(
                "-rw-r--r-- 1 0 0 1 Dec 01 01:30 a\r\n", at: "http://h.invalid/pub/"
            ).state
        else {
            Issue.record("it was read as a list of an FTP server")
            return
        }
    }
}
