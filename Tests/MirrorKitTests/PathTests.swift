// Where files go, and where they never go: names, folders, links, conflicts.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct PathTests {
    private static let body = Body.text("abc")

    /// Serves the same bytes at every path.
    private func makeSite() throws -> SyncFixture {
        let site = try SyncFixture()
        site.origin.serveOthers { Resource.plain(Self.body).answer(to: $0) }
        return site
    }

    private func faults(_ site: SyncFixture, _ manifest: String) async -> [String]? {
        do throws(SyncError) {
            _ = try await site.makeSync(manifest).run()
            return nil
        } catch {
            guard case .badSource(let faults) = error else { return [] }
            #expect(error.exitCode == .badUsage)
            return faults.map(\.message)
        }
    }

    @Test(
        "paths that lead out are an error of the manifest: nothing is fetched",
        arguments: [
            "../x", "a/../../x", "/etc/x", "a/./b", "..", ".", "a//b", ".mirror/x",
        ])
    func unsafeOut(path: String) async throws {
        let site = try makeSite()
        let url = site.origin.url("/a")
        let messages = await faults(site, "\(url)\n  out=\(path)\n\(site.origin.url("/b"))\n")
        #expect(messages?.count == 1)
        #expect(site.origin.log.isEmpty)
        #expect(!site.exists("b"))
    }

    @Test(
        "names from URLs never lead out",
        arguments: ["/x/..%2f..%2fetc", "/%2e%2e", "/a%00b", "/%2Fetc%2Fx", "/.mirror"])
    func unsafeURL(target: String) async throws {
        let site = try makeSite()
        let outside = SyncFixture.names(in: site.folder)
        let messages = await faults(site, site.origin.url(target) + "\n")
        let now = SyncFixture.names(in: site.folder).filter { $0 != "mirror" && $0 != "manifest.txt" }
        #expect(now == outside)
        // Either the URL is refused, or the bytes stay encoded in one name below DIR.
        if messages == nil {
            let names = SyncFixture.names(in: site.directory).filter { $0 != ".mirror" }
            #expect(names.allSatisfy { site.text($0) == "abc" })
        }
    }

    @Test(
        "a name that the server suggests never leads out",
        arguments: [
            "../x", "/etc/x", "a/b", "..", "C:\\\\x", ".mirror",
        ])
    func unsafeSuggestion(name: String) async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { request in
            var resource = Resource.plain(Self.body)
            resource.headers.append("Content-Disposition", "attachment; filename=\"\(name)\"")
            return resource.answer(to: request)
        }
        let report = try await site.sync(paths: "/a") { $0.prefersSuggestedNames = true }
        let names = SyncFixture.names(in: site.directory).filter { $0 != ".mirror" }
        #expect(report.files[0].status == .failed ? names == [] : names.count == 1)
        #expect(SyncFixture.names(in: site.folder) == ["manifest.txt", "mirror"])
        #expect(report.files[0].failure.map { $0.code == .unsafePath } ?? true)
    }

    @Test("a suggested name is taken where it is wanted, and where the URL has none")
    func suggestedName() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { request in
            var resource = Resource.plain(Self.body)
            resource.headers.append("Content-Disposition", "attachment; filename=\"given.bin\"")
            return resource.answer(to: request)
        }
        #expect(try await site.sync(paths: "/a") { $0.prefersSuggestedNames = true }.files[0].path == "given.bin")
        #expect(try await site.sync(paths: "/a").files[0].path == "a")
        #expect(try await site.sync("\(site.origin.url("/?id=1"))\n").files[0].path == "given.bin")
    }

    @Test(
        "two URLs with one path, a file that is a folder too: both lines are named",
        arguments: [
            ("x", "x"), ("x", "x/y"), ("x/y", "x"), ("a/b/c", "a/b"),
        ])
    func conflicts(first: String, second: String) async throws {
        let site = try makeSite()
        let manifest = """
            \(site.origin.url("/1"))
              out=\(first)
            \(site.origin.url("/2"))
              out=\(second)

            """
        do throws(SyncError) {
            _ = try await site.makeSync(manifest).run()
            Issue.record("the conflict was not seen")
        } catch {
            guard case .badSource(let faults) = error else { throw error }
            #expect(faults.count == 1)
            #expect(faults[0].line == 3 && faults[0].message.contains("manifest.txt:1"))
        }
        #expect(site.origin.log.isEmpty)
    }

    @Test("the same line twice is one entry")
    func repeats() async throws {
        let site = try makeSite()
        let report = try await site.sync(paths: "/a", "/a")
        #expect(report.files.count == 1)
        #expect(site.origin.log.count == 1)
    }

    @Test("C144 something in the way is a failure of that file, and the others are done")
    func inTheWay() async throws {
        let site = try makeSite()
        site.makeFolder("folder")
        site.put("folder/inner", [9])
        site.put("file", [9])
        mkfifo("\(site.directory)/fifo", 0o644)
        let names = ["a", "folder", "b", "file/c", "fifo", "d"]
        let manifest = names.enumerated().map { "\(site.origin.url("/\($0.offset)"))\n  out=\($0.element)\n" }.joined()
        let report = try await site.sync(manifest)
        #expect(report.files.map(\.status) == [.done, .failed, .done, .failed, .failed, .done])
        #expect(report.files.compactMap(\.failure?.code) == [.conflict, .conflict, .conflict])
        #expect(report.run.exitCode == .someFailed)
        #expect(site.bytes("folder/inner") == [9])
        #expect(site.bytes("file") == [9])
        // Nothing is asked for a file that has no place.
        #expect(site.origin.log.count == 3)
    }

    @Test("symbolic links that lead outside are not followed; those that stay inside are")
    func links() async throws {
        let site = try makeSite()
        let outside = "\(site.folder)/outside"
        mkdir(outside, 0o755)
        site.write([7], to: "\(outside)/file")
        site.makeFolder("inside")
        symlink(outside, "\(site.directory)/out")
        symlink("../outside", "\(site.directory)/relative")
        symlink("\(outside)/file", "\(site.directory)/link")
        symlink("inside", "\(site.directory)/in")
        let names = ["out/a", "relative/b", "link", "in/c", "plain"]
        let manifest = names.enumerated().map { "\(site.origin.url("/\($0.offset)"))\n  out=\($0.element)\n" }.joined()
        let report = try await site.sync(manifest)
        #expect(report.files.map(\.failure?.code) == [.unsafePath, .unsafePath, .unsafePath, nil, nil])
        #expect(SyncFixture.names(in: outside) == ["file"])
        #expect(SyncFixture.read("\(outside)/file") == [7])
        #expect(site.text("inside/c") == "abc" && site.text("plain") == "abc")
    }

    @Test(
        "names of up to 255 bytes are possible, longer ones a failure of that file",
        arguments: [
            (240, true), (252, true), (255, true), (256, false), (300, false),
        ])
    func longNames(length: Int, isPossible: Bool) async throws {
        let site = try makeSite()
        let name = String(repeating: "n", count: length)
        let manifest = "\(site.origin.url("/\(name)"))\n\(site.origin.url("/short"))\n"
        guard isPossible else {
            if let messages = await faults(site, manifest) {
                #expect(messages.count == 1)
            } else {
                #expect(site.text("short") == "abc")
            }
            return
        }
        let report = try await site.sync(manifest)
        #expect(report.run.exitCode == .inLine)
        #expect(site.text(name) == "abc")
        #expect(try await site.sync(manifest).files.map(\.status) == [.unchanged, .unchanged])
    }

    @Test("C089 C090 names that differ in case or normalisation are different files")
    func normalisation() async throws {
        let site = try SyncFixture()
        let names = ["caf\u{e9}", "cafe\u{301}", "CAF\u{c9}", "cafe"]
        for (index, _) in names.enumerated() { site.origin.serve("/\(index)", .plain(.text("\(index)"))) }
        let manifest = names.enumerated().map { "\(site.origin.url("/\($0.offset)"))\n  out=\($0.element)\n" }.joined()
        let report = try await site.sync(manifest)
        #expect(report.run.exitCode == .inLine)
        #expect(names.enumerated().allSatisfy { site.text($0.element) == "\($0.offset)" })
        #expect(SyncFixture.names(in: site.directory).count == 5)
        #expect(try await site.sync(manifest).files.allSatisfy { $0.status == .unchanged })
    }

    @Test(
        "odd names come back from the state as they went in",
        arguments: [
            "sp ace", "quo\"te", "back\\slash", "semi;colon", "new'line", "%41", "-dash", "~", "a.part", "\u{1F4C1}",
        ])
    func oddNames(name: String) async throws {
        let site = try makeSite()
        let manifest = "\(site.origin.url("/x"))\n  out=\(name)\n"
        #expect(try await site.sync(manifest).files.map(\.path) == [name])
        #expect(site.text(name) == "abc")
        #expect(try await site.sync(manifest).lines == ["skip unchanged 200 none"])
    }

    @Test(
        "layouts",
        arguments: [
            (Layout.name, "b.bin"), (.path, "dir/b.bin"), (.host, "127.0.0.1/dir/b.bin"),
        ])
    func layouts(layout: Layout, path: String) async throws {
        let site = try makeSite()
        let report = try await site.sync(paths: "/dir/b.bin") { $0.layout = layout }
        let found = try #require(report.files.first?.path)
        #expect(found.hasSuffix(path.split(separator: "/").last ?? "") && site.text(found) == "abc")
        #expect(layout == .host || found == path)
    }

    @Test("a file that is there under a link of its own is replaced, and its other name keeps the old bytes")
    func hardLink() async throws {
        let site = try makeSite()
        site.put("a", [1, 2, 3, 4], modified: 0)
        link("\(site.directory)/a", "\(site.folder)/other")
        #expect(try await site.file("/a").status == .done)
        #expect(site.text("a") == "abc")
        #expect(SyncFixture.read("\(site.folder)/other") == [1, 2, 3, 4])
    }
}
