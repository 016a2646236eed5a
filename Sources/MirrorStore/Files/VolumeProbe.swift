// Finds out which names DIR's volume takes for one. For letters in two cases a look at mirror's own folder is enough, or
// at anything else that is there: a dry run knows it too, but for a DIR that is empty or missing. For accents a file has
// to be made, which only a run may do.

import Glibc
import MirrorCore

/// Looks at the volume through what is there.
struct VolumeProbe {
    let root: Root
    /// Nil where no run has been.
    let mirror: Descriptor?
    let calls: SystemCalls

    private static let composed = "probe-\u{E9}"
    private static let decomposed = "probe-e\u{301}"

    /// - Parameter mayWrite: whether a file may be made for a moment.
    func folding(mayWrite: Bool) -> NameFolding {
        NameFolding(ignoresCase: ignoresCase, ignoresForm: mayWrite && ignoresForm)
    }

    /// What cannot be found out is not assumed: nothing replaces a file that the plan has not seen.
    private var ignoresCase: Bool {
        if let mirror, let own = try? calls.status(of: mirror.number) {
            let other = try? calls.status(
                LocalPath.reservedFolder.uppercased(), in: root.descriptor.number, followsLinks: true)
            return other.map { FileIdentity($0) == FileIdentity(own) } ?? false
        }
        guard let name = try? calls.firstName(in: root.descriptor.number, where: { Self.otherCase($0) != nil }),
            let other = Self.otherCase(name), let own = try? calls.status(name, in: root.descriptor.number),
            let found = try? calls.status(other, in: root.descriptor.number)
        else { return false }
        // A file may have two names of its own.
        return FileIdentity(own) == FileIdentity(found) && (own.kind == S_IFDIR || own.st_nlink == 1)
    }

    private static func otherCase(_ name: String) -> String? {
        [name.uppercased(), name.lowercased()].first { !$0.hasSameBytes(as: name) }
    }

    private var ignoresForm: Bool {
        guard let mirror,
            let file = try? calls.open(Self.composed, in: mirror.number, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600)
        else { return false }
        calls.close(file)
        defer { try? calls.remove(Self.composed, in: mirror.number) }
        return (try? calls.status(Self.decomposed, in: mirror.number)) != nil
    }
}
