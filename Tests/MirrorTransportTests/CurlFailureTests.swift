// Every code that libcurl 7.88 can end a transfer with, in the words of the contract (SPEC sections 4 and 5, C165).

import CCurl
import MirrorCore
import MirrorTransport
import Testing

struct CurlFailureTests {
    /// Code, failure, whether it is tried again; then the same where bytes had come, if that makes a difference.
    private static let table: [(Int32, FailureCode, Bool)] = [
        (1, .unsupported, false), (2, .io, false), (3, .unsupported, false), (4, .unsupported, false),
        (5, .resolve, true), (6, .resolve, true), (7, .connect, true), (8, .http, true), (9, .forbidden, false),
        (10, .connect, true), (11, .http, true), (12, .connect, true), (13, .http, true), (14, .http, true),
        (15, .connect, true), (16, .connect, true), (17, .http, false), (18, .truncated, true), (19, .notFound, false),
        (21, .http, false), (22, .http, false), (23, .io, false), (25, .http, false), (26, .io, false),
        (27, .http, false), (28, .timeout, true), (30, .connect, true), (31, .range, true), (33, .range, true),
        (34, .http, false), (35, .tls, true), (36, .range, true), (37, .notFound, false), (38, .http, false),
        (39, .http, false), (41, .http, false), (42, .http, false), (43, .http, false), (45, .connect, false),
        (47, .tooManyRedirects, false), (48, .http, false), (49, .http, false), (52, .connect, true),
        (53, .tls, false), (54, .tls, false), (55, .connect, true), (56, .connect, true), (58, .tls, false),
        (59, .tls, false), (60, .tls, false), (61, .http, true), (63, .http, false), (64, .tls, false),
        (65, .http, false), (66, .tls, false), (67, .unauthorized, false), (68, .notFound, false),
        (69, .http, false), (70, .http, false), (71, .http, false), (72, .http, false), (73, .http, false),
        (74, .http, false), (77, .tls, false), (78, .notFound, false), (79, .connect, true), (80, .connect, true),
        (81, .connect, true), (82, .tls, false), (83, .tls, false), (84, .http, false), (85, .http, false),
        (86, .http, false), (87, .http, false), (88, .http, false), (89, .connect, true), (90, .tls, false),
        (91, .tls, false), (92, .connect, true), (93, .http, false), (94, .unauthorized, false), (95, .connect, true),
        (96, .connect, true), (97, .connect, true), (98, .tls, false), (99, .io, false),
    ]

    private func end(_ code: Int32, received: Int64 = 0, ftp: Int = 0, tunnel: Int = 0) -> Failure {
        var end = CurlEnd(CURLcode(rawValue: UInt32(code)), "words")
        end.received = received
        end.ftpReply = ftp
        end.tunnelReply = tunnel
        return .curl(end)
    }

    @Test("every code, before the first byte", arguments: table)
    func before(row: (code: Int32, failure: FailureCode, isTransient: Bool)) {
        let failure = end(row.code)
        #expect(failure.code == row.failure && failure.isTransient == row.isTransient, "\(row.code): \(failure)")
        // Some have a sentence of mirror's own.
        #expect(failure.message.hasSuffix("words") || [27, 52].contains(row.code), "\(failure.message)")
    }

    @Test("every code, within a body: what may pass is tried again, and nothing new becomes final", arguments: table)
    func within(row: (code: Int32, failure: FailureCode, isTransient: Bool)) {
        let failure = end(row.code, received: 1)
        #expect(failure.isTransient || !row.isTransient)
        if failure.code != row.failure { #expect(failure.code == .truncated && failure.isTransient) }
    }

    @Test(
        "C165: these pass, before the first byte and after it",
        arguments: [7, 16, 18, 28, 35, 52, 55, 56, 92, 95] as [Int32])
    func transient(code: Int32) {
        #expect(end(code).isTransient && end(code, received: 1).isTransient)
    }

    @Test("a connection that ends within a body is `truncated`", arguments: [16, 18, 55, 56, 92, 95] as [Int32])
    func truncated(code: Int32) { #expect(end(code, received: 1).code == .truncated) }

    @Test("the table leaves out no code that this libcurl knows")
    func complete() {
        let unused = Set([0, 20, 24, 29, 32, 40, 44, 46, 50, 51, 57, 62, 75, 76] as [Int32])
        let known = Set(Self.table.map(\.0)).union(unused)
        #expect(Set(0..<100).subtracting(known) == [])
    }

    @Test(
        "FTP replies: the first digit says whether it may pass (RFC 959 section 4.2.1)",
        arguments: [
            (8, 421, .connect, true), (28, 421, .connect, true), (67, 421, .connect, true),
            (67, 530, .unauthorized, false),
            (19, 450, .http, true), (19, 451, .http, true), (19, 425, .connect, true), (19, 426, .connect, true),
            (78, 550, .notFound, false), (19, 550, .notFound, false), (19, 553, .http, false),
            (9, 550, .forbidden, false), (31, 502, .range, true), (28, 226, .timeout, true),
            (18, 426, .truncated, true),
        ] as [(Int32, Int, FailureCode, Bool)])
    func ftp(row: (code: Int32, reply: Int, failure: FailureCode, isTransient: Bool)) {
        let failure = end(row.code, ftp: row.reply)
        #expect(failure.code == row.failure && failure.isTransient == row.isTransient, "\(failure)")
    }

    @Test(
        "what a proxy answers to CONNECT",
        arguments: [
            (400, .connect, false), (403, .connect, false), (404, .connect, false), (407, .unauthorized, false),
            (429, .connect, true), (500, .connect, true), (502, .connect, true), (503, .connect, true),
            (504, .connect, true),
        ] as [(Int, FailureCode, Bool)])
    func tunnel(row: (status: Int, failure: FailureCode, isTransient: Bool)) {
        let failure = end(56, tunnel: row.status)
        #expect(failure.code == row.failure && failure.isTransient == row.isTransient, "\(failure)")
        #expect(failure.message.contains("proxy") && failure.message.contains("\(row.status)"))
        #expect(end(56, tunnel: 200).message == "words")
    }
}
