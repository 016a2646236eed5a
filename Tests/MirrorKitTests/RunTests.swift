// A run as a whole: the lock, exit codes, events, secrets, bad sources, many files at once (classes M, O and R).

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct RunTests {
    private static let body = Body.sized(10_000)

    @Test("C136 a second run on the same DIR ends at once and changes nothing")
    func locked() async throws {
        let site = try SyncFixture()
        let gate = Gate()
        site.origin.serve("/a", .plain(Self.body, Faults { $0.delivery = .stall(after: 5_000, gate: gate) }))
        async let first = site.sync(paths: "/a")
        #expect(await site.origin.waitUntil(bodyBytesSent: 5_000))
        let before = site.tree()
        do throws(SyncError) {
            _ = try await site.makeSync("\(site.origin.url("/a"))\n").run()
            Issue.record("two runs at once")
        } catch {
            guard case .locked = error else { throw error }
            #expect(error.exitCode == .locked)
        }
        #expect(site.tree().count == before.count)
        #expect(site.origin.log.count == 1)
        gate.open()
        #expect(try await first.run.exitCode == .inLine)
        #expect(site.holds("a", Self.body))
        // C138: what the first run left behind is no lock.
        #expect(try await site.file("/a").status == .unchanged)
    }

    @Test("C136 a dry run does not look at a state that another run is changing")
    func dryRunBesideRun() async throws {
        let site = try SyncFixture()
        let gate = Gate()
        site.origin.serve("/a", .plain(Self.body, Faults { $0.delivery = .stall(after: 5_000, gate: gate) }))
        async let first = site.sync(paths: "/a")
        #expect(await site.origin.waitUntil(bodyBytesSent: 5_000))
        do throws(SyncError) {
            _ = try await site.makeSync("\(site.origin.url("/a"))\n") { $0.isDryRun = true }.run()
            Issue.record("the state was read while it changed")
        } catch {
            #expect(error.exitCode == .locked)
        }
        gate.open()
        #expect(try await first.run.exitCode == .inLine)
    }

    @Test(
        "C172 C174 the worst result of all entries is the exit code, in any order",
        arguments: [
            ["/good", "/missing", "/slow"], ["/missing", "/good", "/slow"], ["/slow", "/good", "/missing"],
        ])
    func worstResult(paths: [String]) async throws {
        let site = try SyncFixture()
        let gate = Gate()
        site.origin.serve("/good", .plain(Self.body))
        site.origin.serve("/slow", .plain(Self.body, Faults { $0.delivery = .stall(after: 100, gate: gate) }))
        site.origin.serve("/missing") { _ in
            gate.open()
            return .status(404)
        }
        let report = try await site.sync(paths.map { site.origin.url($0) + "\n" }.joined())
        #expect(report.run.exitCode == .someFailed)
        #expect(report.totals.failed == 1)
        #expect(site.holds("good", Self.body) && site.holds("slow", Self.body) && !site.exists("missing"))
    }

    @Test("C178 no secret of a URL is written anywhere", arguments: [true, false])
    func secrets(isFailing: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { request in
            guard isFailing else { return .redirect(to: "/signed?X-Amz-Signature=feedface0003&x=1") }
            let end: Int64 = request.ordinal == 0 ? 300_000 : 0
            return Resource.plain(.sized(500_000), Faults { $0.delivery = .cut(after: end) }).answer(to: request)
        }
        if !isFailing { site.origin.serve("/signed", .plain(Self.body)) }
        let base = "127.0.0.1:\(site.origin.port)/a.bin"
        let manifest = """
            http://anna:swordfish0001@\(base)?token=deadbeef0002&X-Amz-Signature=cafebabe0004&part=7
              header=Authorization: Bearer opensesame0005

            """
        let sync = site.makeSync(manifest) {
            $0.reportFiles = ["\(site.folder)/out.json", "\(site.folder)/out.txt"]
            $0.retries = 1
            $0.transport.user = "bob:hunter0006"
        }
        let events = sync.events()
        async let told = Self.texts(of: events)
        let report = try await sync.run()
        #expect(report.files[0].status == (isFailing ? .failed : .done))
        var texts = await told
        texts.append("\(report)")
        for name in ["report.json", "state.sqlite", "state.sqlite-wal"] {
            texts.append(site.text(".mirror/\(name)") ?? "")
        }
        texts += ["out.json", "out.txt"].map { Self.text("\(site.folder)/\($0)") }
        texts += SyncFixture.names(in: "\(site.directory)/.mirror/partial")
        let secrets = ["swordfish0001", "deadbeef0002", "feedface0003", "cafebabe0004", "opensesame0005", "hunter0006"]
        for secret in secrets { #expect(!texts.contains { $0.contains(secret) }, Comment(rawValue: secret)) }
        #expect(texts.contains { $0.contains("***") })
        // The test can fail: the server got them.
        #expect(site.origin.log.contains { $0.target.contains("deadbeef0002") })
    }

    private static func text(_ path: String) -> String {
        SyncFixture.read(path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func texts(of events: AsyncStream<SyncEvent>) async -> [String] {
        var texts: [String] = []
        for await event in events { texts.append("\(event)") }
        return texts
    }

    @Test("the state folder is for nobody else")
    func modes() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        try await site.sync(paths: "/a")
        var status = stat()
        stat("\(site.directory)/.mirror", &status)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    @Test("events tell the plan and each end, and the stream ends with the run")
    func events() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        let sync = site.makeSync("\(site.origin.url("/a"))\n\(site.origin.url("/b"))\n")
        let events = sync.events()
        _ = try await sync.run()
        var planned = 0
        var finished: [String] = []
        for await event in events {
            switch event {
            case .planned(let files, _): planned = files
            case .finished(let file): finished.append("\(file.path) \(file.status.rawValue)")
            case .warning, .started: break
            }
        }
        #expect(planned == 2)
        #expect(finished.sorted() == ["a done", "b failed"])
        #expect(sync.progress.stage == .finished)
        #expect(sync.progress.filesDone == 2 && sync.progress.filesFailed == 1)
    }

    @Test("C156 a source with nothing in it", arguments: ["", "\n\n", "# only a comment\n"])
    func emptySource(manifest: String) async throws {
        let site = try SyncFixture()
        do throws(SyncError) {
            let report = try await site.makeSync(manifest).run()
            #expect(report.run.exitCode != .inLine)
        } catch {
            #expect(error.exitCode == .badUsage)
        }
    }

    @Test("C158 every fault of a manifest is told, and nothing is fetched")
    func badSource() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { Resource.plain(Self.body).answer(to: $0) }
        let manifest = """
            \(site.origin.url("/good"))
            nonsense
              size=many
            \(site.origin.url("/other"))
              checksum=sha-256=12
              colour=red

            """
        do throws(SyncError) {
            _ = try await site.makeSync(manifest).run()
            Issue.record("a bad manifest was taken")
        } catch {
            guard case .badSource(let faults) = error else { throw error }
            #expect(Set(faults.map(\.line)).isSuperset(of: [2, 5, 6]))
        }
        #expect(site.origin.log.isEmpty)
        #expect(!site.exists("good"))
    }

    @Test("a source that cannot be read", arguments: ["missing.txt", "http://127.0.0.1:1/none.txt"])
    func unreadableSource(source: String) async throws {
        let site = try SyncFixture()
        var options = SyncOptions(sources: [source])
        options.directory = site.directory
        options.retries = 0
        do throws(SyncError) {
            _ = try await Sync(options, clock: site.clock.runClock).run()
            Issue.record("nothing was read")
        } catch {
            #expect(error.exitCode == .badUsage)
        }
        #expect(!SyncFixture.names(in: site.folder).contains("mirror"))
    }

    @Test("a manifest from a server, retried like a file")
    func remoteManifest() async throws {
        let site = try SyncFixture()
        let list = "\(site.origin.url("/a"))\n"
        site.origin.serve("/list.txt") { $0.ordinal < 2 ? .status(503) : .text(list) }
        site.origin.serve("/a", .plain(Self.body))
        var options = SyncOptions(sources: [site.origin.url("/list.txt")])
        options.directory = site.directory
        let report = try await Sync(options, clock: site.clock.runClock).run()
        #expect(report.lines == ["fetch done 200 0-9999"])
        #expect(site.clock.passed == .milliseconds(750))
    }

    @Test("C145 DIR that cannot be one", arguments: ["/proc/nothing/here", "/dev/null/x"])
    func unusableDirectory(directory: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        do throws(SyncError) {
            _ = try await site.makeSync("\(site.origin.url("/a"))\n") { $0.directory = directory }.run()
            Issue.record("a file was mirrored into nothing")
        } catch {
            #expect(error.exitCode == .unusableDirectory)
        }
        // C145: before any network traffic.
        #expect(site.origin.log.isEmpty)
    }

    @Test("more free space than there is: exit 5, and nothing is fetched")
    func minimumFree() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        let report = try await site.sync(paths: "/a") { $0.minimumFree = .max }
        #expect(report.run.exitCode == .unusableDirectory)
        #expect(report.failure?.code == .diskFull)
        #expect(!site.exists("a"))
        #expect(site.origin.log.isEmpty)
    }

    @Test("pause holds the bytes, and a run goes on afterwards")
    func pause() async throws {
        let site = try SyncFixture(sendBuffer: 64 << 10)
        let body = Body.sized(32 << 20)
        site.origin.serve("/a.bin", .plain(body))
        let sync = site.makeSync("\(site.origin.url("/a.bin"))\n") { $0.split = 1 }
        async let run = sync.run()
        while sync.progress.bytesFetched == 0 { await Task.yield() }
        await sync.pause()
        let stopped = sync.progress.bytesFetched
        for _ in 0..<200 { await Task.yield() }
        #expect(sync.progress.bytesFetched == stopped)
        await sync.resume()
        #expect(try await run.files[0].status == .done)
        #expect(site.holds("a.bin", body))
    }

    @Test("cancelled before it begins: nothing is fetched")
    func cancelledEarly() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        let sync = site.makeSync("\(site.origin.url("/a"))\n")
        sync.cancel()
        do throws(SyncError) {
            #expect(try await sync.run().run.exitCode == .endedEarly)
        } catch {
            Issue.record("\(error)")
        }
        #expect(!site.exists("a"))
    }

    @Test("cancelled with many files waiting: all of them are told of")
    func cancelledWithMany() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { _ in .hang }
        let names = (0..<50).map { site.origin.url("/\($0)") + "\n" }.joined()
        let sync = site.makeSync(names)
        async let run = sync.run()
        #expect(await site.origin.waitUntil(requests: 6))
        sync.cancel()
        let report = try await run
        #expect(report.files.count == 50)
        #expect(report.files.allSatisfy { $0.status == .interrupted })
        #expect(report.run.exitCode == .endedEarly)
    }
}
