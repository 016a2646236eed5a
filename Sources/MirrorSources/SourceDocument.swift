// One document of a source on its way in. It is unpacked where it is compressed; then its first bytes show its form, and
// from there on the reader of that form takes what comes. A manifest or a report is read when it is whole, for it is
// refused whole.

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
    private let unpacker = Unpacker()
    private var form: SourceForm?
    private var kept: [UInt8] = []
    private var isTooLong = false
    private var reader: (any DocumentReader)?

    /// - Parameter form: nil to find it from the content.
    package init(_ role: Role, form: SourceForm?, context: DocumentContext) {
        self.role = role
        self.form = form
        self.context = context
        reader = form?.listingReader(context)
    }

    /// Takes the next bytes.
    /// - Returns: false when no more can be taken.
    package func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unpacker.read(bytes) { take($0) }
        return !isTooLong
    }

    /// - Parameter isWhole: whether it arrived to its end.
    package func finish(isWhole: Bool) -> SourceContent {
        let end = unpacker.finish { take($0) }
        if form == nil { findForm() }
        if let reader {
            if case .source(.some) = role { return refusal("only a saved report can be read in part") }
            return .listing(reader.finish(isWhole: isWhole, unpacked: end))
        }
        guard case .source(let only) = role else {
            return .listing(Listing(state: .failed("the page is no listing of files")))
        }
        if isTooLong { return refusal("more than \(Self.longestManifest) bytes: no manifest is that large") }
        switch end {
        case .cut(let why), .refused(let why): return refusal(why)
        case .whole: break
        }
        // Half a manifest would be half a mirror.
        guard isWhole else { return refusal("it did not arrive to its end") }
        return .entries(
            SourceReader.read(kept, form: form, layout: context.layout, source: context.source, only: only))
    }

    private func refusal(_ why: String) -> SourceContent {
        .entries(ParsedSource(problem: why, source: context.source))
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        if let reader { return reader.read(bytes) }
        guard !isTooLong, kept.count + bytes.count <= Self.longestManifest else {
            isTooLong = true
            return
        }
        kept.append(contentsOf: bytes)
        if form == nil, kept.count >= Self.prologue { findForm() }
    }

    private func findForm() {
        let found = SourceForm.detect(kept)
        form = found
        // A proxy answers for an FTP server with a page of its own; the server itself with text.
        let isList = found == .manifest && context.address.map { $0.isFTP && $0.isIndex } == true
        guard let reader = isList ? FTPListReader(context: context) : found.listingReader(context) else { return }
        kept.withUnsafeBytes { reader.read($0) }
        kept = []
        self.reader = reader
    }
}

extension SourceForm {
    /// What reads a document of this form; nil for the forms that are read whole.
    func listingReader(_ context: DocumentContext) -> (any DocumentReader)? {
        switch self {
        case .manifest, .report: nil
        case .html: HTMLListingReader(context: context)
        case .xml, .metalink, .dav: XMLListingReader(context: context)
        case .json: JSONListingReader(context: context)
        case .sums: SumsReader(context: context)
        }
    }
}
