import MirrorCore
import MirrorSources
import Testing

/// Site maps, feeds and package repositories, written after the facts of their documents.
struct FeedAndRepositoryTests {
    @Test(arguments: [
        "http://www.sitemaps.org/schemas/sitemap/0.9", "http://www.sitemaps.org/schemas/sitemap/0.9/", "",
    ])
    func `a site map names its pages, not their pictures`(_ space: String) throws {
        let listing = try xml(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <urlset xmlns="\(space)" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
              xmlns:xhtml="http://www.w3.org/1999/xhtml">
            <url><loc>
              https://example.org/a.html?x=1&amp;y=2  </loc><lastmod>2024-01-01</lastmod>
              <image:image><image:loc>https://example.org/pic.jpg</image:loc></image:image>
              <xhtml:link rel="alternate" href="https://example.org/de/a.html"/></url>
            <url><loc>https://example.org/a.html?x=1&amp;y=2</loc></url>
            <url><loc>https://example.org/d/b.pdf</loc></url>
            </urlset>
            """, at: "https://example.org/sitemap.xml", layout: .path)
        #expect(listing.state == .complete)
        #expect(listing.urls == ["https://example.org/a.html?x=1&y=2", "https://example.org/d/b.pdf"])
        #expect(listing.paths == ["a.html", "d/b.pdf"])
        #expect(listing.parts.isEmpty)
    }

    @Test func `an index of site maps names parts`() throws {
        let text = """
            <sitemapindex><sitemap><loc>https://example.org/s1.xml.gz</loc></sitemap>\
            <sitemap><loc> https://example.org/s2.xml </loc></sitemap><sitemap><loc>mailto:x@y</loc></sitemap></sitemapindex>
            """
        let listing = try xml(text, at: nil)
        #expect(listing.partURLs == ["https://example.org/s1.xml.gz", "https://example.org/s2.xml"])
        #expect(listing.entries.isEmpty)
        #expect(listing.state == .incomplete("a URL of the site map cannot be read"))
    }

    @Test func `what comes from the net names no local files`() throws {
        let text = "<urlset><url><loc>file:///etc/passwd</loc></url></urlset>"
        #expect(try xml(text, at: "http://h/sitemap.xml").entries.isEmpty)
        #expect(try xml(text, at: nil).entries.isEmpty)
        #expect(try xml(text, at: "file:///srv/sitemap.xml").paths == ["passwd"])
    }

    @Test func `RSS names its enclosures and media`() throws {
        let listing = try xml(
            """
            <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><link>http://h/</link>
            <image><url>http://h/logo.png</url></image>
            <item><link>http://h/1</link><enclosure url="http://cdn.example/t/ep1.mp3?from=rss&amp;x=1" length="0" type="audio/mpeg"/>
            <enclosure url="ep1.ogg" length="12"/><media:content url="http://h/v.mp4" fileSize="9"/>
            <media:group><media:content url="http://h/w.mp4"/></media:group></item>
            <item xml:base="http://other/b/"><enclosure url="x.mp3"/><enclosure url="http://h/v.mp4"/></item>
            <item><enclosure url="y.mp3"/></item></channel></rss>
            """, at: "http://h/feed/rss.xml")
        #expect(listing.state == .complete)
        #expect(
            listing.urls == [
                "http://cdn.example/t/ep1.mp3?from=rss&x=1", "http://h/feed/ep1.ogg", "http://h/v.mp4",
                "http://h/w.mp4",
                "http://other/b/x.mp3", "http://h/feed/y.mp3",
            ])
        #expect(listing.paths == ["ep1.mp3", "ep1.ogg", "v.mp4", "w.mp4", "x.mp3", "y.mp3"])
        // A length in a feed is a hint that is often wrong.
        #expect(listing.entries.allSatisfy { $0.listed.size == nil && $0.options == nil })
    }

    @Test func `RSS 1 and Atom name their enclosures`() throws {
        let rdf = try xml(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
             xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#">
            <item rdf:about="http://h/1"><enc:enclosure rdf:resource="http://h/a.mp3" enc:length="3"/></item></rdf:RDF>
            """)
        #expect(rdf.urls == ["http://h/a.mp3"])
        let atom = try xml(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://h/base/"><link rel="self" href="http://h/feed"/>
            <entry xml:base="sub/"><link rel="enclosure" href="a%20b.iso" length="7"/><link href="page.html"/></entry>
            <entry><link rel="enclosure" href="/c.iso"/></entry></feed>
            """)
        #expect(atom.urls == ["http://h/base/sub/a%20b.iso", "http://h/c.iso"])
        #expect(atom.paths == ["a b.iso", "c.iso"])
    }

    @Test func `repomd.xml names its files and the list of packages`() throws {
        let sum = String(repeating: "ab", count: 32)
        let listing = try xml(
            """
            <repomd xmlns="http://linux.duke.edu/metadata/repo" xmlns:rpm="http://linux.duke.edu/metadata/rpm">
            <revision>1</revision>
            <data type="primary"><checksum type="sha256">\(sum)</checksum><open-checksum type="sha256">ff</open-checksum>
            <location href="repodata/p-primary.xml.gz"/><size>120</size><open-size>999</open-size></data>
            <data type="other"><checksum type="sha">\(String(repeating: "c", count: 40))</checksum>
            <location xml:base="http://cdn.example/r" href="repodata/o.xml.zst"/></data>
            <data type="bad"><location href="../../x"/></data></repomd>
            """, at: "http://h/fedora/os/repodata/repomd.xml")
        #expect(listing.state == .complete)
        #expect(
            listing.urls == [
                "http://h/fedora/os/repodata/p-primary.xml.gz", "http://cdn.example/r/repodata/o.xml.zst", "http://h/x",
            ])
        #expect(listing.paths == ["repodata/p-primary.xml.gz", "o.xml.zst", "x"])
        #expect(listing.entries[0].listed.size == 120)
        #expect(listing.entries[0].options?.checksum?.description == "sha-256=\(sum)")
        #expect(listing.entries[1].options?.checksum?.algorithm == .sha1)
        #expect(listing.partURLs == ["http://h/fedora/os/repodata/p-primary.xml.gz"])
        #expect(listing.parts[0].size == 120)
        #expect(listing.parts[0].checksum == listing.entries[0].options?.checksum)
        #expect(try xml("<repomd/>").state == .incomplete("the repository names no list of its packages"))
    }

    @Test func `primary.xml names packages below the repository`() throws {
        let sum = String(repeating: "0f", count: 32)
        let text = """
            <metadata xmlns="http://linux.duke.edu/metadata/common" xmlns:rpm="http://linux.duke.edu/metadata/rpm" packages="2">
            <package type="rpm"><name>a</name><checksum type="sha256" pkgid="YES">\(sum)</checksum>
            <url>http://home.example/</url><time file="1700000000" build="1"/>
            <size package="4096" installed="9" archive="10"/><location href="Packages/a/a-1.rpm"/>
            <format><rpm:entry name="x"/><file>/usr/bin/a</file></format></package>
            <package type="rpm"><location href="Packages/b.rpm" xml:base="http://cdn.example/base/"/></package></metadata>
            """
        let listing = try xml(text, at: "http://h/os/repodata/abc-primary.xml.gz", piece: 9)
        #expect(listing.state == .complete)
        #expect(listing.urls == ["http://h/os/Packages/a/a-1.rpm", "http://cdn.example/base/Packages/b.rpm"])
        #expect(listing.paths == ["Packages/a/a-1.rpm", "b.rpm"])
        #expect(listing.entries[0].listed == ListedFacts(size: 4_096, modified: 1_700_000_000))
        #expect(listing.entries[0].options?.checksum?.description == "sha-256=\(sum)")
        #expect(listing.entries[0].options?.size == 4_096)
        let short = text.replacing("packages=\"2\"", with: "packages=\"3\"")
        #expect(
            try xml(short, at: "http://h/os/repodata/p.xml").state
                == .incomplete("the list has 2 of the 3 packages that it names"))
    }
}
