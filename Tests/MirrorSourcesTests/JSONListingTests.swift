import MirrorCore
import MirrorSources
import MirrorURL
import Testing

/// Index pages in JSON, of real servers and beyond.
struct JSONListingTests {
    static let pages = XMLServerTests.pages

    private func read(_ folder: String, _ page: String, _ suffix: String, piece: Int = .max) throws -> Listing {
        let context = DocumentContext(address: try ListingFixture.page(page))
        return listing(
            try ListingFixture(folder: folder).bytes("\(page).\(suffix)"), by: JSONListingReader(context: context),
            piece: piece)
    }

    private func truth(_ folder: String, _ page: String) throws -> [ListingFixture.Truth] {
        try ListingFixture(folder: folder).truth().filter { $0.listing == page && $0.isListed }
    }

    @Test(arguments: [("nginx-json", "json"), ("nginx-jsonp", "js")], pages)
    func `nginx's JSON names what is there`(_ form: (folder: String, suffix: String), _ page: String) throws {
        let listing = try read(form.folder, page, form.suffix)
        #expect(listing.state == .complete)
        // A link that leads nowhere is neither file nor folder for nginx, and is marked so.
        let truth = try truth("nginx-json", page).filter { !$0.result.hasPrefix("BAD(404") }
        try listing.expectTruth(of: truth, at: try ListingFixture.page(page))
    }

    @Test(arguments: pages)
    func `Caddy's JSON names what is there`(_ page: String) throws {
        let listing = try read("caddy-json", page, "json")
        #expect(listing.state == .complete)
        // Of links it gives size and time of the link itself, so that they are no facts.
        let truth = try truth("caddy-json", page).map { item in
            var item = item
            if item.isLink {
                item.size = nil
                item.modified = nil
            }
            return item
        }
        try listing.expectTruth(of: truth, at: try ListingFixture.page(page))
        for item in truth where item.isLink && !item.isFolder {
            let entry = listing.entries.first { Array($0.address.lastSegment.utf8).percentDecoded() == item.name }
            #expect(entry?.listed == ListedFacts())
        }
    }

    @Test(arguments: [1, 2, 5, 100])
    func `the size of the pieces changes nothing`(_ piece: Int) throws {
        for (folder, suffix) in [("nginx-json", "json"), ("nginx-jsonp", "js"), ("caddy-json", "json")] {
            let whole = try read(folder, "hostile", suffix).summary
            #expect(try read(folder, "hostile", suffix, piece: piece).summary == whole)
        }
    }

    private func json(_ text: String, at url: String? = "http://h/pub/", isWhole: Bool = true) throws -> Listing {
        let context = DocumentContext(address: try url.map { try address($0) })
        return listing(Array(text.utf8), by: JSONListingReader(context: context), piece: 7, isWhole: isWhole)
    }

    @Test func `Angie writes times as numbers`() throws {
        let listing = try json(
            """
            [{"name":"d","type":"directory","mtime":1700000000,"size":0},{"name":"a","type":"file","mtime":1700000001,"size":5}]
            """)
        #expect(listing.state == .complete)
        #expect(listing.folderPaths == ["d"])
        #expect(listing.entries.map(\.listed) == [ListedFacts(size: 5, modified: 1_700_000_001)])
    }

    @Test(arguments: [
        ("[", "incomplete(\"it ends early\")"), ("[{\"name\":\"a\",", "incomplete(\"it ends early\")"),
        ("", "failed(\"it ends early\")"), ("{}", "failed(\"a JSON object is no listing that is known\")"),
        ("{\"files\":[]}", "failed(\"a JSON object is no listing that is known\")"),
        ("hello", "failed(\"it ends early\")"), ("5", "failed(\"it ends early\")"),
        ("<html>", "failed(\"it is no JSON\")"), ("[] x", "incomplete(\"something follows the list\")"),
        ("[]) ;", "incomplete(\"something follows the list\")"), ("cb([]) ;\n", "complete"),
        ("\u{FEFF}[ ]\n", "complete"),
        ("[{\"name\":\"a\"},]", "incomplete(\"the list has something that is neither file nor folder\")"),
        ("[{\"name\":\"a\",\"type\":\"file\"} x]", "incomplete(\"the JSON is damaged\")"),
        ("[1]", "incomplete(\"the list has something that is neither file nor folder\")"),
        ("[[]]", "incomplete(\"the list has something that is neither file nor folder\")"),
        ("[null]", "incomplete(\"the list has something that is neither file nor folder\")"),
    ])
    func `what is no list, or not a whole one, says so`(_ text: String, _ state: String) throws {
        #expect("\(try json(text).state)" == state)
    }

