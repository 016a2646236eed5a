// What the source promises of a file, and that old bytes are only dropped for a new file that is whole and right.

import MirrorKit
import MirrorTestSupport
import Testing

struct IntegrityTests {
    private static let old: [UInt8] = [1, 2, 3]

    /// Checksums of «abc» (FIPS 180-2 and RFC 1321 give them as examples).
    private static let abc = [
        "md5=900150983cd24fb0d6963f7d28e17f72",
        "sha-1=a9993e364706816aba3e25717850c26c9cd0d89d",
        "sha-256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha-384=cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
            + "8086072ba1e7cc2358baeca134c825a7",
        "sha-512=ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "adler32=024d0127",
    ]

    @Test("a right checksum is reported as verified", arguments: abc)
    func rightChecksum(text: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.text("abc")))
        let report = try await site.sync("\(site.origin.url("/a"))\n  checksum=\(text)\n")
        #expect(report.files[0].status == .done && report.files[0].checksumVerified)
        #expect(report.files[0].checksum?.description == text)
        #expect(site.text("a") == "abc")
    }

    @Test("a wrong checksum: no final name, no partial file, the old file stays", arguments: abc, [true, false])
    func wrongChecksum(text: String, hasOld: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.text("abd")))
        if hasOld { site.put("a", Self.old, modified: 0) }
        let report = try await site.sync("\(site.origin.url("/a"))\n  checksum=\(text)\n")
        #expect(report.files[0].failure?.code == .checksum)
        #expect(!report.files[0].checksumVerified)
        #expect(report.run.exitCode == .someFailed)
        #expect(site.bytes("a") == (hasOld ? Self.old : nil))
        #expect(site.partials == [])
    }

    @Test("a wrong checksum at one URL: the next one is tried, in order")
    func checksumThenAlternate() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.text("abd")))
        site.origin.serve("/b", .plain(.text("xyz")))
        site.origin.serve("/c", .plain(.text("abc")))
        site.origin.serve("/d", .plain(.text("abc")))
        let urls = ["/a", "/b", "/c", "/d"].map { site.origin.url($0) }.joined(separator: "\t")
        let report = try await site.sync("\(urls)\n  checksum=\(Self.abc[2])\n")
        #expect(report.files[0].status == .done && report.files[0].checksumVerified)
        #expect(site.text("a") == "abc")
        #expect(site.origin.log.map(\.target) == ["/a", "/b", "/c"])
    }

    @Test("resumed and then wrong: the fault may be in the old bytes, so the same URL is asked once for all of it")
    func checksumAfterResume() async throws {
        let site = try SyncFixture()
        let body = Body.text(String(repeating: "z", count: 40_000) + "abc")
        site.origin.serve("/a", .plain(body))
        // Wrong before the overlap, which cannot see it.
        var short = Array(body.allBytes[..<30_000])
        short[0] = 0
        site.put("a", short, modified: Resource.seconds(1))
        let report = try await site.sync(
            "\(site.origin.url("/a"))\n  checksum=adler32=\(Self.adler32(body.allBytes))\n")
        #expect(report.files[0].status == .done && report.files[0].checksumVerified)
        #expect(site.holds("a", body))
        #expect(site.origin.log.filter { $0.method == "GET" && $0.headers["Range"] == nil }.count == 1)
    }

    private static func adler32(_ bytes: [UInt8]) -> String {
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let text = String(high << 16 | low, radix: 16)
        return String(repeating: "0", count: 8 - text.count) + text
    }

    @Test("C051 C170 the declared size differs: once more past all caches, then a failure with both numbers")
    func wrongSize() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.text("abc")))
        site.put("a", Self.old + [4], modified: 0)
        let report = try await site.sync("\(site.origin.url("/a"))\n  size=7\n")
        let failure = try #require(report.files[0].failure)
        #expect(failure.code == .sizeMismatch)
        #expect(failure.message.contains("7") && failure.message.contains("3"))
        #expect(site.bytes("a") == Self.old + [4])
        let gets = site.origin.log.filter { $0.method == "GET" }
        #expect(gets.map { $0.headers["Cache-Control"] } == [nil, "no-cache"])
    }

    @Test("C170 the cache was behind: the second answer is taken")
    func staleCache() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a") { request in
            let isFresh = request.headers["Cache-Control"] == "no-cache"
            return Resource.plain(.text(isFresh ? "new text" : "old")).answer(to: request)
        }
        let report = try await site.sync("\(site.origin.url("/a"))\n  size=8\n")
        #expect(report.files[0].status == .done)
        #expect(site.text("a") == "new text")
    }

    @Test("a size that is declared and a body without a length", arguments: [(3, true), (4, false), (2, false)])
    func sizeOfUnknownLength(size: Int, isTaken: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.text("abc"), Faults { $0.framing = .chunked }))
        let report = try await site.sync("\(site.origin.url("/a"))\n  size=\(size)\n")
        #expect((report.files[0].status == .done) == isTaken)
        #expect(site.text("a") == (isTaken ? "abc" : nil))
    }

    @Test("alternates are tried in order, and the first failure is not the last word", arguments: [403, 404, 500])
    func alternates(status: Int) async throws {
        let site = try SyncFixture()
        let other = try WickedOrigin()
        site.origin.serve("/a") { _ in .status(status) }
        other.serve("/a", .plain(.text("abc")))
        let report = try await site.sync("\(site.origin.url("/a"))\t\(other.url("/a"))\n") { $0.retries = 1 }
        #expect(report.files[0].status == .done)
        #expect(report.run.exitCode == .inLine)
        #expect(site.text("a") == "abc")
    }

    @Test("alternates that all fail: one failure")
    func alternatesFail() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a") { _ in .status(403) }
        let urls = ["/a", "/b", "/c"].map { site.origin.url($0) }.joined(separator: "\t")
        let report = try await site.sync("\(urls)\n")
        #expect(report.files[0].status == .failed)
        #expect(site.origin.log.map(\.target) == ["/a", "/b", "/c"])
        #expect(!site.exists("a"))
    }

    @Test("bytes of one URL are gone on from at the next, when it has the same file", arguments: [true, false])
    func alternateResumes(isSame: Bool) async throws {
        let site = try SyncFixture()
        let body = Body.sized(500_000)
        site.origin.serve("/a.bin") { request in
            request.ordinal == 0
                ? Resource.plain(body, Faults { $0.delivery = .cut(after: 300_000) }).answer(to: request)
                : .closed(.fin)
        }
        let other = isSame ? Resource.plain(body) : Resource.plain(.sized(500_000, seed: 2), version: 2)
        site.origin.serve("/b.bin", other)
        let report = try await site.sync("\(site.origin.url("/a.bin"))\t\(site.origin.url("/b.bin"))\n") {
            $0.retries = 1
            $0.split = 1
        }
        #expect(report.files[0].status == .done)
        #expect(site.holds("a.bin", other.body))
        #expect(site.origin.bodyBytesSent(for: "/b.bin") < 250_000 || !isSame)
    }

    @Test(
        "delete and replace: whatever fails on the way, the old file is there until the new one is whole",
        arguments: [
            Faults { $0.delivery = .closed(.fin) }, Faults { $0.delivery = .closed(.rst) },
            Faults { $0.delivery = .cut(after: 0) }, Faults { $0.delivery = .cut(after: 1) },
            Faults { $0.delivery = .cut(atOffset: 99_999, .rst) }, Faults { $0.framing = .contentLengthTooBig(by: 1) },
            Faults { $0.framing = .chunkedWithoutLast },
        ], [Resource.seconds(1) - 1, Resource.seconds(1)])
    func oldFileStays(faults: Faults, modified: Int) async throws {
        let site = try SyncFixture()
        let old = Body.sized(120_000, seed: 5)
        let faulty = Resource.plain(.sized(100_000), faults)
        site.origin.serve("/a.bin") { request in
            // Not even a retry helps.
            var request = request
            if request.method == "GET" { request.headers.remove("Range") }
            return faulty.answer(to: request)
        }
        site.put("a.bin", old.allBytes, modified: modified)
        let file = try await site.file("/a.bin") { $0.retries = 1 }
        #expect(file.action == (modified < Resource.seconds(1) ? .replace : .delete))
        #expect(file.status == .failed)
        #expect(site.holds("a.bin", old))
        #expect(site.modified("a.bin") == modified)
    }

    @Test("what the source says of ETag and Last-Modified is held against every answer")
    func promisedValidators() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.text("abc"), version: 2))
        site.origin.serve("/b", .plain(.text("abc"), version: 2))
        let manifest = """
            \(site.origin.url("/a"))
              etag="v1"
            \(site.origin.url("/b"))
              etag="v2"

            """
        let report = try await site.sync(manifest)
        #expect(report.files.map(\.failure?.code) == [.changed, nil])
        #expect(!site.exists("a") && site.exists("b"))
    }
}
