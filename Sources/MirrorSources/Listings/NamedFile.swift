// What an index says of one file or folder by its bare name.

import MirrorCore
import MirrorURL

/// A name in the folder of an index.
struct NamedFile {
    /// What is wrong where nobody said which folder is listed.
    static let noBase = "its names are relative to the URL that it came from, which --base can say"

    var name: [UInt8]
    var isFolder: Bool
    var listed: ListedFacts
}

extension ListingDraft {
    /// Takes a file or folder by its name, which is one segment.
    mutating func add(_ file: NamedFile, _ names: NameResolver) {
        file.name.withUnsafeBytes { raw in
            let name = raw[...]
            let address = names.address(of: name, isFolder: file.isFolder)
            do throws(Failure) {
                if name.position(of: UInt8(ascii: "/")) != nil {
                    throw Failure(.unsafePath, "a name in the index is a path")
                }
                let path = try NameResolver.path(of: name)
                if file.isFolder {
                    addFolder(address, path: .success(path))
                } else {
                    add(address, at: path, listed: file.listed)
                }
            } catch {
                add(address, path: .failure(error), name: file.name)
            }
        }
    }
}
