import MirrorCore
import MirrorSources

/// Short forms for the tests of this target.
func manifest(_ text: String, layout: Layout = .name) -> ParsedSource {
    ManifestParser(layout: layout, source: 2).parse(Array(text.utf8))
}

extension ParsedSource {
    var urls: [String] { entries.map(\.address.text) }
    var paths: [String?] { entries.map { $0.path?.text } }
    /// `line:column: message`
    var problemLines: [String] { problems.map { "\($0.place.line):\($0.column): \($0.message)" } }
    var warningLines: [String] { warnings.map { "\($0.place.line):\($0.column): \($0.message)" } }
}
