// What the references of one document are resolved against.

import MirrorCore
import MirrorURL

/// Resolves references; one for each document.
final class ReferenceFrame {
    /// The URL of the document.
    let page: Address?
    private let parser = URLParser()

    init(page: Address?) { self.page = page }

    /// The address of a reference, with white space around it; nil where it is none that can be fetched.
    /// - Parameter base: what it is relative to, in place of the document's own URL.
    func resolve(_ reference: some BidirectionalCollection<UInt8>, base: Address? = nil) -> Address? {
        let bytes = Array(reference.trimmed)
        guard !bytes.isEmpty else { return nil }
        let address: Address? = bytes.withUnsafeBytes { raw in
            if let base = base ?? page { return try? parser.resolve(bytes: raw[...], against: base) }
            return try? parser.parse(bytes: raw[...])
        }
        // What comes from the net does not name files of this machine.
        if let address, address.origin.scheme == "file", page?.origin.scheme != "file" { return nil }
        return address
    }
}
