// HTTP/2 going wrong, from raw frames (class Q). Behind the same name an HTTP/1.1 server has the same file, for clients
// that ask for no more.

import MirrorKit
import MirrorTestSupport
import Testing

struct HTTP2Tests {
    private static let body = Body.sized(50_000)

    private final class World: Sendable {
        let site: SyncFixture
        let http2: HTTP2Origin
        let front: TLSFront

        init(_ answer: @escaping @Sendable (_ stream: Int, _ connection: Int) -> HTTP2Origin.Answer) throws {
            site = try SyncFixture()
            site.origin.serveOthers { Resource.plain(HTTP2Tests.body).answer(to: $0) }
            http2 = try HTTP2Origin(answer)
            front = try TLSFront(http1: site.origin.port, http2: http2.port)
        }

        func sync(files: Int, _ change: (inout SyncOptions) -> Void = { _ in }) async throws -> Report {
            try await site.sync((0..<files).map { front.url("/\($0).zip") + "\n" }.joined()) {
                $0.transport.caFile = front.certificate
                change(&$0)
            }
        }

        func expectAll(_ report: Report, files: Int) {
            #expect(report.run.exitCode == .inLine, "\(report.files.compactMap(\.failure))")
            #expect((0..<files).allSatisfy { site.holds("\($0).zip", HTTP2Tests.body) })
        }
    }

    private static let file = HTTP2Origin.Answer.file(body.allBytes)

    @Test("files over one connection, with trailers and without", arguments: [true, false])
    func plain(trailers: Bool) async throws {
        let world = try World { _, _ in .file(Self.body.allBytes, trailers: trailers) }
        let report = try await world.sync(files: 20)
        world.expectAll(report, files: 20)
        #expect(world.http2.streams == 20 && world.site.origin.log.isEmpty)
        #expect(report.totals.retries == 0)
    }

    @Test(
        "C165 a stream that is reset, before the answer and within it: gone on with, without HTTP/2",
        arguments: [
            HTTP2Origin.Code.cancel, HTTP2Origin.Code.internalError, HTTP2Origin.Code.enhanceYourCalm,
            HTTP2Origin.Code.http11Required,
        ], [nil, 0, 20_000, 49_999] as [Int?])
    func reset(code: UInt32, after bytes: Int?) async throws {
        let world = try World { _, _ in .reset(code, after: bytes, of: Self.body.allBytes) }
        let report = try await world.sync(files: 1)
        world.expectAll(report, files: 1)
        // libcurl itself asks again by HTTP/1.1 where the server says so.
        #expect(world.http2.streams == 1 && report.files[0].attempts <= 2)
        #expect(report.files[0].bytesFetched <= 50_000 + 1)
    }

    @Test("C164 streams that are refused for ever: no endless loop, and the file by HTTP/1.1")
    func refusedForEver() async throws {
        let world = try World { _, _ in .reset(HTTP2Origin.Code.refusedStream, after: nil, of: []) }
        let report = try await world.sync(files: 5)
        world.expectAll(report, files: 5)
        // libcurl asks seven times, and once more with a new handle, before it gives up; each file does so twice.
        #expect(world.http2.streams <= 2 * 5 * 14)
    }

    @Test("a stream that is refused once")
    func refusedOnce() async throws {
        let world = try World { stream, _ in
            stream == 0 ? .reset(HTTP2Origin.Code.refusedStream, after: nil, of: []) : Self.file
        }
        let report = try await world.sync(files: 3)
        world.expectAll(report, files: 3)
    }

    @Test(
        "C163 C164 GOAWAY: what it leaves unanswered is asked for again",
        arguments: [HTTP2Origin.Code.none, HTTP2Origin.Code.enhanceYourCalm, HTTP2Origin.Code.http11Required],
        [1, 3, 1_000])
    func goAway(code: UInt32, every: Int) async throws {
        let world = try World { stream, _ in stream % every == every - 1 || every == 1_000 ? .goAway(code) : Self.file }
        let report = try await world.sync(files: 20)
        world.expectAll(report, files: 20)
        #expect(world.http2.streams <= 20 * 12)
    }

    @Test("a length that the body does not have is no whole file", arguments: [-1, 1])
    func wrongLength(off: Int) async throws {
        let world = try World { _, _ in .file(Self.body.allBytes, lengthOff: off) }
        let report = try await world.sync(files: 1)
        world.expectAll(report, files: 1)
        #expect(world.site.origin.log.count >= 1, "the file came by HTTP/1.1")
    }
}
