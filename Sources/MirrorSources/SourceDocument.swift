// One document of a source on its way in. Its first bytes show its form; from then on the reader of that form takes
// what comes. A manifest or a report is read when it is whole, for it is refused whole.

import MirrorCore

/// What came out of a document.
package enum SourceContent: Sendable {
    /// A manifest or a saved report.
    case entries(ParsedSource)
    /// Anything that lists what is elsewhere.
    case listing(Listing)
}

/// Reads one document in pieces. Used once, by one thread at a time.
package final class SourceDocument {
    /// What is wanted.
    package enum Role: Sendable {
        /// Any form of source.
        case source(OnlyFilter?)
        /// A folder of an index, or a further part of a listing: nothing else may stand there.
        case folder
    }

    /// So many bytes show the form.
    private static let prologue = 65_536
    /// A manifest of a million lines has about a tenth of this, in bytes.
    package static let longestManifest = 1 << 30

    private let role: Role
    private let context: DocumentContext
    private var form: SourceForm?
    private var kept: [UInt8] = []
    private var isTooLong = false
    private var reader: (any DocumentReader)?

    /// - Parameter form: nil to find it from the content.
    package init(_ role: Role, form: SourceForm?, context: DocumentContext) {
        self.role = role
        self.form = form
        self.context = context
        if let form { reader = form.listingReader(context) }
    }

    /// Takes the next bytes.
    /// - Returns: false when no more can be taken.
    package func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let reader {
            reader.read(bytes)
            return true
        }
        guard kept.count + bytes.count <= Self.longestManifest else {
            isTooLong = true
            return false
        }
        kept.append(contentsOf: bytes)
        if form == nil, kept.count >= Self.prologue { findForm() }
        return true
    }

    /// - Parameter isWhole: whether it arrived to its end.
    package func finish(isWhole: Bool) -> SourceContent {
        if form == nil { findForm() }
        if let reader { return .listing(reader.finish(isWhole: isWhole)) }
        guard case .source(let only) = role else {
            return .listing(Listing(state: .failed("the page is no listing of files")))
        }
        guard !isTooLong else {
            return .entries(
                ParsedSource(
                    problem: "more than \(Self.longestManifest) bytes: no manifest is that large",
                    source: context.source))
        }
        return .entries(
            SourceReader.read(kept, form: form, layout: context.layout, source: context.source, only: only))
    }

    private func findForm() {
        let found = SourceForm.detect(kept)
        form = found
        guard let reader = found.listingReader(context) else { return }
        kept.withUnsafeBytes { reader.read($0) }
        kept = []
        self.reader = reader
    }
}

extension SourceForm {
    /// What reads a document of this form; nil for the forms that are read whole.
    func listingReader(_ context: DocumentContext) -> (any DocumentReader)? { nil }
}
