import MirrorCore
import MirrorSources
import MirrorURL
import Testing

/// XML answers of real servers, compared with what the servers really have.
struct XMLServerTests {
    static let pages = [
        "root", "tree", "hdr", "hostile", "sub", "emptydir", "dirpct25", "dirutf8", "dirparam", "dircolon",
    ]

    private func read(_ folder: String, _ page: String, piece: Int = .max) throws -> Listing {
        let context = DocumentContext(address: try ListingFixture.page(page))
        return listing(
            try ListingFixture(folder: folder).bytes("\(page).xml"), by: XMLListingReader(context: context),
            piece: piece)
    }

    /// What the folder of a page really has.
    private func truth(_ folder: String, _ page: String) throws -> [ListingFixture.Truth] {
        // What a strict parser could not read of `hostile` is known from the JSON of the same server.
        let isBroken = folder.hasPrefix("nginx") && page == "hostile"
        let truth = try ListingFixture(folder: isBroken ? "nginx-json" : folder).truth()
        return truth.filter { $0.listing == page && $0.isListed }.map { item in
            var item = item
            if folder.hasPrefix("rclone") { item.name = Self.drawn(item.name) }
            return item
        }
    }

    /// rclone shows control characters as pictures of them, under which they can be fetched as well.
    private static func drawn(_ name: [UInt8]) -> [UInt8] {
        name.flatMap { byte -> [UInt8] in
            guard byte < 0x20 || byte == 0x7F else { return [byte] }
            return [0xE2, 0x90, byte == 0x7F ? 0xA1 : 0x80 + byte]
        }
    }

    @Test(arguments: pages)
    func `nginx's XML names what is there`(_ page: String) throws {
        let listing = try read("nginx-xml", page)
        #expect(listing.state == .complete)
        // A link that leads nowhere is neither file nor folder for nginx, and is marked so.
        let truth = try truth("nginx-xml", page).filter { !$0.result.hasPrefix("BAD(404") }
        try listing.expectTruth(of: truth, at: try ListingFixture.page(page))
    }

    static let webDAV = [
        "apache-propfind1", "lighttpd-propfind1", "nginx-dav-ext-propfind1", "rclone-serve-webdav-propfind1",
    ]

    @Test(arguments: webDAV, pages)
    func `WebDAV names what is there`(_ folder: String, _ page: String) throws {
        let listing = try read(folder, page)
        #expect(listing.state == .complete)
        // lighttpd describes symbolic links in place of what they lead to, and does not mark those to folders.
        let isLighttpd = folder == "lighttpd-propfind1"
        #expect(listing.tellsFoldersApart == !isLighttpd)
        if isLighttpd { #expect(listing.entries.allSatisfy { $0.listed == ListedFacts() }) }
        try listing.expectTruth(
            of: try truth(folder, page), at: try ListingFixture.page(page), hasFacts: !isLighttpd)
    }

    @Test(arguments: pages)
    func `an answer of depth 0 names nothing`(_ page: String) throws {
        let listing = try read("apache-propfind0", page)
        #expect(listing.state == .complete)
        #expect(listing.entries.isEmpty && listing.folders.isEmpty)
    }

    @Test func `an answer of any depth is the whole tree`() throws {
        let listing = try read("apache-propfind-infinity", "tree")
        #expect(listing.state == .complete)
        #expect(listing.folders.isEmpty)
        #expect(listing.paths.contains("sub/deep/leaf.txt") || listing.paths.contains { $0.hasPrefix("sub/deep/") })
        let truth = try ListingFixture(folder: "apache-propfind-infinity").truth()
        var top = listing
        top.entries.removeAll { $0.path?.folder != nil }
        try top.expectTruth(
            of: truth.filter { $0.isListed && !$0.isFolder }, at: try ListingFixture.page("tree"))
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1_000])
    func `the size of the pieces changes nothing`(_ piece: Int) throws {
        for (folder, page) in [
            ("nginx-xml", "hostile"), ("nginx-dav-ext-propfind1", "hostile"), ("lighttpd-propfind1", "sub"),
        ] {
            #expect(try read(folder, page, piece: piece).summary == read(folder, page).summary)
        }
    }
}
