// Where a folder lies, seen from another one: what the two paths lead to is compared, not how they are written. Neither
// has to exist yet.

/// Where a folder lies, seen from another one.
package enum FolderPlace: Sendable, Equatable {
    case same
    /// In the other one or deeper, by its path from there.
    case inside(String)
    /// The other one lies in it.
    case above
    case elsewhere

    /// Where `path` lies, seen from `base`. Symbolic links are followed as far as there are folders.
    package init(of path: String, from base: String) {
        let own = Self.segments(path), other = Self.segments(base)
        if own == other {
            self = .same
        } else if own.starts(with: other) {
            self = .inside(own.dropFirst(other.count).joined(separator: "/"))
        } else {
            self = other.starts(with: own) ? .above : .elsewhere
        }
    }

    private static func segments(_ path: String) -> [Substring] {
        var missing: [Substring] = []
        var there = path.hasPrefix("/") ? path : "./\(path)"
        while true {
            if let real = realPath(there) {
                return missing.reversed().reduce(into: real.split(separator: "/")) { resolve($1, &$0) }
            }
            let parts = there.split(separator: "/")
            guard let last = parts.last else { return missing.reversed() }
            missing.append(last)
            there = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
        }
    }

    private static func resolve(_ segment: Substring, _ path: inout [Substring]) {
        switch segment {
        case ".": break
        case "..": _ = path.popLast()
        default: path.append(segment)
        }
    }
}
