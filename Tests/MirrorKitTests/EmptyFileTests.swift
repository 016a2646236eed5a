// Files of no bytes and of one, and 416 (class C).

import MirrorKit
import MirrorTestSupport
import Testing

struct EmptyFileTests {
    private static let empty = Body.bytes([])

    @Test("C040 an empty remote file: fetched once, then skipped, never with a range that can be satisfied")
    func emptyFile() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.empty))
        #expect(try await site.file("/a.bin").line == "fetch done 200 none")
        #expect(site.bytes("a.bin") == [])
        #expect(site.origin.lines() == ["GET"])
        #expect(try await site.file("/a.bin").status == .unchanged)
        #expect(site.bytes("a.bin") == [])
    }

    @Test("C040 C047 an empty file in line: one HEAD, whose 0 is believed as long as the validators are the same")
    func emptyFileAgain() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.empty))
        try await site.sync(paths: "/a.bin")
        site.origin.resetLog()
        #expect(try await site.file("/a.bin").line == "skip unchanged 200 none")
        #expect(site.origin.lines() == ["HEAD"])
        site.origin.serve("/a.bin", .plain(.text("abc"), version: 2, Faults { $0.head = .zeroLength }))
        #expect(try await site.file("/a.bin").status == .done)
        #expect(site.text("a.bin") == "abc")
    }

    @Test("C040 a file that became empty: deleted only when the GET confirms it")
    func becameEmpty() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(.text("abc")))
        try await site.sync(paths: "/a.bin")
        site.origin.serve("/a.bin", .plain(Self.empty, version: 2))
        let file = try await site.file("/a.bin")
        #expect(file.status == .done && (file.action == .replace || file.action == .delete))
        #expect(site.bytes("a.bin") == [])
    }

    @Test("C047 HEAD says 0 and the GET has bytes: nothing is given up", arguments: [true, false])
    func headSaysZero(takesRanges: Bool) async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.head = .zeroLength
            $0.range = takesRanges ? .honour : .notSatisfiable
        }
        site.origin.serve("/a.bin", .plain(.sized(229_630), faults))
        site.put("a.bin", Body.sized(229_630).allBytes, modified: Resource.seconds(1))
        #expect(try await site.file("/a.bin").failure == nil)
        #expect(site.holds("a.bin", .sized(229_630)))
    }

    @Test(
        "C041 200 without length and without body: empty, unless HEAD says otherwise", arguments: [0, 100] as [Int64])
    func closedWithoutBody(claim: Int64) async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.framing = .closeDelimited
            if claim > 0 { $0.head = .length(claim) }
        }
        site.origin.serve("/a.bin", .plain(Self.empty, faults))
        let file = try await site.file("/a.bin")
        #expect(file.failure?.code == (claim > 0 ? .truncated : nil))
        #expect(site.exists("a.bin") == (claim == 0))
    }

    @Test("a file of one byte, again and again")
    func oneByte() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(.bytes([42])))
        #expect(try await site.file("/a.bin").line == "fetch done 200 0-0")
        #expect(try await site.file("/a.bin").line == "skip unchanged 200 none")
        #expect(site.bytes("a.bin") == [42])
    }

    @Test("a local file of one byte is gone on from, when that byte is the server's", arguments: [true, false])
    func oneByteThere(isRight: Bool) async throws {
        let site = try SyncFixture()
        let body = Body.sized(50_000)
        site.origin.serve("/a.bin", .plain(body))
        site.put("a.bin", [body.byte(at: 0) ^ (isRight ? 0 : 1)], modified: Resource.seconds(1))
        let file = try await site.file("/a.bin")
        #expect(file.action == .resume && file.status == .done)
        #expect(file.reason.contains("overlap mismatch") == !isRight)
        #expect(site.holds("a.bin", body))
    }

    /// A partial file of 200 kB, and the origin as it is afterwards.
    private func makePartial(of body: Body) async throws -> SyncFixture {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(body, Faults { $0.delivery = .cut(after: 200_000) }))
        try await site.sync(paths: "/a.bin") {
            $0.retries = 0; $0.split = 1
        }
        #expect(site.partials.count == 1)
        site.origin.resetLog()
        return site
    }

    @Test("C035 C038 the remote file is smaller now: one clean restart", arguments: [true, false], [true, false])
    func shrunk(saysTotal: Bool, hidesLength: Bool) async throws {
        let site = try await makePartial(of: .sized(300_000))
        let small = Body.sized(100_000, seed: 4)
        let faults = Faults {
            $0.omitsTotalIn416 = !saysTotal
            $0.ifRange = .ignored
            // The plan is made on an old claim: only the 416 tells.
            if hidesLength { $0.head = .length(300_000) }
            if hidesLength { $0.validators = .none }
        }
        site.origin.serve("/a.bin", .plain(small, version: 2, faults))
        let file = try await site.file("/a.bin")
        #expect(file.status == .done)
        #expect(site.holds("a.bin", small))
        #expect(site.origin.log.count <= 4)
        if hidesLength { #expect(site.origin.log.contains { $0.status == 416 }) }
        #expect(site.partials == [])
    }

    @Test("C039 412 to a resume is a change: one restart")
    func preconditionFailed() async throws {
        let site = try await makePartial(of: .sized(300_000))
        site.origin.serve("/a.bin", .plain(.sized(300_000), Faults { $0.range = .preconditionFailed }))
        let file = try await site.file("/a.bin")
        #expect(file.status == .done)
        #expect(site.holds("a.bin", .sized(300_000)))
        #expect(site.origin.log.count { $0.status == 412 } <= 2)
    }

    @Test("C035 the body of an error never reaches a file", arguments: [400, 403, 404, 410, 416, 500, 503])
    func errorBody(status: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/new.bin") { _ in .status(status) }
        site.origin.serve("/old.bin") {
            $0.method == "HEAD" ? Resource.plain(.sized(10)).answer(to: $0) : .status(status)
        }
        site.put("old.bin", [1], modified: 0)
        let report = try await site.sync(paths: "/new.bin", "/old.bin")
        #expect(report.files.map(\.status) == [.failed, .failed])
        #expect(report.files.map(\.httpStatus) == [status, status])
        #expect(report.run.exitCode == .someFailed)
        #expect(!site.exists("new.bin"))
        #expect(site.bytes("old.bin") == [1])
        #expect(site.partials == [])
    }
}
