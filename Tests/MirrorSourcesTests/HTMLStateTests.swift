import MirrorCore
import MirrorSources
import Testing

/// How far a page can be relied on. What is no listing must never look like an empty folder.
struct HTMLStateTests {
    private static let nothing = "the page is no listing: it has no links"

    /// C111, and pages that take the place of a listing.
    @Test(arguments: [
        ("", nothing),
        ("<html><body>502 Bad Gateway</body></html>", nothing),
        (
            #"<!DOCTYPE html><html><body><div id="app"></div><script src="/app.js"></script></body></html>"#,
            "the page is no listing: it has no links, a script would have to make them in a browser"
        ),
        (
            #"<html><a href="/">Home</a><a href="/login?x">Log in</a><script>1</script></html>"#,
            "the page is no listing: its links have a query, which only its own script understands"
        ),
        (
            #"<html><a href="/"><img src="logo"></a><a href="/imprint">Imprint</a></html>"#,
            "the page is no listing: none of its 2 links leads below its folder"
        ),
        (
            #"<html><a href="forgot.html">?</a><form><input name="p" TYPE="Password"></form></html>"#,
            "the page asks for a password; it is no listing"
        ),
        (
            #"<a href="?dir=music">music</a><a href="index.php?dir=x">x</a>"#,
            "the page is no listing: its links have a query, which only its own script understands"
        ),
    ])
    func `a page that is no listing is an error`(_ page: String, _ reason: String) throws {
        let listing = try htmlListing(page)
        #expect(listing.state == .failed(reason))
        #expect(!listing.tellsFoldersApart)
    }

    @Test func `an empty folder of a known server, or with a link to the folder above, is complete`() throws {
        let pages = [
            "<title>Index of /d/</title><h1>Index of /d/</h1><hr><pre><a href=\"../\">../</a>\n</pre><hr></body></html>",
            "<pre>\n</pre>\n", "<!doctype html>\n<meta name=\"viewport\" content=\"width\">\n<pre>\n</pre>\n",
            "<html><body><h1>My files</h1><a href=\"..\">up</a></body></html>",
            "<html><body><h1>My files</h1><a href=\"/\">Parent folder</a></body></html>",
            "<title>Directory listing for /d/</title><ul></ul></html>",
        ]
        for page in pages {
            let listing = try htmlListing(page)
            #expect(listing.state == .complete, "\(page)")
            #expect(listing.names.isEmpty)
        }
        #expect(try htmlListing("<pre>Cannot GET /d/</pre>").state == .failed(Self.nothing))
    }

    @Test func `an unknown page with files is complete and tells no folders apart`() throws {
        let listing = try htmlListing(#"<p>Files: <a href="a">a</a> 12 KB, <a href="b/">b</a></p>"#)
        #expect(listing.state == .complete)
        #expect(!listing.tellsFoldersApart)
        #expect(listing.entries.allSatisfy { $0.listed == ListedFacts() })
    }

    /// C075: links, but all of them elsewhere.
    @Test func `a known page of which all links lead elsewhere is incomplete`() throws {
        let page = #"<title>Index of /d/</title><pre><a href="/other/a">a</a></pre></html>"#
        #expect(try htmlListing(page).state == .incomplete("none of its 1 links leads below its folder"))
    }

    @Test func `a cut page is incomplete, by the transfer's word or its own look`() throws {
        let page = "<title>Index of /d/</title><pre><a href=\"a\">a</a>  29-Feb-2024 23:59  7\n"
        #expect(try htmlListing(page, isWhole: false).state == .incomplete("the page was cut short"))
        #expect(try htmlListing(page).state == .incomplete("the page has no end: the server broke off"))
        #expect(
            try htmlListing("<a href=x>x</a><a href=\"y").state
                == .incomplete("the page ends inside a tag or a comment"))
        #expect(
            try htmlListing("<a href=x>x</a><!-- y").state == .incomplete("the page ends inside a tag or a comment"))
        #expect(
            try htmlListing("<html>", isWhole: false).state == .failed("the page could not be read to its first file"))
    }

    @Test func `a file that has no address makes a page incomplete`() throws {
        let listing = try htmlListing("<a href=\"a\u{1}b\">x</a><a href=c>c</a><a href=\"foo://a\u{1}b\">x</a>")
        #expect(listing.names == ["c"])
        #expect(listing.state == .incomplete("1 of its links are no addresses"))
    }

    // MARK: - Pages made to hurt

    @Test func `C125: elements deep in each other have an end`() throws {
        let rows = (0..<3_000).map { "<font><a href=f\($0)>x</a>\n" }.joined()
        #expect(try htmlListing(rows).entries.count == 3_000)
        let deep = "<a href=first>x</a>" + String(repeating: "<b><i>", count: 20_000) + "<a href=last>x</a>"
        let listing = try htmlListing(deep)
        #expect(listing.names == ["first"])
        let reason = "the page was not read to its end: its elements are more than 10000 deep in each other"
        #expect(listing.state == .incomplete(reason))
    }

    @Test(arguments: ["<a href=\"", "<!--", "<a title='", "text "])
    func `a part without an end is given up`(_ start: String) throws {
        let bytes = Array("<a href=x>x</a>\(start)".utf8) + Array(repeating: UInt8(ascii: "y"), count: 10 << 20)
        let listing = try htmlListing(bytes, at: "http://h/d/", pieces: 100_000)
        #expect(listing.names == ["x"])
        let reason = "the page was not read to its end: it has a tag, a text or a comment of more than 4 MiB"
        #expect(listing.state == .incomplete(reason))
    }

    @Test func `a link of ten megabytes is no address`() throws {
        let bytes =
            Array("<a href=x>x</a><a href='".utf8) + Array(repeating: UInt8(ascii: "y"), count: 3 << 20)
            + Array("'>y</a><a href=z>z</a>".utf8)
        let listing = try htmlListing(bytes, at: "http://h/d/")
        #expect(listing.names == ["x", "z"])
        #expect(listing.state == .incomplete("1 of its links are no addresses"))
    }

    @Test func `names of elements without number have an end`() throws {
        let text = (0..<500_000).map { "<x\($0)abcdefghijklmnopqrstuvwxyz/></x\($0)abcdefghijklmnopqrstuvwxyz>" }
            .joined()
        let state = try htmlListing("<a href=x>x</a>" + text).state
        #expect(state == .incomplete("the page was not read to its end: it has too many names of elements"))
    }

    @Test func `a script hides nothing but itself`() throws {
        let script = "<script>var t = '</a><a href=no>';" + String(repeating: " // </b>\n", count: 10_000) + "</script>"
        let listing = try htmlListing("<a href=a>a</a>\(script)<a href=b>b</a><style>a</style ><a href=c>c</a>")
        #expect(listing.names == ["a", "b", "c"])
        #expect(listing.state == .complete)
        let open = try htmlListing("<a href=a>a</a><script>alert(1)<</a><a href=b>b</a>")
        #expect(open.names == ["a"])
        #expect(open.state == .incomplete("a <script> without an end hides the rest of the page"))
    }
}
