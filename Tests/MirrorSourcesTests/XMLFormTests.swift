import MirrorCore
import MirrorSources
import MirrorURL
import Testing

/// What XML forms mean beyond what servers were seen to send.
struct XMLFormTests {
    private func why(_ listing: Listing) -> String {
        switch listing.state {
        case .complete: "complete"
        case .incomplete(let why): "incomplete: \(why)"
        case .failed(let why): "failed: \(why)"
        }
    }

    // The document.

    @Test func `C126: a document that defines entities is refused`() throws {
        for definition in [
            "<!ENTITY a \"x\">", "<!ENTITY % p SYSTEM \"file:///etc/passwd\">",
            "<!ENTITY x SYSTEM \"file:///etc/passwd\">",
            "<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">",
        ] {
            let listing = try xml("<!DOCTYPE list [\(definition)]><list><file size=\"1\">a&x;</file></list>")
            #expect(why(listing).hasPrefix("failed: it defines entities"))
            #expect(listing.entries.isEmpty)
        }
        #expect(try xml("<!DOCTYPE list SYSTEM \"file:///nowhere.dtd\"><list><file>a</file></list>").paths == ["a"])
    }

    @Test func `C129: a cut or damaged page is incomplete, whatever it names`() throws {
        let whole = "<list><file size=\"1\">a</file><file size=\"2\">b</file></list>"
        #expect(try xml(whole).state == .complete)
        #expect(try xml(whole, isWhole: false).state == .incomplete("it ends early"))
        for end in 10..<whole.utf8.count {
            let listing = try xml(String(whole.prefix(end)))
            #expect(listing.state != .complete)
            #expect(listing.entries.count <= 2)
        }
        for damaged in [
            "<list><file>a</flie><file>b</file></list>", "<list><file>a</file></list><list/>",
            "<list><file size=1>a</file></list>", "<list><file>a&nbsp;b</file></list>",
        ] {
            #expect(why(try xml(damaged)).hasPrefix("incomplete: the XML is damaged at line 1"), "\(damaged)")
        }
    }

    @Test func `what is no listing is a failure`() throws {
        #expect(why(try xml("")).hasPrefix("failed"))
        #expect(why(try xml("hello")).hasPrefix("failed"))
        #expect(why(try xml("<svg/>")) == "failed: XML with the root element «svg» is no listing that is known")
        #expect(why(try xml("<multistatus/>")).hasPrefix("failed"))
        #expect(why(try xml("<HTML><body/></HTML>")) == "failed: it is a web page, no XML listing")
        #expect(why(try xml("<list/>", at: nil)).hasPrefix("failed: its names are relative"))
    }

    @Test func `depth and the length of a text are bounded`() throws {
        let deep = String(repeating: "<a>", count: 200)
        #expect(why(try xml("<list>\(deep)")) == "incomplete: it is nested deeper than 100 levels")
        let long = String(repeating: "x", count: 100_000)
        #expect(try xml("<list><file>\(long)</file><file>a</file></list>").paths == ["refused: unsafe-path", "a"])
    }

    @Test func `bytes that XML cannot hold are read as they are`() throws {
        let bytes = Array("<list><file>caf".utf8) + [0xE9] + Array("\u{1}\u{10FE41}\u{FFFF}x\r</file></list>\r\n".utf8)
        let context = DocumentContext(address: try address("http://h/pub/"), charset: "utf-8")
        for piece in [1, 2, 5, .max] {
            let listing = listing(bytes, by: XMLListingReader(context: context), piece: piece)
            #expect(listing.state == .complete)
            #expect(listing.urls == ["http://h/pub/caf%E9%01%F4%8F%B9%81%EF%BF%BFx%0D"])
        }
    }

