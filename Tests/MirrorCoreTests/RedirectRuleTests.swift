// Where a redirect may lead: never from https to http, never to a local file, 20 at most.

import MirrorCore
import Testing

@Suite struct RedirectRuleTests {
    @Test(
        arguments: [
            ("http", "http", nil), ("http", "https", nil), ("https", "https", nil),
            ("https", "http", .unsupported), ("https", "ftp", .unsupported), ("https", "file", .unsupported),
            ("http", "file", .unsupported), ("http", "ftp", .unsupported), ("http", "sftp", .unsupported),
            ("ftp", "file", .unsupported), ("ftp", "ftp", nil), ("file", "file", .unsupported),
        ] as [(String, String, FailureCode?)])
    func schemes(_ row: (from: String, to: String, code: FailureCode?)) {
        let from = address("\(row.from)://a.example/x"), to = address("\(row.to)://b.example/y")
        #expect(RedirectRule.refusal(from: from, to: to, count: 0)?.code == row.code)
    }

    @Test(arguments: [(0, nil), (19, nil), (20, .tooManyRedirects), (21, .tooManyRedirects)] as [(Int, FailureCode?)])
    func counts(_ row: (count: Int, code: FailureCode?)) {
        let address = address("http://a.example/x")
        #expect(RedirectRule.refusal(from: address, to: address, count: row.count)?.code == row.code)
    }

    @Test(arguments: 200..<600)
    func statuses(_ status: Int) {
        #expect(RedirectRule.isRedirect(status) == [301, 302, 303, 307, 308].contains(status))
    }
}
