// Metalinks whose files have checksums of their pieces.

import MirrorKit
import MirrorTestSupport
import Testing

@testable import MirrorStore

struct PieceTests {
    private static let body = Body.sized(250_000)
    private static let length = 100_000

    private static func hex(_ bytes: some Collection<UInt8>) throws -> String {
        let hash = try RunningHash(.sha256)
        Array(bytes).withUnsafeBytes { hash.update($0) }
        return try hash.finish().hex
    }

    /// A Metalink of one file with the checksums of `body` and, where asked for, its own.
    private static func metalink(_ urls: [String], hasWhole: Bool = false) throws -> Answer {
        let bytes = body.allBytes
        let pieces = try stride(from: 0, to: bytes.count, by: length).map {
            "<hash>\(try hex(bytes[$0..<min(bytes.count, $0 + length)]))</hash>"
        }
        let whole = hasWhole ? "<hash type=\"sha-256\">\(try hex(bytes))</hash>" : ""
        let links = urls.map { "<url>\($0)</url>" }
        let text = """
            <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="a"><size>\(bytes.count)</size>\(whole)\
            <pieces length="\(length)" type="sha-256">\(pieces.joined())</pieces>\(links.joined())</file></metalink>
            """
        return .text(text, contentType: "application/metalink4+xml")
    }

    /// The body with some bytes changed.
    private static func damaged(at offsets: Int...) -> Body {
        var bytes = body.allBytes
        for offset in offsets { bytes[offset] ^= 0xFF }
        return .bytes(bytes)
    }

    @Test("they prove a file without a checksum of its own; another URL is asked where they do not", arguments: [1, 4])
    func prove(split: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/bad", .plain(Self.damaged(at: 100_000, 249_999)))
        site.origin.serve("/good", .plain(Self.body))
        let page = try Self.metalink([site.origin.url("/bad"), site.origin.url("/good")])
        site.origin.serve("/a.meta4") { _ in page }
        let report = try await site.syncIndex("/a.meta4") {
            $0.split = split
            $0.minimumSplitSize = 50_000
        }
        #expect(report.run.exitCode == .inLine && site.holds("a", Self.body))
        #expect(site.origin.requests(for: "/good").contains { $0.method == "GET" })
        site.origin.resetLog()
        #expect(try await site.syncIndex("/a.meta4").files.map(\.status) == [.unchanged])
    }

    @Test("a file that is wrong takes no name, and it is said where it is wrong", arguments: [false, true])
    func tell(hasWhole: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.damaged(at: 100_000, 249_999)))
        let page = try Self.metalink([site.origin.url("/a.bin")], hasWhole: hasWhole)
        site.origin.serve("/a.meta4") { _ in page }
        let report = try await site.syncIndex("/a.meta4")
        let failure = report.files.first?.failure
        #expect(report.run.exitCode == .someFailed && failure?.code == .checksum && !site.exists("a"))
        #expect(
            failure?.message.hasSuffix("2 of 3 pieces are not what the source says, the first one at byte 100000")
                == true)
        #expect((failure?.message.contains("sha-256 is") == true) == hasWhole)
    }
}
