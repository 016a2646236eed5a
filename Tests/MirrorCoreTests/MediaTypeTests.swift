// When a web page is not a file: HEAD, the record, or the ending of the name says otherwise.

import MirrorCore
import Testing

@Suite struct MediaTypeTests {
    @Test(
        arguments: [
            ("a.zip", nil, true), ("a.ZIP", nil, true), ("a.tar.gz", nil, true), ("a.jpg", nil, true),
            (".iso", nil, true),
            ("a.zip", "", true), ("a.zip", "application/zip", true),
            ("a.zip", "text/html", true),
            ("a.html", nil, false), ("a.htm", nil, false), ("a", nil, false), ("", nil, false), ("zip", nil, false),
            ("a.", nil, false), ("a.zip.html", nil, false), ("a.php", nil, false), ("a.zi\u{307}p", nil, false),
            ("a.html", "text/html", false), ("a", "text/html", false), ("a", "application/xhtml+xml", false),
            ("a.html", "application/zip", true), ("a", "application/octet-stream", true), ("a", "text/plain", true),
        ] as [(String, String?, Bool)])
    func refusesHTML(_ row: (name: String, earlier: String?, expected: Bool)) {
        #expect(MediaType.refusesHTML(name: Substring(row.name), earlier: row.earlier) == row.expected)
    }

    @Test(arguments: [
        ("text/html", true), ("application/xhtml+xml", true), ("text/plain", false), ("", false), ("text/htmlx", false),
    ])
    func isWebPage(_ row: (type: String, expected: Bool)) {
        #expect(MediaType.isWebPage(row.type) == row.expected)
    }
}
