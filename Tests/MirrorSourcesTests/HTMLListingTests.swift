import Foundation
import MirrorCore
import MirrorSources
import MirrorURL
import Testing

/// What a link of an index page leads to.
struct HTMLListingTests {
    private static func names(_ body: String, at address: String = "http://h/d/") throws -> [String] {
        try htmlListing(body, at: address).names
    }

    @Test(arguments: [
        (#"<a href="a.txt">other name..&gt;</a>"#, ["a.txt"]),
        (#"<A HREF=a.txt>"#, ["a.txt"]),
        (#"<a href="./a:b">x</a><a href="a%3Ab2">x</a>"#, ["a:b", "a:b2"]),
        (#"<a href="amp&amp;amp;x.txt">x</a>"#, ["amp&amp;x.txt"]),
        (#"<a href="x&#233;y">x</a>"#, ["xéy"]),
        (#"<a href=" a.txt ">x</a><a href="b\#t.t\#nx\#rt">x</a>"#, ["a.txt", "b.txt"]),
        (#"<a href="with space.txt">x</a><a href="100%.txt">x</a>"#, ["with space.txt", "100%.txt"]),
        (#"<a href="a.txt"><img></a> <a href="a.txt">a</a> <a href="%61.txt">a</a>"#, ["a.txt"]),
        (#"<a href="b">b</a><a href="a">a</a><a href="b">b</a><a href="./a">a</a><a href="/d/b">b</a>"#, ["b", "a"]),
        (#"<a href="s/">s</a><a href="s//">s</a><a href="s">s</a>"#, ["s", "s/"]),
        (#"<a href="http://H:80/d/x">x</a><a href="//h/d/y">y</a><a href="/d/z">z</a>"#, ["x", "y", "z"]),
        (#"<a href="a.txt#part">x</a><a href="b#x?y">x</a>"#, ["a.txt", "b"]),
        (#"<a href="%2e%2e%2fx">x</a><a href="a%2Fb">x</a>"#, ["..%2Fx", "a%2Fb"]),
        (#"<a href="%3FC=N">x</a>"#, ["?C=N"]),
    ])
    func `a link is its address, decoded once`(_ body: String, _ names: [String]) throws {
        #expect(try Self.names(body) == names)
    }

    @Test(arguments: [
        #""""#, "#", "#top", "?C=N;O=D", "x?y", "sub/?dir=x", "../", "..", "/", "/d", "/d/", ".", "./", "../../",
        "../e/f",
        "/e/f", "mailto:a@b.c", "javascript:void(0)", "data:,x", "ftp://h/d/x", "file:///d/x", "https://h/d/x",
        "http://h:81/d/x", "http://other/d/x", "//other/d/x", "http:/x", "http:x", "a:b.txt", "///x",
        "http://user:secret@h/d/x", "/dd/x", "/D/x",
    ])
    func `what lies elsewhere is no entry`(_ link: String) throws {
        #expect(try Self.names(#"<a href="\#(link)">x</a><a href="ok">ok</a>"#) == ["ok"])
    }

    @Test func `only a elements name files`() throws {
        let body = """
            <link href="style.css"><img src="i.gif"><script src="s.js"></script><area href="m"><a name="n">t</a>
            <!-- <a href="hidden">h</a> --><form action="f"></form><iframe src="g"></iframe><a href="ok">ok</a>
            """
        #expect(try Self.names(body) == ["ok"])
    }

    /// C108: a whole tree on one page.
    @Test func `links any levels below keep their path`() throws {
        let body = #"<a href="/d/tool/net/x.lua">x</a><a href="tool/">t</a><a href="tool//net/y">y</a>"#
        let listing = try htmlListing(body)
        #expect(listing.names == ["tool/net/x.lua", "tool/net/y", "tool/"])
        #expect(listing.entries.allSatisfy { $0.place == SourcePlace(source: 3) })
    }

    @Test func `a name that is not safe is refused and the others are not`() throws {
        let long = String(repeating: "x", count: 256)
        let listing = try htmlListing(
            #"<a href="%2e%2e/q">q</a><a href="a/%2e/b">b</a><a href="\#(long)">l</a><a href="ok">o</a>"#)
        let refused = listing.entries.filter { $0.path == nil }
        #expect(refused.allSatisfy { $0.options?.refusal != nil })
        #expect(refused.contains { $0.options?.refusal?.code == .nameTooLong })
        #expect(listing.entries.contains { $0.path?.text == "ok" })
        #expect(listing.state == .complete)
    }

    @Test func `raw bytes are requested as they are, whatever charset is said`() throws {
        for charset in [nil, "ISO-8859-1", "utf-8", "%s", "koi8-r"] {
            let bytes =
                Array(#"<meta charset="windows-1252"><a href="caf"#.utf8) + [0xE9, 0x22, 0x3E]
                + Array(#"x</a><a href="日本.txt">"#.utf8)
            let listing = try htmlListing(bytes, at: "http://h/d/", charset: charset)
            #expect(listing.addresses == ["http://h/d/caf%E9", "http://h/d/%E6%97%A5%E6%9C%AC.txt"])
            #expect(listing.names == ["caf%E9", "日本.txt"])
        }
    }

    @Test(arguments: [true, false])
    func `UTF-16 is decoded`(_ isBigEndian: Bool) throws {
        let text = #"<a href="日本😀.txt">x</a>"#
        let units = [0xFEFF] + text.utf16
        let bytes = units.flatMap {
            isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        #expect(try htmlListing(bytes, at: "http://h/d/").names == ["日本😀.txt"])
    }

    @Test func `a byte order mark and NULs hide nothing`() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + Array("<a href=a>a</a>".utf8) + [0, 0] + Array("<a href=b>b</a>".utf8)
        #expect(try htmlListing(bytes, at: "http://h/d/").names == ["a", "b"])
    }

    @Test func `the base of a page counts, and never leads above or to another server`() throws {
        let link = #"<a href="x">x</a>"#
        #expect(try htmlListing("<base href=/d/>" + link).addresses == ["http://h/d/x"])
        #expect(try htmlListing("<BASE HREF='http://h:80/mirror/'>" + link).addresses == ["http://h/mirror/x"])
        #expect(try htmlListing("<base href=/a/><base href=/b/>" + link).addresses == ["http://h/a/x"])
        #expect(try htmlListing("<base href=sub/>" + link).names == ["sub/x"])
        #expect(try htmlListing("<base href=/>" + link).addresses.isEmpty)
        #expect(try htmlListing("<base href=http://other/>" + link).addresses.isEmpty)
        #expect(try htmlListing("<base href=/>" + #"<a href="d/x">x</a>"#).addresses == ["http://h/d/x"])
        #expect(try htmlListing(link + "<base href=/d/>").state == .complete)
        let late = try htmlListing(link + "<base href=/e/>")
        #expect(late.state == .incomplete("the page says only after its first links where they lead"))
    }

    @Test func `a local page needs an address, its own or the one that is given`() throws {
        let unknown = try htmlListing("<a href=x>x</a>", at: nil)
        #expect(unknown.state == .failed("it is not known where the page came from: --base URL tells it"))
        let known = try htmlListing("<base href=http://h/e/><a href=x>x</a>", at: nil)
        #expect(known.addresses == ["http://h/e/x"])
    }

    @Test func `the page's own name is not part of its folder`() throws {
        let listing = try htmlListing(
            "<a href=x>x</a><a href=?q>q</a><a href=index.html>i</a>", at: "http://h/d/index.html?a")
        #expect(listing.addresses == ["http://h/d/x", "http://h/d/index.html"])
    }

    // MARK: - Package indexes

    private static let packages = HTMLFixture.folder.appendingPathComponent("pypiserver")

    @Test func `a package index leads to files in other folders, with their checksums`() throws {
        let truth = tableRows(of: Self.packages.appendingPathComponent("expected.tsv"))
        let pages = [
            ("packages", "http://h/packages/"), ("simple_demo-pkg", "http://h/simple/demo-pkg/"),
        ]
        for (name, address) in pages {
            let bytes = [UInt8](try Data(contentsOf: Self.packages.appendingPathComponent("\(name).html")))
            let listing = try htmlListing(bytes, at: address)
            let expected = truth.filter { name == "packages" || $0["path"]?.hasPrefix("demo") == true }
            #expect(Set(listing.names) == Set(expected.compactMap { $0["path"] }))
            for entry in listing.entries {
                let row = expected.first { $0["path"] == entry.path?.text }
                #expect(entry.options?.checksum?.hex == row?["sha256"])
                #expect(entry.address.text == "http://h/packages/\(entry.path?.text ?? "")")
            }
            #expect(listing.state == .complete)
        }
        let simple = [UInt8](try Data(contentsOf: Self.packages.appendingPathComponent("simple.html")))
        #expect(try htmlListing(simple, at: "http://h/simple/").names == ["demo-pkg/", "other/"])
    }

    @Test func `only a package index may leave its folder, and not its server`() throws {
        let hash = "#sha256=" + String(repeating: "0f", count: 32)
        let link = #"<a href="/packages/x.whl\#(hash)">x</a>"#
        #expect(try htmlListing("<title>Files</title>" + link).names.isEmpty)
        #expect(try htmlListing("<title>Links for x</title>" + link).names == ["x.whl"])
        #expect(try htmlListing(#"<meta name="pypi:repository-version" content="1.0">"# + link).names == ["x.whl"])
        #expect(try htmlListing(#"<title>Links for x</title><a href="/packages/x.whl">x</a>"#).names.isEmpty)
        let foreign = try htmlListing(#"<title>Links for x</title><a href="https://files.h/x.whl\#(hash)">x</a>"#)
        #expect(foreign.names.isEmpty)
        #expect(foreign.state == .incomplete("1 of its files lie on another server"))
    }

    // MARK: - Pages of rclone's tests

    @Test func `the pages of rclone's tests give the names that it expects`() throws {
        let folder = HTMLFixture.folder.appendingPathComponent("public/rclone")
        for row in tableRows(of: folder.appendingPathComponent("expected.tsv")) {
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(row["file"] ?? "")))
            let listing = try htmlListing(bytes, at: row["base_url"])
            let names = row.first { $0.key.hasPrefix("expected") }?.value ?? ""
            let expected = names.split(separator: "|").map { String($0) }
            #expect(Set(listing.names) == Set(expected), "\(row["file"] ?? "")")
        }
        let caddy = [UInt8](try Data(contentsOf: folder.appendingPathComponent("caddy.html")))
        #expect(try htmlListing(caddy, at: "http://h/").names.count > 3)
    }

    @Test func `rclone's cases of single links agree`() throws {
        let folder = HTMLFixture.folder.appendingPathComponent("public/rclone")
        let rows = tableRows(of: folder.appendingPathComponent("parse-name-cases.tsv"))
        #expect(rows.count > 10)
        for row in rows {
            let href = (row["href"] ?? "").replacing("&", with: "&amp;")
            let names = try Self.names(#"<a href="\#(href)">x</a>"#, at: row["base"] ?? "")
            let expected: [String]
            switch row["expected"] ?? "" {
            // A link below a folder is an entry here (C108), and nothing with a blank in it is a scheme.
            case "-(slash)": expected = ["subdir/potato"]
            case "-(url join)": expected = ["With colon :"]
            case let name: expected = name.hasPrefix("-(") ? [] : [name]
            }
            #expect(names == expected, "\(href)")
        }
    }
}
