// Finds out which names DIR's volume takes for one. For letters in two cases a look at mirror's own folder is enough,
// so that a dry run knows too; for accents a file has to be made, which only a run may do.

import Glibc
import MirrorCore

/// Looks at the volume through mirror's own folder.
struct VolumeProbe {
    let root: Root
    let mirror: Descriptor
    let calls: SystemCalls

    private static let composed = "probe-\u{E9}"
    private static let decomposed = "probe-e\u{301}"

    /// - Parameter mayWrite: whether a file may be made for a moment.
    func folding(mayWrite: Bool) -> NameFolding {
        NameFolding(ignoresCase: ignoresCase, ignoresForm: mayWrite && ignoresForm)
    }

    /// What cannot be found out is not assumed: nothing replaces a file that the plan has not seen.
    private var ignoresCase: Bool {
        guard let own = try? calls.status(of: mirror.number),
            let other = try? calls.status(
                LocalPath.reservedFolder.uppercased(), in: root.descriptor.number, followsLinks: true)
        else { return false }
        return FileIdentity(own) == FileIdentity(other)
    }

    private var ignoresForm: Bool {
        guard let file = try? calls.open(Self.composed, in: mirror.number, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600)
        else { return false }
        calls.close(file)
        defer { try? calls.remove(Self.composed, in: mirror.number) }
        return (try? calls.status(Self.decomposed, in: mirror.number)) != nil
    }
}