    @Test func `the encoding is the one that is declared`() throws {
        let latin =
            Array("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><list><file>caf".utf8) + [0xE9]
            + Array("</file></list>".utf8)
        let address = try address("http://h/pub/")
        #expect(
            listing(latin, by: XMLListingReader(context: DocumentContext(address: address)), piece: 3).urls
                == ["http://h/pub/caf%C3%A9"])
        let named = Array("<list><file>caf".utf8) + [0xE9] + Array("</file></list>".utf8)
        let context = DocumentContext(address: address, charset: "ISO-8859-1")
        #expect(listing(named, by: XMLListingReader(context: context)).urls == ["http://h/pub/caf%C3%A9"])
        let unknown = DocumentContext(address: address, charset: "%s")
        #expect(listing(named, by: XMLListingReader(context: unknown)).urls == ["http://h/pub/caf%E9"])
        let wide = "<list><file>é</file></list>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(
            listing([0xFF, 0xFE] + wide, by: XMLListingReader(context: DocumentContext(address: address)), piece: 1)
                .urls
                == ["http://h/pub/%C3%A9"])
        #expect(try xml("\u{FEFF}\n <?xml version=\"1.0\"?>\r\n<list><file>a</file></list>\r\n").state == .complete)
    }

    @Test func `names of nginx are no paths`() throws {
        let listing = try xml("<list><file>..</file><directory>a/b</directory><file>a</file><file>a</file></list>")
        #expect(listing.paths == ["refused: unsafe-path", "refused: unsafe-path", "a"])
        #expect(listing.folders.isEmpty)
    }

    // WebDAV.

    private func response(_ href: String, _ properties: String = "", status: String = "HTTP/1.1 200 OK") -> String {
        """
        <response><href>\(href)</href><propstat><prop>\(properties)</prop><status>\(status)</status></propstat>\
        </response>
        """
    }

    private func multistatus(_ responses: String...) -> String {
        "<multistatus xmlns='DAV:'>\(responses.joined())</multistatus>"
    }

    @Test func `C121: elements are told by namespace, properties by status`() throws {
        let listing = try xml(
            """
            <x:multistatus xmlns:x="DAV:"><x:response xmlns:lp1="DAV:" xmlns:o="urn:other"><x:href>/pub/sub</x:href>
            <x:propstat><x:prop><lp1:resourcetype><x:collection/></lp1:resourcetype></x:prop>
            <x:status>HTTP/1.1 200 </x:status></x:propstat>
            <x:propstat><x:prop><lp1:getcontentlength>9</lp1:getcontentlength></x:prop>
            <x:status>HTTP/1.1 404 Not Found</x:status></x:propstat></x:response>
            <x:response><x:href>/pub/a</x:href><x:propstat><x:prop><o:getcontentlength xmlns:o="urn:other">7</o:getcontentlength>
            <lp1:getcontentlength xmlns:lp1="DAV:">12</lp1:getcontentlength></x:prop>
            <x:status>HTTP/1.1 200 OK</x:status></x:propstat></x:response></x:multistatus>
            """)
        #expect(listing.state == .complete)
        #expect(listing.folderPaths == ["sub"])
        #expect(listing.folders.first?.address.text == "http://h/pub/sub/")
        #expect(listing.entries.map(\.listed.size) == [12])
    }

    @Test(arguments: [
        ("/pub/a", "http://h/pub/a a"), ("http://h/pub/a", "http://h/pub/a a"),
        ("http://h:80/pub/a", "http://h/pub/a a"),
        ("http://inner.host:8080/pub/a", "http://h/pub/a a"), ("/pub//a", "http://h/pub//a a"),
        ("/%70ub/%5bRef%5d", "http://h/%70ub/%5bRef%5d [Ref]"), ("/pub/[Ref]", "http://h/pub/[Ref] [Ref]"),
        ("a", "http://h/pub/a a"), ("/pub/", ""), ("/pub", ""), ("/", ""),
        ("/pub/..%2f..%2fx", "http://h/pub/..%2f..%2fx ..%2F..%2Fx"),
    ])
    func `C122: links lead below the folder, however they are written`(_ href: String, _ expected: String) throws {
        let listing = try xml(multistatus(response("/pub/"), response(href)))
        #expect(listing.state == .complete)
        #expect(zip(listing.urls, listing.paths).map { "\($0) \($1)" }.joined() == expected)
    }

    @Test(arguments: ["/other/a", "http://elsewhere/x/a", "/pub/../x"])
    func `C122: a link that leads elsewhere is passed over and told`(_ href: String) throws {
        let listing = try xml(multistatus(response("/pub/"), response(href), response("/pub/a")))
        #expect(listing.paths == ["a"])
        #expect(why(listing) == "incomplete: the server lists 1 links that do not lead below the folder asked for")
    }

    @Test func `members that cannot be listed make the listing incomplete`() throws {
        let gone = "<response><href>/pub/x</href><status>HTTP/1.1 404 Not Found</status></response>"
        #expect(try xml(multistatus(gone)).state == .complete)
        let full = "<response><href>/pub/x</href><status>HTTP/1.1 507 Insufficient Storage</status></response>"
        #expect(why(try xml(multistatus(full))) == "incomplete: the server could not list everything (507)")
    }

    // Buckets.

    private func bucket(_ inside: String, at url: String = "http://h/bucket?list-type=2&x=1%2F2") throws -> Listing {
        try xml("<ListBucketResult>\(inside)</ListBucketResult>", at: url)
    }

    @Test func `C114: more without a way on is incomplete`() throws {
        let listing = try bucket("<IsTruncated>true</IsTruncated><Contents><Key>a</Key><Size>1</Size></Contents>")
        #expect(why(listing).hasPrefix("incomplete: the server says that there is more"))
        #expect(listing.paths == ["a"])
    }

    @Test func `C115: a page without keys goes on`() throws {
        let listing = try bucket("<IsTruncated>true</IsTruncated><NextContinuationToken>a/+=</NextContinuationToken>")
        #expect(listing.state == .complete)
        #expect(listing.partURLs == ["http://h/bucket?list-type=2&x=1%2F2&continuation-token=a%2F%2B%3D"])
        let again = try bucket(
            "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>",
            at: "http://h/bucket?list-type=2&continuation-token=t")
        #expect(why(again) == "incomplete: the server names this page as the next one")
        #expect(again.parts.isEmpty)
    }

    @Test func `C116: the encoding holds for keys, prefixes and markers, not for tokens`() throws {
        let page = """
            <Contents><Key>p+x/a+b%2Bc.txt</Key><Size>1</Size></Contents><Prefix>p+x/</Prefix>\
            <NextMarker>p+x/a%2B</NextMarker><IsTruncated>true</IsTruncated>
            """
        let encoded = try bucket(page + "<EncodingType>url</EncodingType>", at: "http://h/?prefix=p%20x/")
        #expect(encoded.urls == ["http://h/p%20x/a%20b%2Bc.txt"])
        #expect(encoded.paths == ["a b+c.txt"])
        #expect(encoded.partURLs == ["http://h/?prefix=p%20x/&marker=p%20x%2Fa%2B"])
        let plain = try bucket(page, at: "http://h/?prefix=p%2Bx/")
        #expect(plain.urls == ["http://h/p%2Bx/a%2Bb%252Bc.txt"])
        #expect(plain.paths == ["a+b%2Bc.txt"])
    }

    @Test(
        arguments: [
            // keys as they are written, the URL of the first one, its path, the URL in the other reading
            (["a+b"], "http://h/a%20b", "a b", "http://h/a%2Bb"),
            (["a+b", "c%2bd"], "http://h/a%20b", "a b", nil),
            (["a+b", "c%20d"], "http://h/a%2Bb", "a+b", nil),
            (["a%2Bb"], "http://h/a%2Bb", "a+b", nil), (["ab"], "http://h/ab", "ab", nil),
            (["a%zb+%2"], "http://h/a%25zb%20%252", "a%zb %2", "http://h/a%25zb%2B%252"),
        ] as [([String], String, String, String?)])
    func `C116 a bare plus has the reading that the page shows, or else two`(
        _ keys: [String], _ url: String, _ path: String, _ other: String?
    ) throws {
        let contents = keys.map { "<Contents><Key>\($0)</Key><Size>1</Size></Contents>" }.joined()
        let encoded = try bucket(contents + "<EncodingType>url</EncodingType>", at: "http://h/")
        #expect(encoded.urls.first == url && encoded.paths.first == path)
        #expect(encoded.entries.first?.options?.otherReading?.text == other)
        #expect(encoded.entries.first?.addresses.count == (other == nil ? 1 : 2))
        let plain = try bucket(contents, at: "http://h/")
        #expect(plain.entries.allSatisfy { $0.options == nil })
    }

    @Test func `C116 a folder with a bare plus is asked for in both readings`() throws {
        let page = "<CommonPrefixes><Prefix>a+b/</Prefix></CommonPrefixes><EncodingType>url</EncodingType>"
        let listing = try bucket(page, at: "http://h/?delimiter=/")
        #expect(
            listing.folders.map(\.address.text) == [
                "http://h/?delimiter=/&prefix=a%20b%2F", "http://h/?delimiter=/&prefix=a%2Bb%2F",
            ])
        #expect(listing.folders.map(\.path.text) == ["a b", "a b"])
    }

    @Test func `version 1 without a marker goes on behind its last key`() throws {
        let page = """
            <IsTruncated>true</IsTruncated><Contents><Key>b%20</Key></Contents><Contents><Key>c/</Key><Size>0</Size>\
            </Contents><EncodingType>url</EncodingType>
            """
        #expect(try bucket(page, at: "http://h/b").partURLs == ["http://h/b?marker=c%2F"])
        let prefixes = page + "<CommonPrefixes><Prefix>d%2F</Prefix></CommonPrefixes>"
        #expect(try bucket(prefixes, at: "http://h/b").partURLs == ["http://h/b?marker=d%2F"])
    }

    @Test func `a saved page of version 2 knows its question`() throws {
        let listing = try bucket(
            "<Prefix>p/</Prefix><KeyCount>0</KeyCount><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>",
            at: "http://h/b/")
        #expect(listing.partURLs == ["http://h/b/?list-type=2&prefix=p%2F&continuation-token=t"])
    }

    @Test(arguments: [
        ("../up", "refused: unsafe-path"), ("/leading", "refused: unsafe-path"), ("a//b", "refused: unsafe-path"),
        ("x/../y", "refused: unsafe-path"), (".mirror/x", "refused: unsafe-path"), ("a/", "refused: unsafe-path"),
        ("a/b", "a/b"), ("a%2Fb", "a%252Fb"), ("trail ", "trail "),
    ])
    func `keys that are no paths are refused, others go on`(_ key: String, _ path: String) throws {
        let listing = try bucket(
            "<Contents><Key>\(key)</Key><Size>3</Size></Contents><Contents><Key>z</Key><Size>4</Size></Contents>")
        #expect(listing.paths == [path, "z"])
    }

    @Test func `a delimiter that is no slash makes parts or folders as the slashes say`() throws {
        let listing = try bucket(
            """
            <Prefix>a/</Prefix><Delimiter>-</Delimiter><CommonPrefixes><Prefix>a/foo-</Prefix></CommonPrefixes>\
            <CommonPrefixes><Prefix>a/b/foo-</Prefix></CommonPrefixes>
            """, at: "http://h/b?prefix=a/&delimiter=-&marker=x")
        #expect(listing.partURLs == ["http://h/b?delimiter=-&prefix=a%2Ffoo-"])
        #expect(listing.folderPaths == ["b"])
        #expect(listing.folders.map(\.address.text) == ["http://h/b?delimiter=-&prefix=a%2Fb%2Ffoo-"])
    }

    @Test func `keys outside of the prefix and folders in themselves are told`() throws {
        #expect(why(try bucket("<Prefix>a/</Prefix><Contents><Key>b</Key></Contents>")).hasPrefix("incomplete"))
        let loop = try bucket(
            "<Prefix>a/</Prefix><CommonPrefixes><Prefix>a/</Prefix></CommonPrefixes>", at: "http://h/b?prefix=a%2F")
        #expect(why(loop).hasPrefix("incomplete"))
        #expect(loop.folders.isEmpty && loop.parts.isEmpty)
    }

    @Test func `old versions and deleted keys do not count`() throws {
        let listing = try xml(
            """
            <ListVersionsResult><Version><Key>a</Key><IsLatest>false</IsLatest><Size>1</Size></Version>\
            <Version><Key>a</Key><IsLatest>true</IsLatest><Size>2</Size></Version>\
            <DeleteMarker><Key>b</Key><IsLatest>true</IsLatest></DeleteMarker></ListVersionsResult>
            """, at: "http://h/b?versions")
        #expect(listing.entries.map(\.listed.size) == [2])
    }

    private func cloud(_ name: String, at url: String) throws -> Listing {
        let context = DocumentContext(address: try address(url))
        return listing(
            try ListingFixture(folder: "cloud-docs").bytes(name), by: XMLListingReader(context: context), piece: 11)
    }

    @Test func `Amazon, Google and Azure are read`() throws {
        let aws = try cloud("aws-s3-style-spaces-plus.xml", at: "https://h/mirror/?list-type=2&prefix=dir+with+spaces/")
        #expect(
            aws.urls == [
                "https://h/mirror/dir%20with%20spaces/a%20b%2Bc.txt",
                "https://h/mirror/dir%20with%20spaces/%E6%97%A5~tilde%2A.txt",
            ])
        #expect(aws.paths == ["a b+c.txt", "日~tilde*.txt"])
        #expect(aws.parts.first?.address.queryValue(of: "continuation-token")?.last == UInt8(ascii: "="))

        let google = try cloud("gcs-xml-list.xml", at: "https://h/chromedriver")
        #expect(google.paths == ["2.0/chromedriver_linux32.zip", "2.0/chromedriver_linux64.zip"])
        #expect(google.entries.map(\.listed.size) == [7_262_134, 7_433_593])
        #expect(google.folderPaths == ["2.1"])
        #expect(google.partURLs == ["https://h/chromedriver?marker=2.0%2Fchromedriver_linux64.zip"])

        let azure = try cloud(
            "azure-list-blobs-page1.xml", at: "https://h/mirror?restype=container&comp=list&prefix=pub/&delimiter=/")
        #expect(azure.urls == ["https://h/mirror/pub/a%20file.txt", "https://h/mirror/pub/bad%EF%BF%BEname.bin"])
        #expect(azure.entries.map(\.listed.size) == [11, 5_368_709_127])
        #expect(azure.folderPaths == ["sub"])
        #expect(azure.parts.count == 1)
        #expect(azure.parts.first?.address.queryValue(of: "comp") == Array("list".utf8))

        let last = try cloud(
            "azure-list-blobs-page2-bom.xml", at: "https://h/mirror?restype=container&comp=list&prefix=pub/&marker=2")
        #expect(last.state == .complete)
        #expect(last.entries.map(\.listed.size) == [1_025])
        #expect(last.parts.isEmpty)
    }
}
