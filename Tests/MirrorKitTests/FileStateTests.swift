// What is kept of a file's own state: while it is fetched, when it takes its name, and when something is in the way.

import MirrorKit
import MirrorTestSupport
import Testing

struct FileStateTests {
    private static let body = Body.sized(900_000, seed: 31)

    private static func set(_ options: inout SyncOptions) {
        options.minimumSplitSize = 64 << 10
        options.split = 4
    }

    /// Answers to range requests without the fields that RFC 9110 section 15.3.7 lets a server leave out.
    private func bareRanges(_ resource: Resource) -> @Sendable (Request) -> Answer {
        { request in
            var answer = resource.answer(to: request)
            if request.range != nil {
                answer.headers.remove("Last-Modified")
                answer.headers.remove("Content-Type")
            }
            return answer
        }
    }

    /// Leaves a partial file of half of `/a`.
    private func interruptAtHalf(_ site: SyncFixture) async throws {
        let gate = Gate()
        var faults = Faults()
        faults.delivery = .stall(after: 500_000, gate: gate)
        site.origin.serve("/a", .plain(Self.body, faults))
        let sync = site.makeSync("\(site.origin.url("/a"))\n") { $0.split = 1 }
        async let interrupted = sync.run()
        #expect(await site.origin.waitUntil(bodyBytesSent: 500_000))
        sync.cancel()
        #expect(try await interrupted.run.exitCode == .endedEarly)
        gate.open()
    }

    @Test("the record has the file's date, whatever the last range leaves out")
    func recordOfTheWholeFile() async throws {
        let site = try SyncFixture()
        try await interruptAtHalf(site)
        site.origin.serve("/a", bareRanges(.plain(Self.body)))
        let resumed = try await site.sync(paths: "/a", change: Self.set)
        #expect(resumed.files[0].action == .resume && resumed.files[0].status == .done && site.holds("a", Self.body))
        #expect(site.modified("a") == Resource.seconds(1))
        #expect(resumed.files[0].lastModified?.seconds == Int64(Resource.seconds(1)))
        #expect(try await site.file("/a").status == .unchanged)
    }

    @Test("a declared size holds for a content-coded body too")
    func declaredSizeOfACodedBody() async throws {
        let site = try SyncFixture()
        var faults = Faults()
        faults.contentEncoding = "gzip"
        site.origin.serve("/a", .plain(.text("sixty-six bytes, or so"), faults))
        let report = try await site.sync("\(site.origin.url("/a"))\n  size=7500\n")
        #expect(report.files[0].failure?.code == .sizeMismatch)
        #expect(report.run.exitCode == .someFailed)
        #expect(!site.exists("a"))
    }

    @Test("a complete file that cannot take its name is there for the next run, which asks for no byte of it")
    func sealThatFails() async throws {
        let site = try SyncFixture()
        site.origin.serve("/d/a", .plain(Self.body))
        let gate = Gate()
        var faults = Faults()
        faults.delivery = .stall(after: 100_000, gate: gate)
        site.origin.serve("/d/a", .plain(Self.body, faults))
        let sync = site.makeSync("\(site.origin.url("/d/a"))\n  out=d/a\n") { $0.split = 1 }
        async let report = sync.run()
        #expect(await site.origin.waitUntil(bodyBytesSent: 100_000))
        // Somebody makes a folder where the file should go, in the middle of the transfer.
        site.makeFolder("d")
        site.makeFolder("d/a")
        gate.open()
        let failed = try await report
        #expect(failed.files[0].status == .failed && failed.files[0].failure?.code == .conflict)
        #expect(site.partials.count == 1)
        site.removeFolder("d/a")
        site.origin.resetLog()
        let again = try await site.sync("\(site.origin.url("/d/a"))\n  out=d/a\n")
        #expect(again.files[0].status == .done && again.files[0].bytesFetched == 0)
        #expect(site.holds("d/a", Self.body))
        #expect(site.modified("d/a") == Resource.seconds(1))
        #expect(site.origin.log.map(\.method) == ["HEAD"])
    }

