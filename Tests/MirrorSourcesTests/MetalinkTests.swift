import MirrorCore
import MirrorSources
import Testing

/// Metalinks of both versions.
struct MetalinkTests {
    private static let sha256 = String(repeating: "ab", count: 32)
    private static let sha1 = String(repeating: "cd", count: 20)
    private static let md5 = String(repeating: "ef", count: 16)

    private static let version4 = """
        <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="dir/a.iso"><size>10</size>
        <hash type="md5">\(md5)</hash><hash type="sha-256">\(sha256.uppercased())</hash><hash type="sha-1">\(sha1)</hash>
        <pieces length="4" type="sha-1"><hash>\(sha1)</hash><hash>\(sha1)</hash><hash>\(sha1)</hash></pieces>
        <url>http://last/a.iso</url><url location="de" priority="10">http://ten/a.iso</url>
        <url priority="1"> http://one/a.iso </url><url priority="foobar">http://bad/a.iso</url><url/>
        <url priority="2">rsync://two/a.iso</url><url priority="1">ftp://one/a.iso</url>
        <metaurl mediatype="torrent">http://one/a.torrent</metaurl></file>
        <file name="b.txt"><url>files/b%20c.txt</url></file></metalink>
        """

    @Test(arguments: [1, 13, Int.max])
    func `version 4 is read`(_ piece: Int) throws {
        let listing = try xml(Self.version4, at: "http://h/m/x.meta4", piece: piece)
        #expect(listing.state == .complete)
        #expect(listing.paths == ["dir/a.iso", "b.txt"])
        #expect(
            listing.entries[0].addresses.map(\.text) == [
                "http://one/a.iso", "ftp://one/a.iso", "http://ten/a.iso", "http://last/a.iso", "http://bad/a.iso",
            ])
        let options = try #require(listing.entries[0].options)
        #expect(options.size == 10)
        #expect(options.checksum?.description == "sha-256=\(Self.sha256)")
        #expect(options.namesPath)
        #expect(options.pieces?.algorithm == .sha1)
        #expect(options.pieces?.length == 4)
        #expect(options.pieces?.count == 3)
        #expect(listing.entries[1].addresses.map(\.text) == ["http://h/m/files/b%20c.txt"])
    }

    @Test(arguments: ["http://www.metalinker.org/", "https://www.metalinker.org/", "urn:unexpected"])
    func `C123: version 3 is read in any namespace`(_ space: String) throws {
        let listing = try xml(
            """
            <metalink version="3.0" xmlns="\(space)" xmlns:mm0="http://fedorahosted.org/mirrormanager"><files>
            <file name="a.iso"><size>8</size><mm0:alternates><mm0:alternate><size>7</size><verification>
            <hash type="sha512">\(String(repeating: "11", count: 64))</hash></verification></mm0:alternate></mm0:alternates>
            <verification><hash type="md5">\(Self.md5)</hash><hash type="sha256">\(Self.sha256)</hash>
            <hash type="sha1">12345</hash><hash type="crc32">12345678</hash><hash/>
            <pieces length="4" type="sha1"><hash piece="0">\(Self.sha1)</hash><hash piece="1">\(Self.sha1)</hash></pieces>
            </verification><resources maxconnections="1"><url type="http" preference="10">http://ten/a</url>
            <url type="https" location="us" preference="100">https://hundred/a</url>
            <url type="rsync" preference="99">rsync://x/a</url><url preference="-5">http://odd/a</url></resources></file>
            </files></metalink>
            """)
        #expect(listing.state == .complete)
        #expect(
            listing.entries.map { $0.addresses.map(\.text) } == [["https://hundred/a", "http://ten/a", "http://odd/a"]])
        let options = try #require(listing.entries.first?.options)
        #expect(options.size == 8)
        #expect(options.checksum?.description == "sha-256=\(Self.sha256)")
        #expect(options.pieces?.count == 2)
    }

    @Test(arguments: [
        "../x", "a/../x", "..\\..\\x", "/abs", "\\abs", "C:\\x", "a//b", ".mirror/x", "", ".",
    ])
    func `an unsafe name is refused for its file alone`(_ name: String) throws {
        let listing = try xml(
            """
            <metalink><file name="\(name)"><url>http://h/a</url></file><file name="ok"><url>http://h/b</url></file></metalink>
            """)
        #expect(listing.paths == ["refused: unsafe-path", "ok"])
        #expect(listing.state == .complete)
    }

    @Test func `C123: no usable file is a failure, some are a gap`() throws {
        let unusable = "<file name=\"a\"><url>rsync://h/a</url><metaurl>http://h/a.torrent</metaurl></file>"
        #expect(try xml("<metalink>\(unusable)</metalink>").state == .failed("it names no file that can be fetched"))
        #expect(try xml("<metalink/>").state == .failed("it names no file that can be fetched"))
        let some = try xml("<metalink>\(unusable)<file name=\"b\"><url>http://h/b</url></file></metalink>")
        #expect(some.state == .incomplete("the file «a» has no URL that can be fetched"))
        #expect(some.paths == ["b"])
    }

    @Test func `sums of pieces count only where they fit the file`() throws {
        for (size, pieces) in [(8, 2), (9, 2), (3, 2)] {
            let hashes = String(repeating: "<hash>\(Self.md5)</hash>", count: pieces)
            let listing = try xml(
                """
                <metalink><file name="a"><size>\(size)</size><pieces length="4" type="md5">\(hashes)</pieces>
                <url>http://h/a</url></file></metalink>
                """)
            #expect((listing.entries.first?.options?.pieces != nil) == (size == 8))
        }
        let behind = try xml(
            """
            <metalink><file name="a"><pieces length="4" type="md5"><hash>\(Self.md5)</hash></pieces><size>4</size>
            <url>http://h/a</url></file></metalink>
            """)
        #expect(behind.entries.first?.options?.pieces?.count == 1)
        for numbers in [[0, 1], [1, 0], [0, 0], [0, 2]] {
            let hashes = numbers.map { "<hash piece='\($0)'>\(Self.md5)</hash>" }.joined()
            let numbered = try xml(
                """
                <metalink><file name="a"><size>8</size><pieces length="4" type="md5">\(hashes)</pieces>
                <url>http://h/a</url></file></metalink>
                """)
            #expect((numbered.entries.first?.options?.pieces != nil) == (numbers == [0, 1]))
        }
        let bad = try xml(
            """
            <metalink><file name="a"><size>bar</size><pieces length="0" type="md5"><hash>x</hash></pieces>
            <hash type="md5">\(Self.md5.dropLast())</hash><url>http://h/a</url></file></metalink>
            """)
        #expect(bad.entries.first?.options?.pieces == nil)
        #expect(bad.entries.first?.options?.size == nil)
        #expect(bad.entries.first?.options?.checksum == nil)
    }
}
