// The forms of a source that are read whole: every fault in them is found before anything is fetched.

import MirrorCore
import MirrorURL

/// Reads manifests and saved reports.
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
        case .html, .xml, .json, .dav, .metalink, .sums:
            return ParsedSource(problem: "a listing (\(form.rawValue)) is no list of entries", source: source)
        }
    }
}
