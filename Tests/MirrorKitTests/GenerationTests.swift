// One file, several answers: which of them may become parts of it (classes A and E). Whole ladders are played here, from
// ranges in parallel down to one plain stream.

import MirrorKit
import MirrorTestSupport
import Testing

struct GenerationTests {
    private static let size: Int64 = 4 << 20
    private static let old = Body.sized(size, seed: 1)
    private static let new = Body.sized(size, seed: 2)

    private func options(_ options: inout SyncOptions) { options.minimumSplitSize = 512 << 10 }

    /// The first answer stops until there is another request.
    private func serve(
        _ site: SyncFixture, _ first: Resource, then other: @escaping @Sendable (MirrorTestSupport.Request) -> Resource
    ) {
        let gate = Gate()
        site.origin.serve("/a.zip") { request in
            guard request.ordinal == 0 else {
                gate.open()
                return other(request).answer(to: request)
            }
            var first = first
            first.faults.delivery.hold = .init(at: .body(100_000), gate: gate)
            return first.answer(to: request)
        }
    }

    @Test("C003 C004 a part that does not say of which state it is never joins one that does")
    func silentPart() async throws {
        let site = try SyncFixture()
        serve(site, .plain(Self.old)) { request in
            guard request.ordinal < 8 else { return .plain(Self.new, version: 2) }
            return .plain(
                Self.new, version: 2,
                Faults {
                    $0.ifRange = .ignored
                    $0.validators = .none
                })
        }
        let file = try await site.file("/a.zip", options)
        #expect(file.status == .done)
        #expect(site.holds("a.zip", Self.old) || site.holds("a.zip", Self.new))
        #expect(site.origin.log.count < 20)
    }

    @Test("an ETag that parts leave out, as RFC 9110 lets no server: still the whole file, from one stream")
    func silentParts() async throws {
        let site = try SyncFixture()
        serve(site, .plain(Self.old)) { request in
            .plain(Self.old, Faults { $0.validators = request.range == nil ? .asGiven : .none })
        }
        let file = try await site.file("/a.zip", options)
        #expect(file.status == .done)
        #expect(site.holds("a.zip", Self.old))
        #expect(site.origin.log.count < 10)
    }

    @Test(
        "C007 nothing but a weak ETag, or a date of this very second: two states look alike, so one stream",
        arguments: [true, false])
    func weak(isDate: Bool) async throws {
        let site = try SyncFixture()
        let now = MirrorTestSupport.HTTPDate.now
        @Sendable func resource(_ body: Body) -> Resource {
            Resource(
                body: body, etag: isDate ? nil : "W/\"same\"", lastModified: isDate ? now : nil,
                headers: ["Date": now], faults: Faults { $0.ifRange = .weakComparison })
        }
        let gate = Gate()
        site.origin.serve("/a.zip") { request in
            guard request.ordinal == 0 else {
                gate.open()
                return resource(Self.new).answer(to: request)
            }
            var first = resource(Self.old)
            first.faults.delivery = .trickle(bytes: 64 << 10, every: .milliseconds(1))
            return first.answer(to: request)
        }
        let file = try await site.file("/a.zip", options)
        #expect(file.status == .done)
        #expect(site.holds("a.zip", Self.old))
        #expect(site.origin.lines() == ["GET"])
    }

    @Test(
        "two back-ends of one name, each with an ETag and a date of its own for the same bytes",
        arguments: [true, false])
    func backEnds(hasETag: Bool) async throws {
        let site = try SyncFixture()
        serve(site, .plain(Self.old)) { request in
            var resource = Resource.plain(Self.old, version: 1 + request.ordinal % 2)
            if !hasETag { resource.etag = nil }
            return resource
        }
        let file = try await site.file("/a.zip", options)
        #expect(file.status == .done)
        #expect(site.holds("a.zip", Self.old))
        #expect(site.origin.log.count < 20)
    }

    @Test("a file that is longer at every answer: one state of it, whole")
    func growing() async throws {
        let site = try SyncFixture()
        @Sendable func body(_ ordinal: Int) -> Body { .sized(Self.size + Int64(ordinal) * 1_000, seed: 1) }
        serve(site, .plain(body(0), version: 0)) { .plain(body($0.ordinal), version: $0.ordinal) }
        let file = try await site.file("/a.zip", options)
        #expect(file.status == .done)
        #expect((0..<20).contains { site.holds("a.zip", body($0)) })
        #expect(site.origin.log.count < 20)
    }

    @Test("a file that changes back and forth under every request ends, whole or failed", arguments: [1, 2, 3])
    func backAndForth(period: Int) async throws {
        let site = try SyncFixture()
        serve(site, .plain(Self.old)) { request in
            request.ordinal / period % 2 == 0 ? .plain(Self.old) : .plain(Self.new, version: 2)
        }
        let file = try await site.file("/a.zip", options)
        #expect(file.status == .done)
        #expect(site.holds("a.zip", Self.old) || site.holds("a.zip", Self.new))
        #expect(site.origin.log.count < 25)
    }

    @Test(
        "an alternate with another file: never a mix, not even where all it says is the same",
        arguments: [true, false],
        [1, 2])
    func alternate(hasValidators: Bool, version: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip") { request in
            request.ordinal == 0
                ? Resource.plain(Self.old, Faults { $0.delivery = .cut(after: 1 << 20) }).answer(to: request)
                : .status(404)
        }
        site.origin.serve("/b.zip") { request in
            Resource.plain(
                Self.new, version: version,
                Faults {
                    $0.ifRange = .ignored
                    $0.validators = hasValidators ? .asGiven : .none
                }
            ).answer(to: request)
        }
        let report = try await site.sync(
            "\(site.origin.url("/a.zip"))\t\(site.origin.url("/b.zip"))\n", { self.options(&$0) })
        #expect(report.lines.first?.hasPrefix("fetch done") == true)
        #expect(site.holds("a.zip", Self.new))
    }

    @Test(
        "If-Range that is answered with the whole file although nothing changed: no loop, and no more than two copies")
    func always200() async throws {
        let site = try SyncFixture()
        serve(site, .plain(Self.old)) { _ in .plain(Self.old, Faults { $0.ifRange = .always200 }) }
        let file = try await site.file("/a.zip", options)
        #expect(file.status == .done)
        #expect(site.holds("a.zip", Self.old))
        #expect(site.origin.log.count < 10)
        #expect(file.bytesFetched < 2 * Self.size)
    }
}
