// file:// URLs, whose answers are put into the words of HTTP.

import Glibc
import MirrorCore
import MirrorTestSupport
import MirrorTransport
import MirrorURL
import Testing

struct FileURLTests {
    private static let body = Body.synthetic(length: 50_000, seed: 1)

    private func use(_ body: (Wire, Address) async throws -> Void) async throws {
        var template = Array("/tmp/mirror-transport-test-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        let path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(path) }
        Self.body.allBytes.withUnsafeBytes { _ = write(file, $0.baseAddress, $0.count) }
        close(file)
        try await Wire.use { wire in try await body(wire, try URLParser().parse("file://\(path)")) }
    }

    @Test("all of it")
    func whole() async throws {
        try await use { wire, address in
            let receiver = Collector()
            let completion = await wire.send(Request(.get, address), to: receiver)
            #expect(completion.outcome == .finished)
            #expect(completion.head?.status == 200 && completion.head?.contentLength == 50_000)
            #expect(completion.head?.validators.lastModifiedDate != nil)
            #expect(receiver.bytes == Self.body.allBytes)
        }
    }

    @Test("size and time without the body")
    func head() async throws {
        try await use { wire, address in
            let receiver = Collector(wantsBody: false)
            let completion = await wire.send(Request(.head, address), to: receiver)
            #expect(completion.outcome == .finished)
            #expect(completion.head?.status == 200 && completion.head?.contentLength == 50_000)
            #expect(completion.head?.validators.lastModifiedDate != nil)
        }
    }

    @Test("a range: the answer says which bytes of how many")
    func range() async throws {
        try await use { wire, address in
            let receiver = Collector(limit: 1_000)
            let completion = await wire.send(Request(.get, address, range: (40_000, 40_999)), to: receiver)
            #expect(completion.head?.status == 206)
            #expect(completion.head?.contentRange == "bytes 40000-40999/50000")
            #expect(Array(receiver.bytes.prefix(1_000)) == Self.body.bytes(in: 40_000..<41_000))
        }
    }

    @Test("what is not there")
    func missing() async throws {
        try await use { wire, _ in
            let completion = await wire.send(Request(.get, try URLParser().parse("file:///tmp/no/such/file")))
            #expect(completion.code == .notFound)
        }
    }
}
