// Entries as a manifest: what it writes, the parser reads as the same entries. Secrets are not written.

import MirrorCore
import MirrorURL

/// Writes entries in the grammar of the manifest.
package enum ManifestWriter {
    /// Why an entry cannot be written: one sentence without final stop.
    package struct Problem: Error, Equatable {
        package let message: String
    }

    /// Appends the lines of an entry, each with its line end; nothing where it cannot be written.
    package static func append(_ entry: Entry, to text: inout [UInt8]) throws(Problem) {
        if let refusal = entry.options?.refusal { throw Problem(message: refusal.message) }
        let url = try shown(entry.address)
        let alternates = try entry.alternates.map { (address) throws(Problem) in try shown(address) }
        let path = try pathOption(of: entry)
        guard entry.options?.fields.isEmpty ?? true else {
            throw Problem(message: "it has header fields, which may be secrets and are never shown")
        }
        url.withBytes { text.append(contentsOf: $0) }
        for alternate in alternates {
            text.append(UInt8(ascii: "\t"))
            text += alternate.utf8
        }
        text.append(UInt8(ascii: "\n"))
        if let path { add(path.name, path.value, to: &text) }
        if let options = entry.options { add(options, to: &text) }
    }

    private static func shown(_ address: Address) throws(Problem) -> String {
        if Redaction.isPlain(address) { return address.text }
        let url = Redaction.text(of: address)
        guard !Redaction.hidesSomething(in: url) else {
            throw Problem(message: "its URL holds a secret, which is never shown; use --user, --netrc or --header")
        }
        return url
    }

    private static func add(_ options: EntryOptions, to text: inout [UInt8]) {
        add("checksum", options.checksum?.description, to: &text)
        add("size", options.size.map(String.init), to: &text)
        add("referer", options.referer, to: &text)
        add("user-agent", options.userAgent, to: &text)
        add("split", options.split.map(String.init), to: &text)
        add("etag", options.validators.etag?.text, to: &text)
        add("last-modified", options.validators.lastModified, to: &text)
    }

    /// What says the path, where the URL alone does not give it. A value loses the blanks around it, so that a name with
    /// such blanks can only come from its URL.
    private static func pathOption(of entry: Entry) throws(Problem) -> (name: String, value: String)? {
        guard let path = entry.path, !LocalName.isName(path, of: entry.address) else { return nil }
        let own = (try? LocalName.path(for: entry.address, layout: .name)) ?? nil
        if own == path { return nil }
        if isWritable(path.text[...]) { return ("out", path.text) }
        if let own, let folder = path.folder, own.text.utf8.elementsEqual(path.name.utf8), isWritable(folder) {
            return ("dir", String(folder))
        }
        throw Problem(message: "its path has blanks at an end, or a line end, which a manifest cannot hold")
    }

    private static func isWritable(_ value: Substring) -> Bool {
        guard let first = value.utf8.first, let last = value.utf8.last, first > 0x20, last > 0x20 else { return false }
        return value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func add(_ name: String, _ value: String?, to text: inout [UInt8]) {
        guard let value else { return }
        text += "  \(name)=\(value)\n".utf8
    }
}