    @Test("what is on disk stays when no range is answered and the plain GET fails too")
    func partialSurvivesARefusedGET() async throws {
        let site = try SyncFixture()
        try await interruptAtHalf(site)
        let kept = site.partials
        #expect(kept.count == 1)
        // Ranges come without Content-Range, and a plain GET is refused.
        var noRanges = Faults()
        noRanges.range = .noContentRange(wholeBody: false)
        let resource = Resource.plain(Self.body, noRanges)
        site.origin.serve("/a") { request in
            request.method == "GET" && request.range == nil ? .status(403) : resource.answer(to: request)
        }
        #expect(try await site.file("/a").failure?.code == .forbidden)
        #expect(site.partials == kept)
        site.origin.serve("/a", .plain(Self.body))
        let last = try await site.file("/a")
        #expect(last.status == .done && last.bytesFetched < Self.body.length && site.holds("a", Self.body))
    }

    @Test("part of an overlap proves nothing: a short file that somebody left stays until all of it is repeated")
    func shortProof() async throws {
        let site = try SyncFixture()
        let old = Self.body.bytes(in: 0..<200_000)
        site.put("a", old, modified: Resource.seconds(2))
        var faults = Faults()
        faults.range = .short(maxBytes: 1_000)
        let resource = Resource.plain(Self.body, faults)
        // Proofs are cut short, and nothing else can be had.
        site.origin.serve("/a") { request in
            request.method == "GET" && request.range == nil ? .status(403) : resource.answer(to: request)
        }
        let report = try await site.sync(paths: "/a")
        #expect(report.files[0].status == .failed)
        #expect(site.bytes("a") == old)
    }

    @Test("an origin that asks to be left alone for an hour: no file waits for it longer than it is tried")
    func longHold() async throws {
        let site = try SyncFixture()
        for name in ["/a", "/b", "/c"] { site.origin.serve(name) { _ in .status(503, retryAfter: "3600") } }
        let report = try await site.sync(paths: "/a", "/b", "/c") {
            $0.transport.connectionsPerHost = 1
            $0.retryMaxTime = .seconds(60)
        }
        #expect(report.files.map(\.status) == [.failed, .failed, .failed])
        #expect(report.files.map(\.failure?.code) == [.http, .http, .http])
        #expect(site.origin.log.count == 1)
    }

    @Test("pausing a run that is over returns")
    func pauseAfterTheEnd() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.text("abc")))
        let sync = site.makeSync("\(site.origin.url("/a"))\n")
        async let pauses: Void = {
            for _ in 0..<200 {
                await sync.pause()
                await sync.resume()
            }
        }()
        _ = try await sync.run()
        await pauses
        await sync.pause()
    }

    @Test("a run that ends before its plan stands reports every entry, and `only: .failed` takes them up")
    func endedWhileAsking() async throws {
        let site = try SyncFixture()
        site.put("a", [1], modified: 0)
        site.put("b", [1], modified: 0)
        let gate = Gate()
        let resource = Resource.plain(Self.body)
        for name in ["/a", "/b"] {
            site.origin.serve(name) { request in
                if request.method == "HEAD" { _ = gate.wait(timeout: Allowance.wait) }
                return resource.answer(to: request)
            }
        }
        let sync = site.makeSync("\(site.origin.url("/a"))\n\(site.origin.url("/b"))\n")
        async let report = sync.run()
        #expect(await site.origin.waitUntil(requests: 1))
        sync.cancel()
        gate.open()
        let ended = try await report
        #expect(ended.files.map(\.status) == [.interrupted, .interrupted])
        #expect(ended.run.exitCode == .endedEarly)
    }

    @Test("a cancellation after the last file changes nothing: everything is in line")
    func cancelledTooLate() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.text("abc")))
        let sync = site.makeSync("\(site.origin.url("/a"))\n")
        let events = sync.events()
        async let report = sync.run()
        for await event in events {
            if case .finished = event { sync.cancel() }
        }
        #expect(try await report.run.exitCode == .inLine)
        #expect(site.text("a") == "abc")
    }

    @Test("a file that came from an alternate is not fetched again because the first server has another ETag")
    func otherServersState() async throws {
        let site = try SyncFixture()
        // The first server answers questions, and never a GET.
        let resource = Resource.plain(Self.body)
        site.origin.serve("/a") { request in
            request.method == "HEAD" ? resource.answer(to: request) : .status(404)
        }
        site.origin.serve("/b", Resource(body: Self.body, etag: "\"other\"", lastModified: resource.lastModified))
        let manifest = "\(site.origin.url("/a"))\t\(site.origin.url("/b"))\n"
        #expect(try await site.sync(manifest).files[0].status == .done)
        site.origin.resetLog()
        let again = try await site.sync(manifest)
        #expect(again.files[0].status == .unchanged && again.run.exitCode == .inLine)
        #expect(site.origin.log.map(\.method) == ["HEAD"])
    }
}
