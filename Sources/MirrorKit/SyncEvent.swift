// What a running sync tells while it runs.

import MirrorCore

/// One thing that happened.
public enum SyncEvent: Sendable {
    /// Something in a source was passed over.
    case warning(SourceFault)
    /// Everything is decided: so many entries, so many bytes known to be fetched.
    case planned(files: Int, bytesToFetch: Int64)
    /// An entry's transfer began.
    case started(path: String)
    /// An entry has ended.
    case finished(FileReport)
}
