// The one door to all forms of source. Bytes in, entries out; where the bytes come from is nobody's business here.

import MirrorCore
import MirrorURL

/// Reads a source of any form that this version knows.
package enum SourceReader {
    /// - Parameters:
    ///   - form: the form, or nil to find it from the content.
    ///   - source: which of the given sources this is, from 0.
    ///   - only: which files of a saved report are wanted.
    package static func read(
        _ bytes: [UInt8], form: SourceForm? = nil, layout: Layout, source: Int = 0, only: OnlyFilter? = nil
    ) -> ParsedSource {
        let form = form ?? SourceForm.detect(bytes)
        if only != nil, form != .report {
            return ParsedSource(problem: "only a saved report can be read in part", source: source)
        }
        switch form {
        case .manifest: return ManifestParser(layout: layout, source: source).parse(bytes)
        case .report: return ReportParser(layout: layout, source: source, only: only).parse(bytes)
        case .html, .xml, .json, .dav: return refusal("index pages (\(form.rawValue))", source)
        case .metalink: return refusal("Metalink files", source)
        case .sums: return refusal("checksum lists", source)
        }
    }

    private static func refusal(_ what: String, _ source: Int) -> ParsedSource {
        ParsedSource(problem: "\(what) cannot be read by this version", source: source)
    }
}
