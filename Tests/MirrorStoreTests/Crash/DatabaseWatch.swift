// SQLite's own writes, handed to the recorders that care for the folder they are in. The VFS that shows them is the
// default one from the first recorder on; a database in no recorder's folder is not touched by it.

import CSQLite
import CSQLiteWatch
import MirrorThreads

/// The recorders of this process.
enum DatabaseWatch {
    /// What SQLite did to a file.
    enum Change {
        case made
        case written(offset: Int, bytes: [UInt8])
        case truncated(size: Int)
        case synced(before: Int)
        case folderSynced(before: Int)
        case removed
    }

    private static let recorders = Locked<[String: DiskRecorder]>([:])
    private static let installed = mirror_watch_sqlite(watcher)

    private static let refusals = Locked<[String: Int32]>([:])

    /// The next opening of that file gives this result code.
    static func refuse(_ path: String, _ code: Int32) {
        precondition(installed == SQLITE_OK)
        refusals.withLock { $0[path] = code }
    }

    static func add(_ recorder: DiskRecorder) {
        precondition(installed == SQLITE_OK)
        recorders.withLock { $0[recorder.folder] = recorder }
    }

    static func remove(_ recorder: DiskRecorder) { recorders.withLock { $0[recorder.folder] = nil } }

    private static let watcher: mirror_watcher = { event, path, bytes, number, count in
        guard let path else { return 0 }
        let text = String(cString: path)
        if Int(event) == MIRROR_WATCH_OPENING { return Int64(refusals.withLock { $0.removeValue(forKey: text) } ?? 0) }
        let recorder = recorders.withLock { recorders in recorders.first { text.hasPrefix($0.key + "/") }?.value }
        guard let recorder else { return 0 }
        switch Int(event) {
        case MIRROR_WATCH_MADE: recorder.didChangeDatabase(.made, text)
        case MIRROR_WATCH_WRITTEN:
            let copy = Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            recorder.didChangeDatabase(.written(offset: Int(number), bytes: copy), text)
        case MIRROR_WATCH_TRUNCATED: recorder.didChangeDatabase(.truncated(size: Int(number)), text)
        case MIRROR_WATCH_SYNC_BEGINS: return Int64(recorder.willSync())
        case MIRROR_WATCH_SYNCED: recorder.didChangeDatabase(.synced(before: Int(number)), text)
        case MIRROR_WATCH_FOLDER_SYNCED: recorder.didChangeDatabase(.folderSynced(before: Int(number)), text)
        case MIRROR_WATCH_REMOVED: recorder.didChangeDatabase(.removed, text)
        default: break
        }
        return 0
    }
}
