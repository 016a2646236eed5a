// The versions of mirror and of what it stands on.

import MirrorKit

/// What `--version` prints.
enum VersionText {
    static var text: String {
        (["mirror \(MirrorVersion.current)"] + LibraryVersions.lines).map { $0 + "\n" }.joined()
    }
}
