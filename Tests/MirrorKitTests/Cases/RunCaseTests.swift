// Classes M, N and R of the failure cases: several runs on one folder, dates that mislead, reports that must not lie.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct RunCaseTests {
    private static let old = Resource.seconds(1)
    private static let body = Body.sized(300_000)

    // MARK: M

    @Test(
        "C136 a second run while the first is at work: refused at once, nothing asked, nothing changed",
        arguments: [true, false])
    func twoRuns(isDryRun: Bool) async throws {
        let site = try SyncFixture()
        let gate = Gate()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.delivery = .stall(after: 100_000, gate: gate) }))
        async let first = site.sync(paths: "/a.bin")
        #expect(await site.origin.waitUntil(bodyBytesSent: 100_000))
        do throws(SyncError) {
            _ = try await site.makeSync("\(site.origin.url("/a.bin"))\n") { $0.isDryRun = isDryRun }.run()
            Issue.record("two runs at once")
        } catch {
            #expect(error.exitCode == .locked)
        }
        #expect(site.origin.log.count == 1)
        gate.open()
        site.expect(try await first, .inLine, Expected("a.bin", "fetch done * 0-299999", Self.body))
    }

    @Test("C137 a run that waits plans after the lock is its own: the older plan ends first and removes nothing of it")
    func planAfterLock() async throws {
        let site = try SyncFixture()
        let gate = Gate()
        let isOver = MirrorTestSupport.Locked(false)
        let isEarly = MirrorTestSupport.Locked(false)
        site.origin.serve("/a.bin") { request in
            // Only the newer run has a file to ask for.
            if request.method == "HEAD", !isOver.read({ $0 }) { isEarly.withLock { $0 = true } }
            return Resource.plain(Self.body, Faults { $0.delivery = .stall(after: 100_000, gate: gate) }).answer(
                to: request)
        }
        site.origin.serve("/new.bin", .plain(.sized(5_000, seed: 5)))
        // However slow the machine is, only the gate ends the silence.
        async let older = site.sync(paths: "/a.bin")
        #expect(await site.origin.waitUntil(bodyBytesSent: 100_000))
        // The newer list: another file, and the first one again, which is older news by then.
        let newer = site.makeSync("\(site.origin.url("/a.bin"))\n\(site.origin.url("/new.bin"))\n") {
            $0.lockWait = .seconds(600)
        }
        async let waiting = newer.run()
        for _ in 0..<50 { await Task.yield() }
        isOver.withLock { $0 = true }
        gate.open()
        #expect(try await older.run.exitCode == .inLine)
        site.expect(
            try await waiting, .inLine, Expected("a.bin", "skip unchanged 200 none", Self.body),
            Expected("new.bin", "fetch done 200 0-4999", .sized(5_000, seed: 5)))
        #expect(!isEarly.read { $0 }, "nothing is asked before the lock is there")
    }

    @Test("C140 cancelled: no final name, exit 3, and the next run goes on", arguments: [1, 4], [true, false])
    func cancelled(split: Int, hasOld: Bool) async throws {
        let site = try SyncFixture()
        let gate = Gate()
        let old = Body.sized(1_000, seed: 8)
        if hasOld { site.put("a.bin", old.allBytes, modified: Self.old - 1) }
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.delivery = .stall(after: 30_000, gate: gate) }))
        let sync = site.makeSync("\(site.origin.url("/a.bin"))\n") {
            $0.split = split
            $0.minimumSplitSize = 64 << 10
        }
        async let run = sync.run()
        while sync.progress.bytesFetched < 30_000 { await Task.yield() }
        sync.cancel()
        let report = try await run
        gate.open()
        site.expect(report, .endedEarly, partials: 1, Expected("a.bin", "* interrupted **", hasOld ? old : nil))
        #expect(report.run.isInterrupted)
        site.origin.serve("/a.bin", .plain(Self.body))
        let next = try await site.sync(paths: "/a.bin")
        site.expect(next, .inLine, Expected("a.bin", hasOld ? "replace done 206 *" : "resume done 206 *", Self.body))
        #expect(next.files[0].bytesReused >= 30_000)
    }

    // MARK: N

    @Test(
        "C148 a short file of today, the source older: completed, for no date says that a file is whole",
        arguments: [true, false])
    func shortAndNew(sizeOnly: Bool) async throws {
        let site = try SyncFixture()
        site.put("a.bin", Self.body.bytes(in: 0..<100_000))
        site.origin.serve("/a.bin", .plain(Self.body))
        let report = try await site.sync(paths: "/a.bin") { $0.sizeOnly = sizeOnly }
        site.expect(report, .inLine, Expected("a.bin", "resume done 206 100000-299999", Self.body))
        #expect(site.modified("a.bin") == Self.old)
    }

    @Test(
        "C148 the same where HEAD has no length of the file",
        arguments: [
            Faults { $0.head = .encoded("gzip", length: 66) }, Faults { $0.head = .noLength },
            Faults { $0.head = .status(405) },
        ])
    func shortAndNewWithoutHead(faults: Faults) async throws {
        let site = try SyncFixture()
        site.put("a.bin", Self.body.bytes(in: 0..<100_000))
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "resume done 206 100000-299999", Self.body)
        )
    }

    @Test(
        "C150 an older Last-Modified than before: the server's truth, and the report says that it went back",
        arguments: [true, false])
    func wentBack(hasETag: Bool) async throws {
        let site = try SyncFixture()
        func resource(_ body: Body, _ version: Int) -> Resource {
            var resource = Resource.plain(body, version: version, Faults { $0.ignoresConditions = true })
            if !hasETag { resource.etag = nil }
            return resource
        }
        site.origin.serve("/a.bin", resource(Self.body, 2))
        try await site.sync(paths: "/a.bin")
        let older = Body.sized(300_000, seed: 6)
        site.origin.serve("/a.bin", resource(older, 1))
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine,
            Expected("a.bin", "replace done 200 0-299999", older, reason: "went back in time, from 2023-11-15"))
    }

    @Test(
        "C151 Last-Modified missing, in the future, or no date: fetched once, the time left alone where it is none",
        arguments: [
            nil, "yesterday", "Fri, 31 Dec 2049 23:59:59 GMT", "Thu, 01 Jan 1600 00:00:00 GMT",
        ], [true, false])
    func oddDate(text: String?, isRedirected: Bool) async throws {
        let site = try SyncFixture()
        let path = isRedirected ? "/target" : "/a.bin"
        site.origin.serve(path, Resource(body: Self.body, lastModified: text))
        if isRedirected {
            // What a redirect says of itself is nothing of the file.
            site.origin.serve("/a.bin") { _ in
                var answer = Answer.redirect(to: path)
                answer.headers.append("Last-Modified", "Tue, 14 Nov 2023 23:13:20 GMT")
                return answer
            }
        }
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "fetch done 200 0-299999", Self.body))
        #expect(site.modified("a.bin") != Self.old)
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "skip unchanged 200 none", Self.body))
        // An answer of the future ties no ranges together.
        #expect(site.origin.log.allSatisfy { $0.headers["If-Range"] == nil })
    }

    // MARK: Q and R

    @Test("C168 C175 eleven small files, three at a time, again and again: each has its own bytes and size")
    func smallFiles() async throws {
        let site = try SyncFixture()
        let bodies = (0..<11).map { Body.sized(Int64($0 * 37), seed: UInt64($0)) }
        for (index, body) in bodies.enumerated() { site.origin.serve("/\(index)", .plain(body)) }
        let report = try await site.sync(bodies.indices.map { site.origin.url("/\($0)") + "\n" }.joined()) {
            $0.jobs = 3
        }
        #expect(report.run.exitCode == .inLine && report.files.count == 11)
        for (index, body) in bodies.enumerated() {
            #expect(site.holds("\(index)", body))
            #expect(report.files[index].remoteSize == body.length && report.files[index].status == .done)
        }
    }

    @Test(
        "C174 a name that the server does not have: not-found, exit 1, and the others are done", arguments: [404, 410])
    func unknownName(status: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/good", .plain(Self.body))
        site.origin.serve("/bad") { _ in .status(status) }
        site.put("kept", [1, 2, 3], modified: Self.old)
        site.origin.serve("/kept") { _ in .status(status) }
        let report = try await site.sync(paths: "/bad", "/good", "/kept")
        site.expect(
            report, .someFailed, Expected("bad", "fetch failed \(status) not-found", nil, message: "(\(status))"),
            Expected("good", "fetch done 200 0-299999", Self.body),
            Expected("kept", "replace failed \(status) not-found", .bytes([1, 2, 3]), message: "(\(status))"))
        // A dry run, which has no plain GET, says it too.
        let dry = try await site.sync(paths: "/bad") { $0.isDryRun = true }
        #expect(dry.files[0].reason.contains("answered \(status)"))
    }

    @Test("C178 whatever is in .mirror is for nobody else, after a good, a failed and an interrupted run")
    func modes() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        site.origin.serve("/b.bin", .plain(Self.body, Faults { $0.delivery = .cut(after: 100_000) }))
        try await site.sync(paths: "/a.bin", "/b.bin") { $0.retries = 0 }
        var status = stat()
        #expect(stat("\(site.directory)/.mirror", &status) == 0 && status.st_mode & 0o777 == 0o700)
        let names = SyncFixture.names(in: "\(site.directory)/.mirror")
        #expect(names.contains("report.json") && names.contains("state.sqlite") && site.partials.count == 1)
        for name in names {
            #expect(stat("\(site.directory)/.mirror/\(name)", &status) == 0)
            #expect(status.st_mode & 0o002 == 0, "\(name) can be written by others")
        }
    }
}
