import MirrorCore
import MirrorSources
import MirrorURL
import Testing

/// Bucket listings, page for page, compared with the objects that the bucket really has.
struct BucketServerTests {
    static let fixture = ListingFixture(folder: "s3-moto")

    /// The question of an answer, from the first line of its header file.
    private func page(_ name: String) throws -> Address {
        let line = try Self.fixture.bytes("\(name).headers").prefix { $0 != 0x0A }
        let target = line.split(separator: 0x20)[1]
        return try address("http://127.0.0.1:5000" + String(decoding: target, as: UTF8.self))
    }

    private func read(_ name: String) throws -> Listing {
        let context = DocumentContext(address: try page(name))
        return listing(try Self.fixture.bytes("\(name).xml"), by: XMLListingReader(context: context), piece: 100)
    }

    /// Follows the pages of a sequence as a caller would, by the addresses that they name.
    private func readPages(_ start: String) throws -> (listing: Listing, pages: Int) {
        var all = Listing()
        var count = 0
        var next: Address?
        repeat {
            count += 1
            let name = "\(start)-page0\(count)"
            if let next {
                let asked = try page(name)
                #expect(Self.parameters(next) == Self.parameters(asked))
            }
            let read = try read(name)
            #expect(read.state == .complete)
            all.entries += read.entries
            all.folders += read.folders
            #expect(read.parts.count <= 1)
            next = read.parts.first?.address
        } while next != nil && count < 9
        return (all, count)
    }

    private static func parameters(_ url: Address) -> Set<String> {
        let path = String(url.path.utf8.last == 0x2F ? url.path.dropLast() : url.path)
        return Set(url.text.split(separator: "?").last?.split(separator: "&").map { String($0) } ?? []).union([path])
    }

    private static func unescaped(_ key: String) -> [UInt8] {
        Array(
            key.replacing("\\\\", with: "\u{0}").replacing("\\t", with: "\t").replacing("\\x01", with: "\u{1}")
                .replacing("\u{0}", with: "\\").utf8)
    }

    /// URL, path, size and time of all objects of the bucket.
    private func truth() throws -> [String] {
        let root = try address("http://127.0.0.1:5000/mirror/")
        let lines = try Self.fixture.bytes("expected.tsv").split(separator: 0x0A).dropFirst()
        return try lines.compactMap { line in
            let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            // The marker of the folder is no file.
            if fields[0] == "dir/" { return nil }
            let unsafe = ["../up.txt", "./dot.txt", "/leading.txt", "a//double.txt", "x/../y.txt"]
            let isRefused = unsafe.contains(fields[0])
            return try Self.unescaped(fields[0]).withUnsafeBytes { raw in
                let url = NameResolver(page: root).address(of: raw[...]).text
                let path = isRefused ? "refused: unsafe-path" : try NameResolver.path(of: raw[...]).text
                return "\(url) \(path) \(isRefused ? "-1" : fields[1])"
            }
        }
    }

    private func lines(_ listing: Listing) -> [String] {
        zip(listing.entries, listing.paths).map { "\($0.address.text) \($1) \($0.listed.size ?? -1)" }
    }

    @Test(arguments: ["v2-all", "v2-all-url"])
    func `one page names all objects`(_ name: String) throws {
        let listing = try read(name)
        #expect(listing.state == .complete)
        #expect(lines(listing).sorted() == (try truth()).sorted())
        #expect(listing.parts.isEmpty && listing.folders.isEmpty)
        #expect(listing.entries.filter { $0.path != nil }.allSatisfy { $0.listed.modified == 1_796_063_728 })
    }

    @Test(arguments: ["v1-max10", "v2-max10", "v2-max10-url"])
    func `pages that follow one another name all objects`(_ start: String) throws {
        let (listing, pages) = try readPages(start)
        #expect(pages == 6)
        #expect(lines(listing).sorted() == (try truth()).sorted())
    }

    @Test(arguments: ["v1-delim-max10", "v2-delim"])
    func `with a delimiter folders are listed by their own pages`(_ start: String) throws {
        let (listing, pages) = try readPages(start)
        #expect(pages == 4)
        let direct = try truth().filter { line in
            // Names in the bucket itself: a slash in the URL behind `/mirror/` is a folder.
            !line.split(separator: " ")[0].dropFirst("http://127.0.0.1:5000/mirror/".count).contains("/")
        }
        #expect(lines(listing).filter { !$0.contains("refused") }.sorted() == direct.sorted())
        #expect(
            // The server repeats all folders on each page of version 1.
            Set(listing.folderPaths) == [
                "a", "conflict", "dir", "dir with spaces", "dir#hash", "dir+plus", "trail.", "x", "~tilde", "日本",
            ])
        let refused = zip(listing.urls, listing.paths).filter { $1.hasPrefix("refused") }.map(\.0)
        #expect(
            Set(refused) == [
                "http://127.0.0.1:5000/mirror/../", "http://127.0.0.1:5000/mirror/./", "http://127.0.0.1:5000/mirror//",
            ])
        for folder in listing.folders {
            #expect(folder.address.queryValue(of: "prefix") == Array("\(folder.path.text)/".utf8))
            #expect(folder.address.queryValue(of: "delimiter") == [0x2F])
            #expect(folder.address.queryValue(of: "continuation-token") == nil)
            #expect(folder.address.queryValue(of: "marker") == nil)
        }
    }

    @Test func `a prefix is cut from the paths, not from the URLs`() throws {
        let listing = try read("v2-prefix-dir")
        #expect(listing.urls == ["http://127.0.0.1:5000/mirror/dir/inner.txt"])
        #expect(listing.paths == ["inner.txt"])
        #expect(listing.folderPaths == ["sub"])
        let plus = try read("v2-prefix-plus-url")
        #expect(plus.urls == ["http://127.0.0.1:5000/mirror/dir%2Bplus/x.txt"])
        #expect(plus.paths == ["x.txt"])
    }

    @Test func `an empty page is complete`() throws {
        for name in ["empty", "v2-maxkeys0"] {
            let listing = try read(name)
            #expect(listing.state == .complete)
            #expect(listing.entries.isEmpty && listing.parts.isEmpty)
        }
    }

    @Test(arguments: [
        ("badtoken", "damaged"), ("nosuchbucket", "NoSuchBucket"), ("nosuchkey", "NoSuchKey"),
        ("list-buckets", "bucket"),
    ])
    func `an answer that is no listing is a failure`(_ name: String, _ word: String) throws {
        guard case .failed(let why) = try read(name).state else {
            Issue.record("\(name) is taken for a listing")
            return
        }
        #expect(why.contains(word))
    }

    @Test func `of versions the newest ones count`() throws {
        let listing = try read("versions")
        #expect(
            listing.paths == [
                "refused: unsafe-path", "refused: unsafe-path", ".hidden", "refused: unsafe-path", "100%.txt",
            ])
        #expect(listing.parts.first?.address.queryValue(of: "key-marker") == Array("100%.txt".utf8))
        #expect(listing.parts.first?.address.queryValue(of: "version-id-marker") == Array("null".utf8))
    }

    @Test func `other parameters of the question are kept`() throws {
        let part = try #require(try read("v2-startafter-owner").parts.first?.address)
        #expect(part.queryValue(of: "continuation-token") == Array("b1102253bf7d919aace3ba2b84771caa".utf8))
        #expect(part.queryValue(of: "start-after") == [UInt8(ascii: "q")])
        #expect(part.queryValue(of: "fetch-owner") == (try page("v2-startafter-owner")).queryValue(of: "fetch-owner"))
    }
}
