// Where removed files may be kept. A backup that a run mirrors over, or that goes with `.mirror`, is none.

import MirrorCore
import MirrorStore

extension SyncOptions {
    /// Why removed files cannot be kept in `backupDirectory`; nil where they can, or where there is none. One sentence
    /// without final stop.
    ///
    /// As with rsync, a folder inside DIR is a backup only where a filter keeps the sources out of it: else what a source
    /// names below that folder would take the place of what was kept.
    var backupProblem: String? {
        guard removal != nil, let backupDirectory else { return nil }
        switch FolderPlace(of: backupDirectory, from: directory) {
        case .elsewhere: return nil
        case .same: return "--backup-dir is DIR itself: name another folder"
        case .above: return "DIR lies in --backup-dir, which would mix what is kept with what is mirrored"
        case .inside(let path):
            if path.split(separator: "/").first.map(String.init) == LocalPath.reservedFolder {
                return "--backup-dir lies in DIR/.mirror, which may be deleted at any time: name another folder"
            }
            guard selection.mayWant(below: path) else { return nil }
            return "--backup-dir lies in DIR, where files are mirrored: name another folder, "
                + "or add --exclude '/\(path)/'"
        }
    }
}
