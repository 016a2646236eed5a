import MirrorCore
import MirrorSources
import MirrorURL
import Testing

/// Every captured page of a real server, against the tree that was served.
struct HTMLServerTests {
    /// Pages on which a name that is not escaped hides rows, or on which the server itself breaks names.
    private static let hidden: Set<String> = ["webfs/hostile", "mini-httpd/hostile"]

    @Test(arguments: HTMLFixture.all)
    func `what is there is listed under its own name`(_ page: HTMLFixture) throws {
        let listing = try page.listing()
        let names = Set(listing.names)
        let start = page.start
        for row in page.truth where row["listed"] == "yes" && row["get_result"]?.hasPrefix("ok") == true {
            let path = Self.unescaped(try #require(row["path"]))
            guard path.starts(with: start.utf8) else { continue }
            let name = Array(path.dropFirst(start.utf8.count))
            if Self.renames(page.server, name) { continue }
            let local = try Self.localName(name)
            let isFolder = row["type"]?.hasPrefix("dir") == true && listing.tellsFoldersApart
            if row["type"] == "dir-symlink", !listing.tellsFoldersApart { continue }
            // Where folders are not marked, Go still marks real ones.
            let isListed =
                names.contains(isFolder ? local + "/" : local)
                || !listing.tellsFoldersApart && names.contains(local + "/")
            #expect(isListed, "\(local)")
        }
    }

    /// python puts surrogates for bytes that are no UTF-8, rclone pictures for control characters; both are then asked
    /// for by those names.
    private static func renames(_ server: String, _ name: [UInt8]) -> Bool {
        switch server {
        case "python-http.server": String(validating: name, as: UTF8.self) == nil
        case "rclone-serve-webdav-html": name.contains { $0 < 0x20 || $0 == 0x7F }
        default: false
        }
    }

    @Test(arguments: HTMLFixture.all)
    func `addresses are those of the links, and no others`(_ page: HTMLFixture) throws {
        guard page.server != "apache-base-href" else { return }
        let listing = try page.listing()
        // Tomcat leaves `:` and `;` in the links of a folder as they are.
        let plain = page.address.replacing("%3A", with: ":").replacing("%3B", with: ";").replacing("%3D", with: "=")
        let folder = page.server == "tomcat10-html" ? plain : page.address
        var expected: Set<String> = []
        for row in page.links {
            guard let resolved = row["resolved_libcurl"], resolved.hasPrefix(folder), !resolved.contains("?")
            else { continue }
            var address =
                resolved.split(separator: "#", omittingEmptySubsequences: false).first.map { String($0) } ?? ""
            while address.hasSuffix("//") { address.removeLast() }
            if address.utf8.count > folder.utf8.count { expected.insert(address.replacing("\\\\", with: "\\")) }
        }
        #expect(Set(listing.addresses) == expected)
        #expect(listing.addresses.count == Set(listing.addresses).count)
    }

    @Test(arguments: HTMLFixture.all)
    func `a page is complete unless it is no listing or hides its rows`(_ page: HTMLFixture) throws {
        let listing = try page.listing()
        if page.server == "busybox-httpd" || page.description == "tomcat10-html/hostile" {
            #expect(listing.state == .failed("the page is no listing: it has no links"))
        } else if Self.hidden.contains(page.description) {
            #expect(listing.state == .incomplete("a <script> without an end hides the rest of the page"))
        } else {
            #expect(listing.state == .complete)
        }
        if page.page == "emptydir" { #expect(listing.names.isEmpty) }
    }

    @Test(arguments: HTMLFixture.all)
    func `every size and time that is taken is the true one`(_ page: HTMLFixture) throws {
        let listing = try page.listing()
        let sized = Self.exactSizes.contains(page.server)
        let timed = Self.exactTimes.contains(page.server)
        var facts: [String: ListedFacts] = [:]
        for entry in listing.entries { facts[entry.path?.text ?? "refused"] = entry.listed }
        let start = page.start
        for row in page.truth where row["listed"] == "yes" && row["type"]?.hasPrefix("file") == true {
            let path = Self.unescaped(try #require(row["path"]))
            guard path.starts(with: start.utf8) else { continue }
            let local = try Self.localName(Array(path.dropFirst(start.utf8.count)))
            guard let found = facts[local], row["get_result"] == "ok" else { continue }
            let size = Int64(row["size"] ?? "") ?? 1
            if let listed = found.size { #expect(listed == size, "\(local)") }
            if sized, row["size_precision"] == "exact", row["size_shown"]?.hasSuffix("kB") != true {
                #expect(found.size == size, "\(local)")
            }
            let time = HTTPDate.iso(row["mtime_utc"] ?? "")?.seconds
            if row["type"] == "file" {
                if let modified = found.modified { #expect(modified == time, "\(local)") }
                if timed { #expect(found.modified == time, "\(local)") }
            } else if page.server == "caddy-html" {
                #expect(found.modified == nil)
            }
        }
    }

    private static let exactSizes: Set<String> = [
        "nginx-html", "nginx-html-charset", "nginx-html-exactoff", "nginx-fancyindex", "apache-fancy-pre",
        "apache-fancy-pre-namewidth-star", "apache-fancy-olddate", "apache-table", "apache-table-full",
        "apache-debian-default", "caddy-html", "rclone-serve-webdav-html", "darkhttpd", "webfs", "jetty9",
    ]
    private static let exactTimes: Set<String> = ["caddy-html", "rclone-serve-webdav-html", "tomcat10-html"]

    @Test(arguments: HTMLFixture.all.filter { $0.page != "root" && $0.page != "tree" || $0.server.hasPrefix("nginx") })
    func `the length of the pieces does not matter`(_ page: HTMLFixture) throws {
        let whole = try page.listing()
        for pieces in [1, 7, 4_096] {
            let listing = try page.listing(pieces: pieces)
            #expect(listing.addresses == whole.addresses)
            #expect(listing.names == whole.names)
            #expect(listing.entries.map(\.listed) == whole.entries.map(\.listed))
            #expect(listing.state == whole.state)
            #expect(listing.tellsFoldersApart == whole.tellsFoldersApart)
        }
    }

    @Test(arguments: [
        ("nginx-html", true), ("nginx-fancyindex", true), ("apache-plain-ul", true), ("apache-table", true),
        ("apache-header-readme", true), ("lighttpd-default", true), ("caddy-html", true),
        ("rclone-serve-webdav-html", true), ("python-http.server", true), ("darkhttpd", true), ("webfs", true),
        ("tomcat10-html", true), ("jetty9", true), ("mini-httpd", false), ("go-net-http-fileserver", false),
    ])
    func `whether folders are marked follows from the server`(_ server: String, _ isTrue: Bool) throws {
        for page in HTMLFixture.all where page.server == server && page.description != "tomcat10-html/hostile" {
            #expect(try page.listing().tellsFoldersApart == isTrue, "\(page)")
        }
    }

    @Test(arguments: HTMLFixture.all.filter { $0.page == "sub" && $0.server != "busybox-httpd" })
    func `a page that breaks off anywhere is never complete`(_ page: HTMLFixture) throws {
        let bytes = try page.bytes()
        for length in stride(from: 0, to: bytes.count - 1, by: 97) {
            let start = Array(bytes.prefix(length))
            let cut = try htmlListing(start, at: page.address, isWhole: false)
            #expect(cut.state != .complete)
            let unmarked = try htmlListing(start, at: page.address)
            let isEnded = String(decoding: start.suffix(16), as: UTF8.self).lowercased().contains("</")
            if unmarked.state == .complete, !isEnded {
                #expect(Self.withoutEnding.contains(page.server), "cut at \(length) of \(bytes.count)")
            }
        }
    }

    /// Their pages end as the owner of the server likes.
    private static let withoutEnding: Set<String> = ["apache-header-readme"]

    // MARK: - Truth

    /// The local name of bytes, by way of an address in which each of them is escaped.
    private static func localName(_ bytes: [UInt8]) throws -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let text = bytes.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        let address = try URLParser().parse("http://h/" + String(decoding: text, as: UTF8.self))
        return try LocalName.path(for: address, layout: .name)?.text ?? ""
    }

    /// `\\ \t \n \r \xHH \uXXXX`
    private static func unescaped(_ text: String) -> [UInt8] {
        var rest = Array(text.utf8)[...]
        var bytes: [UInt8] = []
        while let first = rest.popFirst() {
            guard first == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
                bytes.append(first)
                continue
            }
            let digits = kind == UInt8(ascii: "x") ? 2 : kind == UInt8(ascii: "u") ? 4 : 0
            let number = UInt32(String(decoding: rest.prefix(digits), as: UTF8.self), radix: 16) ?? 0
            rest = rest.dropFirst(digits)
            switch kind {
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "x"): bytes.append(UInt8(truncatingIfNeeded: number))
            case UInt8(ascii: "u"): bytes += Unicode.Scalar(number).map { Array(String($0).utf8) } ?? []
            default: bytes.append(kind)
            }
        }
        return bytes
    }
}
