// What a request may carry on its way through redirects: the user's log-in, header fields and cookies belong to the origin
// that they were given for, there and back again, and to no other.

import MirrorKit
import MirrorTestSupport
import Testing

struct CredentialTests {
    private static let body = Body.sized(30_000)
    private static let secret = "Basic bWU6d29yZA=="

    /// Where a redirect leads.
    enum Hop: String, Sendable {
        case here, otherPort, otherHost, relative
    }

    /// How a secret is given.
    enum Way: String, Sendable, CaseIterable {
        case user, inURL, header, cookie, entryHeader, netrc
    }

    /// What the secret is for.
    private static func field(of way: Way) -> String { way == .cookie ? "Cookie" : "Authorization" }

    /// Two origins on one host and port, and a third beside them, and a chain of redirects over them.
    private struct Chain {
        let site: SyncFixture
        let other: WickedOrigin
        let places: [Hop]

        init(_ hops: [Hop]) throws {
            site = try SyncFixture()
            other = try WickedOrigin()
            var place = Hop.here
            var places = [Hop.here]
            for hop in hops {
                place = hop == .relative ? place : hop
                places.append(place)
            }
            self.places = places
            let targets = hops.enumerated().map { [site, other] index, hop in
                switch hop {
                case .here: site.origin.url("/\(index + 1)")
                case .otherHost: site.origin.url("/\(index + 1)", host: "localhost")
                case .otherPort: other.url("/\(index + 1)")
                case .relative: "/\(index + 1)"
                }
            }
            for origin in [site.origin, other] {
                origin.serveOthers { request in
                    guard let index = Int(request.target.dropFirst()), index < targets.count else {
                        return Resource.plain(CredentialTests.body).answer(to: request)
                    }
                    return .redirect(to: targets[index])
                }
            }
        }

        /// For each hop whether all of its requests had the field.
        func carried(_ name: String, _ value: String) -> [Bool] {
            places.indices.map { index in
                let requests = (site.origin.log + other.log).filter { $0.target == "/\(index)" }
                return !requests.isEmpty && requests.allSatisfy { $0.headers[name] == value }
            }
        }
    }

    @Test(
        "a secret goes to the origin it was given for, however it was given",
        arguments: Way.allCases,
        [
            [.here], [.relative], [.otherPort], [.otherHost], [.otherPort, .relative], [.otherHost, .here],
            [.otherPort, .here], [.otherHost, .otherPort, .here, .relative], [.here, .here, .otherHost],
        ] as [[Hop]])
    func chain(way: Way, hops: [Hop]) async throws {
        let chain = try Chain(hops)
        let site = chain.site
        let value = way == .cookie ? "id=1" : Self.secret
        let field = try #require(HeaderField(parsing: "\(Self.field(of: way)): \(value)"))
        let url = site.origin.url("/0", host: way == .inURL ? "me:word@127.0.0.1" : nil)
        let own = way == .entryHeader ? "  header=Authorization: \(value)\n" : ""
        site.write(Array("machine 127.0.0.1 login me password word\n".utf8), to: "\(site.folder)/netrc")
        let report = try await site.sync("\(url)\n  out=a.bin\n\(own)") {
            switch way {
            case .user: $0.transport.user = "me:word"
            case .header, .cookie: $0.transport.fields = [field]
            case .netrc: $0.transport.netrcFile = "\(site.folder)/netrc"
            case .inURL, .entryHeader: break
            }
        }
        #expect(report.files.first?.status == .done, "\(report.files.first?.failure?.message ?? "")")
        #expect(site.holds("a.bin", Self.body))
        // netrc names hosts, not ports.
        let allowed: [Hop] = way == .netrc ? [.here, .otherPort] : [.here]
        #expect(chain.carried(Self.field(of: way), value) == chain.places.map { allowed.contains($0) })
    }

    @Test("from https to http: refused, and nothing is sent there")
    func downgrade() async throws {
        let chain = try Chain([])
        let front = try TLSFront(http1: chain.site.origin.port)
        let target = chain.other.url("/stolen")
        chain.site.origin.serve("/a.bin") { _ in .redirect(to: target) }
        let field = try #require(HeaderField(parsing: "Cookie: id=1"))
        let report = try await chain.site.sync("\(front.url("/a.bin"))\n") {
            $0.transport.caFile = front.certificate
            $0.transport.user = "me:word"
            $0.transport.fields = [field]
        }
        #expect(report.files.first?.failure?.code == .unsupported)
        #expect(chain.other.log.isEmpty && chain.other.acceptedConnections == 0)
        #expect(chain.site.origin.log.allSatisfy { $0.headers["Authorization"] == Self.secret })
    }

    @Test("an alternate elsewhere gets nothing of what was given for the first")
    func alternates() async throws {
        let chain = try Chain([])
        chain.site.origin.serve("/gone") { _ in .status(404) }
        let first = chain.site.origin.url("/gone", host: "you:key@127.0.0.1")
        let second = chain.other.url("/a.bin")
        let report = try await chain.site.sync("\(first)\t\(second)\n  header=X-Key: 1\n  out=a.bin\n")
        #expect(report.files.first?.status == .done)
        #expect(chain.site.origin.log.allSatisfy { $0.headers["X-Key"] == "1" && $0.headers["Authorization"] != nil })
        #expect(!chain.other.log.isEmpty)
        #expect(chain.other.log.allSatisfy { $0.headers["X-Key"] == nil && $0.headers["Authorization"] == nil })

        try await chain.site.sync("\(first)\t\(chain.other.url("/b.bin"))\n  out=b.bin\n") {
            $0.transport.user = "me:word"
        }
        let requests = chain.other.requests(for: "/b.bin")
        #expect(!requests.isEmpty && requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test(
        "IPv6 literals: fetched, redirected to, and an origin of their own",
        .enabled(if: WickedOrigin.canUseIPv6, "LEFT OUT: this machine has no ::1"), arguments: [true, false])
    func ipv6(startsThere: Bool) async throws {
        let site = try SyncFixture()
        let six = try WickedOrigin(onIPv6: true)
        let (first, second) = startsThere ? (six, site.origin) : (site.origin, six)
        let (target, near) = (second.url("/target"), first.url("/whole"))
        first.serve("/whole", .plain(Self.body))
        first.serve("/away") { _ in .redirect(to: target) }
        first.serve("/near") { _ in .redirect(to: near) }
        second.serve("/target", .plain(Self.body))
        let report = try await site.sync(["/whole", "/away", "/near"].map { first.url($0) + "\n" }.joined()) {
            $0.transport.user = "me:word"
        }
        #expect(report.run.exitCode == .inLine, "\(report.files.compactMap(\.failure))")
        #expect(["whole", "away", "near"].allSatisfy { site.holds($0, Self.body) })
        #expect(first.log.allSatisfy { $0.headers["Authorization"] == Self.secret })
        #expect(second.log.allSatisfy { $0.headers["Authorization"] == nil })
    }
}
