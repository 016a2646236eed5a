// Entries that are not over HTTP, several sources, options of single entries.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct SourceTests {
    private static let body = Body.sized(100_000)

    @Test("file URLs: fetched, skipped, resumed, replaced")
    func fileURLs() async throws {
        let site = try SyncFixture()
        let file = "\(site.folder)/remote.bin"
        let manifest = "file://\(file)\n"
        site.write(Self.body.allBytes, to: file)
        let first = try await site.sync(manifest)
        #expect(first.files.map(\.status) == [.done] && first.run.exitCode == .inLine)
        #expect(site.holds("remote.bin", Self.body))
        #expect(try await site.sync(manifest).files.map(\.status) == [.unchanged])
        let longer = Self.body.allBytes + [1, 2, 3]
        site.write(longer, to: file)
        #expect(try await site.sync(manifest).files.map(\.status) == [.done])
        #expect(site.bytes("remote.bin") == longer)
    }

    @Test("a file URL and a short file that is there: only the rest is read")
    func fileURLResume() async throws {
        let site = try SyncFixture()
        let file = "\(site.folder)/remote.bin"
        site.write(Self.body.allBytes, to: file)
        let modified = try #require(SyncFixture.modified(file))
        site.put("remote.bin", Array(Self.body.allBytes[..<60_000]), modified: modified)
        let report = try await site.sync("file://\(file)\n")
        #expect(report.files[0].action == .resume && report.files[0].status == .done)
        #expect(report.files[0].bytesReused == 60_000)
        #expect(site.holds("remote.bin", Self.body))
    }

    @Test("a file URL that names nothing")
    func missingFile() async throws {
        let site = try SyncFixture()
        let report = try await site.sync("file://\(site.folder)/nothing.bin\n")
        #expect(report.files[0].failure?.code == .notFound)
        #expect(report.files[0].attempts == 1)
    }

    @Test("several sources are one list")
    func severalSources() async throws {
        let site = try SyncFixture()
        for name in ["a", "b"] { site.origin.serve("/\(name)", .plain(Self.body)) }
        site.write(Array("\(site.origin.url("/b"))\n".utf8), to: "\(site.folder)/second.txt")
        let report = try await site.sync(paths: "/a") { $0.sources.append("\(site.folder)/second.txt") }
        #expect(report.files.map(\.path) == ["a", "b"])
        #expect(report.run.exitCode == .inLine)
        #expect(report.run.sources.count == 2)
    }

    @Test("header, referer and user-agent of an entry are sent with all its requests, and with no other's")
    func ownFields() async throws {
        let site = try SyncFixture()
        for name in ["a", "b"] {
            site.origin.serve("/\(name)", .plain(Self.body))
            site.put(name, [1], modified: 0)
        }
        let manifest = """
            \(site.origin.url("/a"))
              header=X-Key: 7
              header=X-Other: 8
              referer=http://example.org/
              user-agent=special/1
            \(site.origin.url("/b"))

            """
        try await site.sync(manifest) { $0.transport.connectionsPerHost = 1 }
        let own = site.origin.requests(for: "/a")
        let others = site.origin.requests(for: "/b")
        #expect(own.map(\.method) == ["HEAD", "GET"] && others.map(\.method) == ["HEAD", "GET"])
        #expect(own.allSatisfy { $0.headers["X-Key"] == "7" && $0.headers["X-Other"] == "8" })
        #expect(own.allSatisfy { $0.headers["Referer"] != nil && $0.headers["User-Agent"] == "special/1" })
        #expect(others.allSatisfy { $0.headers["X-Key"] == nil && $0.headers["Referer"] == nil })
        #expect(others.allSatisfy { $0.headers["User-Agent"]?.hasPrefix("mirror/") ?? false })
    }

    @Test("header and referer of an entry do not go to an alternate on another server")
    func ownFieldsOfAlternates() async throws {
        let site = try SyncFixture()
        let other = try WickedOrigin()
        site.origin.serve("/a") { _ in .status(404) }
        site.origin.serve("/b") { _ in .status(404) }
        other.serve("/a", .plain(Self.body))
        // There already: both servers are asked before anything is fetched.
        site.put("a", [1], modified: 0)
        let manifest = """
            \(site.origin.url("/a"))\t\(site.origin.url("/b"))\t\(other.url("/a"))
              header=X-Key: 7
              referer=http://example.org/
              user-agent=special/1

            """
        let report = try await site.sync(manifest)
        #expect(report.files[0].status == .done)
        #expect(site.origin.requests(for: "/b").count > 0)
        #expect(site.origin.log.allSatisfy { $0.headers["X-Key"] == "7" && $0.headers["Referer"] != nil })
        #expect(other.log.map(\.method) == ["HEAD", "GET"])
        #expect(other.log.allSatisfy { $0.headers["X-Key"] == nil && $0.headers["Referer"] == nil })
        #expect(other.log.allSatisfy { $0.headers["User-Agent"] == "special/1" })
    }

    @Test("a named pipe that nobody writes to does not hold up the end of the run")
    func silentPipe() async throws {
        let site = try SyncFixture()
        let pipe = "\(site.folder)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let sync = site.makeSync("") { $0.sources = [pipe] }
        sync.cancel()
        do throws(SyncError) {
            _ = try await sync.run()
            Issue.record("the pipe was read")
        } catch {
            #expect(error.exitCode == .endedEarly)
        }
    }

    @Test("`split=1` of an entry: one stream, whatever the run's option says")
    func ownSplit() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.sized(4 << 20)))
        try await site.sync("\(site.origin.url("/a"))\n  split=1\n") { $0.minimumSplitSize = 100_000 }
        #expect(site.origin.lines() == ["GET"])
    }

    @Test("one job at a time still serves a manifest of many files and two origins")
    func oneJob() async throws {
        let site = try SyncFixture()
        let other = try WickedOrigin()
        site.origin.serveOthers { Resource.plain(Self.body).answer(to: $0) }
        other.serveOthers { Resource.plain(Self.body).answer(to: $0) }
        let urls = (0..<10).flatMap { [site.origin.url("/a\($0)"), other.url("/b\($0)")] }
        let report = try await site.sync(urls.map { $0 + "\n" }.joined()) { $0.jobs = 1 }
        #expect(report.run.exitCode == .inLine && report.files.count == 20)
        #expect(site.origin.peakConcurrentRequests == 1)
    }

    @Test("beyond 4 GiB: a resume near the end asks for the right bytes and puts them where they belong")
    func largeFile() async throws {
        let site = try SyncFixture()
        let size: Int64 = (9 << 29) + 12_345
        let body = Body.synthetic(length: size, seed: 3)
        // Cut before the end: hashing all of it takes longer than a test may.
        site.origin.serve("/a.bin", .plain(body, Faults { $0.delivery = .cut(atOffset: size - 1_000) }))
        let there = size - 100_000
        site.put("a.bin", [])
        // A hole, with the right bytes where they are looked at.
        let file = open("\(site.directory)/a.bin", O_WRONLY)
        let overlap = body.bytes(in: there - 16_384..<there)
        overlap.withUnsafeBytes { _ = pwrite(file, $0.baseAddress, $0.count, Int(there) - 16_384) }
        close(file)
        let report = try await site.sync(paths: "/a.bin") {
            $0.sizeOnly = true
            $0.split = 1
            $0.retries = 0
        }
        #expect(report.lines == ["resume failed 206 \(there)-\(size - 1) truncated"])
        #expect(site.origin.lines().last == "GET bytes=\(there - 16_384)-\(size - 1) \"v1\"")
        let part = open("\(site.directory)/.mirror/partial/\(try #require(site.partials.first))", O_RDONLY)
        defer { close(part) }
        var end = [UInt8](repeating: 0, count: 110_000)
        let count = end.withUnsafeMutableBytes { pread(part, $0.baseAddress, $0.count, Int(there)) }
        #expect(count == 99_000)
        #expect(end.prefix(99_000).elementsEqual(body.bytes(in: there..<size - 1_000)))
    }

    @Test("C144 a folder that comes in the way while the file is fetched; the next run has its bytes already")
    func inTheWayAtTheEnd() async throws {
        let site = try SyncFixture()
        let directory = site.directory
        site.origin.serve("/a.bin") { request in
            if request.method == "GET" { mkdir("\(directory)/a.bin", 0o755) }
            return Resource.plain(Self.body).answer(to: request)
        }
        site.origin.serve("/b.bin", .plain(Self.body))
        let report = try await site.sync(paths: "/a.bin", "/b.bin")
        #expect(report.files.map(\.status) == [.failed, .done])
        #expect(report.files[0].failure?.code == .conflict)
        #expect(report.run.exitCode == .someFailed)
        rmdir("\(directory)/a.bin")
        site.origin.serve("/a.bin", .plain(Self.body))
        #expect(try await site.file("/a.bin").status == .done)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("every event of a file: it begins, it ends")
    func events() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        site.put("same", Self.body.allBytes, modified: Resource.seconds(1))
        site.origin.serve("/same", .plain(Self.body))
        let sync = site.makeSync("\(site.origin.url("/a"))\n\(site.origin.url("/same"))\n")
        let events = sync.events()
        _ = try await sync.run()
        var seen: [String] = []
        for await event in events {
            switch event {
            case .started(let path): seen.append("started \(path)")
            case .finished(let file): seen.append("finished \(file.path)")
            case .planned, .warning: break
            }
        }
        #expect(seen == ["finished same", "started a", "finished a"])
    }
}
