import MirrorCore
import MirrorSources
import MirrorURL
import Testing

/// Checksum lists as the common tools write them.
struct SumsTests {
    private func read(_ name: String, as listName: String? = nil, piece: Int = .max) throws -> Listing {
        let context = DocumentContext(address: try address("http://h/pub/\(listName ?? name)"), source: 1)
        return listing(
            try ListingFixture(folder: "checksums").bytes(name), by: SumsReader(context: context), piece: piece)
    }

    private func sums(_ text: String, at url: String? = "http://h/pub/SUMS", isWhole: Bool = true) throws -> Listing {
        let context = DocumentContext(address: try url.map { try address($0) })
        return listing(Array(text.utf8), by: SumsReader(context: context), piece: 5, isWhole: isWhole)
    }

    private func lines(_ listing: Listing) -> [String] {
        zip(listing.entries, listing.paths).map { "\($0.options?.checksum?.description ?? "-") \($1)" }
    }

    /// Names and digests of the fixture's files, as `sha256sum` knows them.
    private func truth() throws -> [String] {
        let text = String(
            decoding: try ListingFixture(folder: "checksums").bytes("coreutils-sha256-zero.txt"), as: UTF8.self)
        return text.split(separator: "\0").map { record in
            let parts = record.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            return "sha-256=\(parts[0]) \(parts[1].dropFirst())"
        }
    }

    @Test(
        arguments: [
            "coreutils-cksum-sha256.txt", "coreutils-cksum-sha256-untagged.txt", "coreutils-sha256-binary.txt",
            "coreutils-sha256-tag.txt", "coreutils-sha256-text.txt", "coreutils-sha256-zero.txt",
            "perl-shasum-256-b.txt",
            "perl-shasum-256.txt", "perl-shasum-256-tag.txt",
        ], [1, 64, Int.max])
    func `GNU and perl`(_ name: String, _ piece: Int) throws {
        let listing = try read(name, piece: piece)
        #expect(listing.state == .complete)
        #expect(lines(listing) == (try truth()))
        #expect(listing.entries.map(\.place.line) == Array(1...Int32(listing.entries.count)))
        #expect(listing.entries.allSatisfy { $0.place.source == 1 && $0.options?.namesPath == true })
    }

    @Test func `busybox writes line feeds as they are`() throws {
        let listing = try read("busybox-sha256.txt")
        // One name has a line feed, and no reader can tell that from two lines.
        let names = try truth().filter { !$0.contains("\n") }
        #expect(Set(names).isSubset(of: lines(listing)))
        if listing.entries.count > names.count {
            guard case .incomplete(let why) = listing.state else {
                Issue.record("a line that is none is passed over")
                return
            }
            #expect(why.hasSuffix("is no line of a checksum list"))
        }
    }

    @Test func `OpenSSL`() throws {
        let known = Set(try truth())
        for name in ["openssl-dgst-sha256.txt", "openssl-dgst-r-sha256.txt"] {
            let listing = try read(name)
            #expect(listing.state == .complete)
            #expect(listing.entries.count >= 4)
            #expect(Set(lines(listing)).isSubset(of: known))
            #expect(listing.paths.contains("new\nline.txt"))
        }
        #expect(lines(try read("openssl-dgst-md5.txt")) == ["md5=d41d8cd98f00b204e9800998ecf8427e empty.bin"])
    }

    @Test(arguments: [
        ("coreutils-md5.txt", "md5"), ("coreutils-sha1-tag.txt", "sha-1"), ("coreutils-sha512.txt", "sha-512"),
    ])
    func `other algorithms`(_ name: String, _ type: String) throws {
        let listing = try read(name)
        #expect(listing.state == .complete)
        #expect(listing.paths == (try truth()).map { String($0.drop { $0 != " " }.dropFirst()) })
        #expect(listing.entries.allSatisfy { $0.options?.checksum?.algorithm.rawValue == type })
    }

