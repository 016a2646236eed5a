// Names that a volume takes for one: letters in two cases, or accents in two forms. Two entries of one file would take
// the name from each other in every run. What the volume does is found out elsewhere.

/// What a volume does not tell apart.
package struct NameFolding: Sendable, Equatable {
    /// «A» and «a».
    package var ignoresCase: Bool
    /// An accented letter in one code point, and the letter with a combining accent (NFC and NFD).
    package var ignoresForm: Bool

    /// What nearly all volumes of Linux do.
    package static let none = NameFolding()

    package init(ignoresCase: Bool = false, ignoresForm: Bool = false) {
        self.ignoresCase = ignoresCase
        self.ignoresForm = ignoresForm
    }

    /// Positions of the paths that are the file of an earlier one, each with that one's position.
    package func clashes(_ paths: [LocalPath?]) -> [(index: Int, first: Int)] {
        guard ignoresCase || ignoresForm else { return [] }
        var firsts: [Key: Int] = [:]
        var clashes: [(index: Int, first: Int)] = []
        for (index, path) in paths.enumerated() {
            guard let path else { continue }
            let key = key(of: path)
            if let first = firsts[key] {
                clashes.append((index, first))
            } else {
                firsts[key] = index
            }
        }
        return clashes
    }

    private enum Key: Hashable {
        case bytes([UInt8])
        /// Strings are equal in Swift when they are canonically equivalent.
        case text(String)
    }

    private func key(of path: LocalPath) -> Key {
        // Through capital letters, which some letters have in common that have no small one in common.
        let text = ignoresCase ? path.text.uppercased().lowercased() : path.text
        return ignoresForm ? .text(text) : .bytes(Array(text.utf8))
    }
}

extension Failure {
    package static func sameFile(as other: LocalPath) -> Failure {
        Failure(.conflict, "this volume takes the name for that of «\(other.text)», which comes first")
    }
}