    @Test func `a cut page, a part and a page from nowhere are not complete`() throws {
        #expect(try json("[]", isWhole: false).state == .incomplete("it ends early"))
        #expect(try json("[]", at: "http://h/?limit=5").state == .incomplete("its URL asks for a part of the list"))
        guard case .failed = try json("[]", at: nil).state else {
            Issue.record("names without a folder are taken")
            return
        }
    }

    @Test func `links that lead elsewhere and names that are paths are not followed`() throws {
        let listing = try json(
            """
            [{"name":"x","url":"http://other/x","is_dir":false},{"name":"u","url":"../up","is_dir":false},
            {"name":"../up","type":"file"},{"name":"ok","url":"./ok","is_dir":false,"size":3}]
            """)
        #expect(listing.paths == ["refused: unsafe-path", "ok"])
        #expect(listing.state == .incomplete("the list has a link that does not lead below the folder"))
    }

    @Test func `the files of a package, with size and the strongest checksum`() throws {
        let sum = String(repeating: "ab", count: 32)
        let listing = try json(
            """
            {"meta": {"api-version": "1.1", "url": "no"}, "name": "holygrail", "versions": ["1.0"], "files": [
            {"filename": "x", "url": "../../files/holygrail-1.0%2Bb.tar.gz", "size": 123, "yanked": "Had a vulnerability",
            "hashes": {"md5": "\(sum.prefix(32))", "sha256": "\(sum)", "sha1": "no", "blake2b": "1"}, "core-metadata": false},
            {"filename": "y", "url": "http://h/files/holygrail-1.0-py3.whl", "hashes": {}, "provenance": null,
            "core-metadata": {"sha256": "\(sum)"}},
            {"filename": "z", "url": "https://elsewhere.invalid/z.whl", "hashes": {}}]}
            """, at: "http://h/simple/holygrail/")
        #expect(listing.paths == ["holygrail-1.0+b.tar.gz", "holygrail-1.0-py3.whl"])
        #expect(listing.urls.first == "http://h/files/holygrail-1.0%2Bb.tar.gz")
        #expect(listing.entries.map(\.listed.size) == [123, nil])
        #expect(listing.entries.map { $0.options?.checksum?.description } == ["sha-256=\(sum)", nil])
        #expect(listing.state == .incomplete("1 of its files lie on another server"))
    }

    @Test func `the packages that there are, by the names of their lists`() throws {
        let listing = try json(
            """
            {"meta": {"api-version": "1.0"}, "projects": [{"name": "Frob"}, {"name": "spam._-Spam", "_last-serial": 1}]}
            """, at: "http://h/simple/")
        #expect(listing.folderPaths == ["frob", "spam-spam"] && listing.state == .complete)
        guard case .failed = try json("{\"meta\":{\"api-version\":\"1.0\"},\"projects\":[]}", at: nil).state else {
            Issue.record("names without a folder are taken")
            return
        }
    }

    @Test func `depth and length are bounded`() throws {
        let deep = String(repeating: "[", count: 1_000)
        #expect(try json(deep).state == .incomplete("the list has something that is neither file nor folder"))
        let long = "[{\"name\":\"" + String(repeating: "x", count: 200_000)
        #expect(try json(long).state == .incomplete("it has a value of more than 131072 bytes"))
    }

    @Test func `mutated JSON`() throws {
        for (folder, name) in [("nginx-json", "hostile.json"), ("nginx-jsonp", "sub.js"), ("caddy-json", "sub.json")] {
            ListingFuzzTests.check(
                try ListingFixture(folder: folder).bytes(name), rounds: 300, seedNumber: 3, isBound: true,
                page: try address("http://h/pub/")
            ) { JSONListingReader(context: $0) }
        }
    }
}