    @Test(arguments: ["bom.txt", "crlf.txt", "dotslash.txt", "pgp-clearsigned.txt", "with-comments.txt"])
    func `byte order marks, line ends, comments and signatures`(_ name: String) throws {
        let listing = try read(name, piece: 3)
        #expect(listing.state == .complete)
        #expect(
            listing.paths == [
                "demo_pkg-1.0-py3-none-any.whl", "demo_pkg-1.0.tar.gz", "demo_pkg-1.1+local.1.tar.gz", "other-2.0.zip",
            ])
        #expect(listing.urls[2] == "http://h/pub/demo_pkg-1.1%2Blocal.1.tar.gz")
        #expect(
            listing.entries[0].options?.checksum?.hex
                == "c9cf06204a80e380234dd80e3e0d7b6d9be15b97a771ac742ed4258f3f2eb152")
    }

    @Test func `capital digits and perl's other marks`() throws {
        let upper = try read("uppercase.txt")
        #expect(upper.state == .complete)
        #expect(
            upper.entries[0].options?.checksum?.hex
                == "c9cf06204a80e380234dd80e3e0d7b6d9be15b97a771ac742ed4258f3f2eb152")
        #expect(try read("perl-shasum-256-U.txt").paths == ["one.bin"])
        let rclone = try read("rclone-hashsum-sha256.txt")
        #expect(rclone.entries.count > 20)
        #expect(rclone.paths.contains("brackets[1]{2}(3).txt"))
    }

    @Test func `a digest alone is of the file that the list is named after`() throws {
        let listing = try read("bare-digest.sha256", as: "a%20b-1.0.whl.sha256")
        #expect(listing.urls == ["http://h/pub/a%20b-1.0.whl"])
        #expect(listing.paths == ["a b-1.0.whl"])
        #expect(try read("bare-digest.sha256", as: "SHA256SUMS").state != .complete)
        let hex = String(repeating: "a", count: 64)
        #expect("\(try sums("\(hex)\n\(hex)\n", at: "http://h/a.sha256").state)".contains("line 2"))
    }

    @Test(arguments: [
        ("coreutils-b2-256-tag.txt", "BLAKE2b-256"), ("coreutils-b2.txt", "b2"),
        ("coreutils-cksum-blake2b-128.txt", "BLAKE2b-128"), ("coreutils-cksum-sm3.txt", "SM3"),
        ("coreutils-cksum-crc.txt", "cksum"), ("coreutils-sum-sysv.txt", "cksum"),
    ])
    func `what is not known refuses the list`(_ name: String, _ word: String) throws {
        let listing = try read(name)
        #expect(listing.entries.isEmpty)
        guard case .failed(let why) = listing.state else {
            Issue.record("\(name) is read")
            return
        }
        #expect(why.contains(word))
    }

    @Test(arguments: [
        ("B2SUMS", false), ("x.b2", false), ("web2-SHA512SUMS", true), ("blake2-of-sha512.txt", true),
        ("SHA3-512", false), ("x.sm3", false), ("SUMS", true),
    ])
    func `the name of a list tells algorithms of one length apart`(_ name: String, _ isKnown: Bool) throws {
        let listing = try sums("\(String(repeating: "a", count: 128))  x\n", at: "http://h/\(name)")
        #expect((listing.state == .complete) == isKnown)
    }

    @Test func `a line that is none is told with its number`() throws {
        let hex = String(repeating: "a", count: 32)
        let listing = try sums("\(hex)  a\n\nhello world\n\(hex) *b\n")
        #expect(listing.state == .incomplete("line 3 is no line of a checksum list"))
        #expect(listing.paths == ["a", "b"])
        #expect(try sums("hello\n").state == .failed("line 1 is no line of a checksum list"))
        #expect(try sums("").state == .failed("it is no list of checksums"))
        #expect(try sums("\(hex)  a\n", isWhole: false).state == .incomplete("it ends early"))
        #expect(try sums("\(hex.dropLast())  a\n").state == .failed("line 1 is no line of a checksum list"))
        #expect(try sums("\(hex)00  a\n").state == .failed("line 1 has a digest of 34 digits, which no known type has"))
        #expect(try sums("MD5 (a) = \(hex)00\n").state == .failed("line 1 is no line of a checksum list"))
    }

    @Test func `one blank alone is a separator too`() throws {
        let hex = String(repeating: "a", count: 32)
        #expect(try sums("\(hex) Abc\n\(hex) Uvw\n").paths == ["Abc", "Uvw"])
        #expect(try sums("\(hex)\tAbc\n").paths == ["Abc"])
        #expect(try sums("\(hex)   Abc\n").paths == [" Abc"])
    }

    @Test func `names are read as they are written`() throws {
        let hex = String(repeating: "a", count: 32)
        let listing = try sums(
            "\\\(hex)  a\\\\b\\nc\n\(hex)  d\\ne\nMD5 (x) = y) = \(hex)\n\\MD5 (p\\nq) = \(hex)\n\(hex)  ../up\n\(hex)  /abs\n\(hex)  ././f\n"
        )
        #expect(
            listing.paths == [
                "a\\b\nc", "d\\ne", "x) = y", "p\nq", "refused: unsafe-path", "refused: unsafe-path", "f",
            ])
        #expect(listing.state == .complete)
    }

    @Test func `of several checksums the strongest counts, contradictions are told`() throws {
        let md5 = String(repeating: "a", count: 32), sha256 = String(repeating: "b", count: 64)
        let both = try sums(
            "MD5 (a) = \(md5)\nSHA256 (a) = \(sha256)\nSHA1 (a) = \(String(repeating: "c", count: 40))\n")
        #expect(lines(both) == ["sha-256=\(sha256) a"])
        #expect(both.state == .complete)
        #expect(try sums("\(md5)  a\n\(md5)  a\n").state == .complete)
        let other = String(repeating: "d", count: 32)
        #expect(
            try sums("\(md5)  a\n\(other)  a\n").state
                == .incomplete("line 2 has another checksum for a file that was named before"))
    }

    @Test func `a list from nowhere has no files`() throws {
        guard case .failed = try sums("\(String(repeating: "a", count: 32))  a\n", at: nil).state else {
            Issue.record("names without a folder are taken")
            return
        }
    }

    @Test func `mutated lists`() throws {
        for name in ["coreutils-sha256-tag.txt", "openssl-dgst-sha256.txt", "pgp-clearsigned.txt", "coreutils-md5.txt"]
        {
            ListingFuzzTests.check(
                try ListingFixture(folder: "checksums").bytes(name), rounds: 300, seedNumber: 5, isBound: true,
                page: try address("http://h/pub/SUMS")
            ) { SumsReader(context: $0) }
        }
    }
}
