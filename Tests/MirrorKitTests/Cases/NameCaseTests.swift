// Class I of the failure cases: names that lead out, names that meet, names with odd bytes.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct NameCaseTests {
    private static let body = Body.text("abc")

    /// Serves the target as the body, so that a file tells what was asked for.
    private func makeSite() throws -> SyncFixture {
        let site = try SyncFixture()
        site.origin.serveOthers { Resource.plain(.text($0.target)).answer(to: $0) }
        return site
    }

    private func faults(_ site: SyncFixture, _ manifest: String) async throws -> [SourceFault] {
        do throws(SyncError) {
            _ = try await site.makeSync(manifest).run()
            Issue.record("a manifest with conflicts was taken")
            return []
        } catch {
            #expect(error.exitCode == .badUsage)
            guard case .badSource(let faults) = error else { throw error }
            return faults
        }
    }

    @Test(
        "C087 names that a server suggests: none leads out, and the other entries are done",
        arguments: [
            "../../.ssh/authorized_keys", "/etc/x", "..\\\\..\\\\x", "a/../../x", "..", ".mirror/state.sqlite",
        ])
    func suggested(name: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/good", .plain(Self.body))
        site.origin.serve("/bad") { request in
            var resource = Resource.plain(Self.body)
            resource.headers.append("Content-Disposition", "attachment; filename=\"\(name)\"")
            return resource.answer(to: request)
        }
        let report = try await site.sync(paths: "/bad", "/good") { $0.prefersSuggestedNames = true }
        #expect(SyncFixture.names(in: site.folder) == ["manifest.txt", "mirror"])
        #expect(report.files[1].status == .done && site.text("good") == "abc")
        let taken = SyncFixture.names(in: site.directory).filter { $0 != ".mirror" && $0 != "good" }
        if report.files[0].status == .failed {
            #expect(report.files[0].failure?.code == .unsafePath && taken == [])
            #expect(report.run.exitCode == .someFailed)
        } else {
            #expect(taken == [report.files[0].path] && report.run.exitCode == .inLine)
        }
        // By default the header does not count.
        #expect(try await site.sync(paths: "/bad").files[0].path == "bad")
    }

    @Test("C087 a folder that is a link to outside: refused, and nothing is written there")
    func linkOutside() async throws {
        let site = try makeSite()
        let outside = "\(site.folder)/outside"
        mkdir(outside, 0o755)
        mkdir(site.directory, 0o755)
        symlink(outside, "\(site.directory)/out")
        symlink("\(outside)/x", "\(site.directory)/file")
        let manifest = ["out/a", "file", "good"].enumerated()
            .map { "\(site.origin.url("/\($0.offset)"))\n  out=\($0.element)\n" }.joined()
        let report = try await site.sync(manifest)
        #expect(report.lines == ["fetch failed unsafe-path", "fetch failed unsafe-path", "fetch done 200 0-1"])
        #expect(report.run.exitCode == .someFailed)
        #expect(SyncFixture.names(in: outside) == [] && site.text("good") == "/2")
    }

    @Test(
        "C088 /blog and /blog/post in either order: an error that names both lines, nothing fetched",
        arguments: [true, false])
    func fileAndFolder(isFolderFirst: Bool) async throws {
        let site = try makeSite()
        let urls = ["/blog", "/blog/post"].map { site.origin.url($0) }
        let manifest = (isFolderFirst ? urls.reversed() : urls).joined(separator: "\n") + "\n"
        let sync = site.makeSync(manifest) { $0.layout = .path }
        do throws(SyncError) {
            _ = try await sync.run()
            Issue.record("the conflict was not seen")
        } catch {
            guard case .badSource(let faults) = error else { throw error }
            #expect(faults.map(\.line) == [2] && faults[0].message.contains("manifest.txt:1"))
        }
        #expect(site.origin.log.isEmpty && !site.exists("blog"))
    }

    @Test("C088 the tree has the other kind already: a conflict of that entry, and what is there stays")
    func otherKindThere() async throws {
        let site = try makeSite()
        site.put("blog/post", [1])
        site.put("notes", [2])
        let manifest = ["/blog", "/notes/new", "/good"].map { site.origin.url($0) + "\n" }.joined()
        let report = try await site.sync(manifest) { $0.layout = .path }
        #expect(report.run.exitCode == .someFailed)
        #expect(report.lines == ["fetch failed conflict", "fetch failed conflict", "fetch done 200 0-4"])
        #expect(site.bytes("blog/post") == [1] && site.bytes("notes") == [2] && site.text("good") == "/good")
    }

    @Test(
        "C091 a name of 252 bytes, interrupted and gone on: the part's name is no longer than that",
        arguments: [84, 85])
    func longName(letters: Int) async throws {
        let site = try SyncFixture()
        let body = Body.sized(300_000)
        let name = String(repeating: "\u{4E2D}", count: letters)
        site.origin.serve("/a", .plain(body, Faults { $0.delivery = .cut(after: 200_000) }))
        let manifest = "\(site.origin.url("/a"))\n  out=\(name)\n"
        let first = try await site.sync(manifest) {
            $0.retries = 0
            $0.split = 1
        }
        site.expect(first, .someFailed, partials: 1, Expected(name, "fetch failed 200 truncated", nil))
        site.origin.serve("/a", .plain(body))
        site.expect(try await site.sync(manifest), .inLine, Expected(name, "resume done 206 200000-299999", body))
    }

    @Test("C091 a name of 258 bytes: name-too-long with the number, and the rest goes on or the list is refused")
    func tooLongName() async throws {
        let site = try makeSite()
        let name = String(repeating: "\u{4E2D}", count: 86)
        let url = site.origin.url("/") + name
        do throws(SyncError) {
            let report = try await site.makeSync("\(url)\n\(site.origin.url("/good"))\n").run()
            #expect(
                report.files[0].failure?.code == .nameTooLong
                    && report.files[0].failure?.message.contains("258") == true)
            #expect(report.run.exitCode == .someFailed && site.text("good") == "/good")
        } catch {
            guard case .badSource(let faults) = error else { throw error }
            #expect(faults.count == 1 && faults[0].line == 1 && faults[0].message.contains("258"))
            #expect(error.exitCode == .badUsage && site.origin.log.isEmpty)
        }
    }

    @Test(
        "C092 two URLs for one name: an error for the later line",
        arguments: [("/a/0.jpg", "/b/0.jpg"), ("/get?id=1", "/get?id=2")])
    func twoURLs(first: String, second: String) async throws {
        let site = try makeSite()
        let faults = try await faults(site, "\(site.origin.url(first))\n\(site.origin.url(second))\n")
        #expect(faults.map(\.line) == [2] && faults[0].message.contains("manifest.txt:1"))
        #expect(site.origin.log.isEmpty)
    }

    @Test("C092 the same URL twice: fetched once")
    func sameURL() async throws {
        let site = try makeSite()
        let report = try await site.sync(paths: "/a", "/b", "/a")
        site.expect(
            report, .inLine, Expected("a", "fetch done 200 0-1", .text("/a")),
            Expected("b", "fetch done 200 0-1", .text("/b")))
        #expect(site.origin.log.count == 2)
    }

    @Test(
        "C093 C094 C097 what is asked for, and the name it gets",
        arguments: [
            ("/Now%20100%25%20better.mp3", "/Now%20100%25%20better.mp3", "Now 100% better.mp3"),
            ("/100%", "/100%25", "100%"), ("/%zz", "/%25zz", "%zz"), ("/a%4", "/a%254", "a%4"),
            ("/get?file=a.bin", "/get?file=a.bin", "get"), ("/what%3F.txt", "/what%3F.txt", "what?.txt"),
            ("/caf%E9.txt", "/caf%E9.txt", "caf%E9.txt"), ("/%E5%FB", "/%E5%FB", "%E5%FB"),
            ("/caf%C3%A9.txt", "/caf%C3%A9.txt", "caf\u{e9}.txt"),
        ])
    func names(written: String, asked: String, name: String) async throws {
        let site = try makeSite()
        let report = try await site.sync(paths: written)
        #expect(site.origin.log.map(\.target) == [asked])
        site.expect(
            report, .inLine, Expected(name, "fetch done 200 0-\(asked.utf8.count - 1)", .text(asked)))
        site.expect(
            try await site.sync(paths: written), .inLine, Expected(name, "skip unchanged 200 none", .text(asked)))
    }

    @Test("C097 names that repair would make one stay two")
    func unrepaired() async throws {
        let site = try makeSite()
        let report = try await site.sync(paths: "/%E9", "/%EF%BF%BD", "/%E8")
        #expect(report.run.exitCode == .inLine)
        #expect(report.files.map(\.path) == ["%E9", "\u{FFFD}", "%E8"])
        #expect(report.files.map { site.text($0.path) } == ["/%E9", "/%EF%BF%BD", "/%E8"])
    }

    @Test(
        "C098 Content-Disposition in its forms: one clean name, the same in every run",
        arguments: [
            ("attachment; filename*=UTF-8''A.7z; filename=\"A.7z\"", "A.7z"),
            ("attachment; filename*=UTF-8''file.txt;", "file.txt"),
            ("attachment; filename=\"caf\u{e9}.txt\"", "caf\u{e9}.txt"), ("inline; filename=plain.bin", "plain.bin"),
            ("attachment; filename*=iso-8859-1'fr'Fran%E7ais.txt", nil),
            ("attachment; filename=\"%EC%82%AC.jpg\"", nil),
            ("attachment", "x"), ("nonsense \"", "x"),
        ] as [(String, String?)])
    func disposition(field: String, name: String?) async throws {
        let site = try SyncFixture()
        site.origin.serve("/x") { request in
            var resource = Resource.plain(Self.body)
            resource.headers.append("Content-Disposition", field)
            return resource.answer(to: request)
        }
        let first = try await site.sync(paths: "/x") { $0.prefersSuggestedNames = true }
        let path = first.files[0].path
        #expect(name == nil || path == name)
        #expect(!path.contains(";") && !path.contains("\""))
        site.expect(first, .inLine, Expected(path, "fetch done 200 0-2", Self.body))
        let second = try await site.sync(paths: "/x") { $0.prefersSuggestedNames = true }
        site.expect(second, .inLine, Expected(path, "skip unchanged 200 none", Self.body))
    }
}
