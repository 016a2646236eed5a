// One file of a package repository: where it is, its size and its checksum.

import MirrorCore
import MirrorURL

/// A file that repository metadata describe.
struct PackageFile {
    var href: [UInt8]?
    var size: Int64?
    var checksum: Checksum?

    /// Takes a checksum; `sha` is SHA-1 there. Of unknown types nothing is kept.
    mutating func take(hex: [UInt8], type: [UInt8]?) {
        guard let type else { return }
        let name = String(decoding: type, as: UTF8.self)
        let algorithm = name.equalsIgnoringASCIICase("sha") ? .sha1 : ChecksumAlgorithm(named: name)
        guard let algorithm else { return }
        checksum = try? Checksum(algorithm: algorithm, hex: String(decoding: hex.trimmed, as: UTF8.self))
    }

    /// What the entry promises; nil where it is nothing.
    var options: EntryOptions? {
        size == nil && checksum == nil ? nil : EntryOptions(checksum: checksum, size: size)
    }
}

/// The folder of a repository: its metadata lie in `repodata/` below it, and all references are relative to it.
struct RepositoryRoot {
    let address: Address?
    private let scope: IndexScope?

    init(document: Address?) {
        guard let document else {
            address = nil
            scope = nil
            return
        }
        let folder = document.folder
        let isData =
            folder.path.utf8.dropLast().split(separator: UInt8(ascii: "/")).last?
            .elementsEqual("repodata".utf8) ?? false
        let root = isData ? folder.parentFolder : folder
        address = root
        scope = IndexScope(page: root)
    }

    /// The path of a file of the repository; where it lies elsewhere, the one that the layout gives.
    func path(of address: Address, layout: Layout) -> Result<LocalPath?, Failure> {
        if let scope, case .below(let path, _) = scope.position(of: address) { return path.map { $0 } }
        return ListingDraft.path(of: address, layout: layout)
    }
}
