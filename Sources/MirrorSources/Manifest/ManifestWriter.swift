// Entries as a manifest: what it writes, the parser reads as the same entries. Secrets are not written.

import MirrorCore
import MirrorURL

/// Writes entries in the grammar of the manifest.
package enum ManifestWriter {
    /// Why an entry cannot be written: one sentence without final stop.
    package struct Problem: Error, Equatable {
        package let message: String
    }

    /// The lines of an entry, each with its line end.
    package static func lines(of entry: Entry) throws(Problem) -> String {
        if let refusal = entry.options?.refusal { throw Problem(message: refusal.message) }
        // Alternates are the same file: the other reading of a name need not be.
        let urls = ([entry.address] + entry.alternates).map { Redaction.text(of: $0) }
        guard urls.allSatisfy({ !Redaction.hidesSomething(in: $0) }) else {
            throw Problem(message: "its URL holds a secret, which is never shown; use --user, --netrc or --header")
        }
        var text = urls.joined(separator: "\t") + "\n"
        if let path = entry.path { try add(path, of: entry.address, to: &text) }
        guard let options = entry.options else { return text }
        guard options.fields.isEmpty else {
            throw Problem(message: "it has header fields, which may be secrets and are never shown")
        }
        add("checksum", options.checksum?.description, to: &text)
        add("size", options.size.map(String.init), to: &text)
        add("referer", options.referer, to: &text)
        add("user-agent", options.userAgent, to: &text)
        add("split", options.split.map(String.init), to: &text)
        add("etag", options.validators.etag?.text, to: &text)
        add("last-modified", options.validators.lastModified, to: &text)
        return text
    }

    /// The path, where the URL alone does not give it. A value loses the blanks around it, so that a name with such
    /// blanks can only come from its URL.
    private static func add(_ path: LocalPath, of address: Address, to text: inout String) throws(Problem) {
        let own = (try? LocalName.path(for: address, layout: .name)) ?? nil
        if own == path { return }
        if isWritable(path.text[...]) {
            add("out", path.text, to: &text)
        } else if let own, let folder = path.folder, own.text.utf8.elementsEqual(path.name.utf8), isWritable(folder) {
            add("dir", String(folder), to: &text)
        } else {
            throw Problem(message: "its path has blanks at an end, or a line end, which a manifest cannot hold")
        }
    }

    private static func isWritable(_ value: Substring) -> Bool {
        guard let first = value.utf8.first, let last = value.utf8.last, first > 0x20, last > 0x20 else { return false }
        return value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func add(_ name: String, _ value: String?, to text: inout String) {
        guard let value else { return }
        text += "  \(name)=\(value)\n"
    }
}
