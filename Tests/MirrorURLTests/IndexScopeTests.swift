import MirrorCore
import MirrorTestSupport
import MirrorURL
import Testing

/// What lies below an index.
struct IndexScopeTests {
    @Test(arguments: [
        ("http://h/pub/a.iso", "a.iso"),
        ("http://h/pub/sub/", "sub/"),
        ("http://h/pub/sub//", "sub/"),
        ("http://h/pub//sub/a", "sub/a"),
        ("http://h/pub/a%20b", "a b"),
        ("http://h/%70ub/a", "a"),
        ("http://h/pub/a?x=/y", "a"),
        ("http://h:80/pub/a", "a"),
        ("http://h/pub/caf%E9", "caf%E9"),
        ("http://h/pub/..%2fx", "..%2Fx"),
        ("http://h/pub/", "above"),
        ("http://h/pub", "above"),
        ("http://h/pub//", "above"),
        ("http://h/", "above"),
        ("http://h/pub/%2e%2e/x", "unsafe-path"),
        ("http://h/pub/.mirror/state.sqlite", "unsafe-path"),
        ("http://h/public/a", "outside"),
        ("http://h/a", "outside"),
        ("https://h/pub/a", "outside"),
        ("http://h:8080/pub/a", "outside"),
        ("http://other/pub/a", "outside"),
        ("http://h/PUB/a", "outside"),
    ])
    func `an address lies where its segments say`(_ url: String, _ expected: String) throws {
        let parser = URLParser()
        let scope = IndexScope(page: try parser.parse("http://h/pub/index.html?C=N"))
        #expect(scope.folder.text.hasSameBytes(as: "http://h/pub/"))
        let found =
            switch scope.position(of: try parser.parse(url)) {
            case .outside: "outside"
            case .atOrAbove: "above"
            case .below(.success(let path), let isFolder): path.text + (isFolder ? "/" : "")
            case .below(.failure(let failure), _): failure.code.rawValue
            }
        #expect(found.hasSameBytes(as: expected))
    }

    /// The quick way for plain names is no second parser: it must give what libcurl gives.
    @Test func `a plain name resolves as libcurl resolves it`() throws {
        let parser = URLParser()
        let folder = try parser.parse("http://u:p@h:8080/pub/x%20y/")
        // Not an index, so that the same reference goes through libcurl.
        let page = try parser.parse("http://u:p@h:8080/pub/x%20y/?")
        let alphabet = Array("ab.-_~%41%2f%2e%C3!$&'()*+,;=@/:?# é".unicodeScalars.map { String($0) })
        var numbers = SeededNumbers(seed: 41)
        for _ in 0..<20_000 {
            let reference = (0..<Int.random(in: 1...6, using: &numbers)).map { _ in
                alphabet.randomElement(using: &numbers) ?? "a"
            }.joined()
            let quick = Result { try parser.resolve(reference, against: folder).text }
            let slow = Result { try parser.resolve(reference, against: page).text }
            switch (quick, slow) {
            case (.success(let quick), .success(let slow)):
                // A query alone keeps the last segment, which is the `?` of the page here.
                #expect(quick.hasSameBytes(as: slow), "\(reference)")
            case (.failure, .failure): break
            default: Issue.record("\(reference): \(quick) and \(slow)")
            }
        }
    }
}
