// Which C libraries are at work, for bug reports.

import MirrorSources
import MirrorStore
import MirrorTransport

/// The libraries that are loaded, which need not be those that mirror was built with.
public enum LibraryVersions {
    /// One line each, such as `SQLite/3.40.1`.
    public static var lines: [String] {
        [libcurlVersion, "libxml2/\(xmlLibraryVersion)", "SQLite/\(sqliteVersion)"]
    }
}
