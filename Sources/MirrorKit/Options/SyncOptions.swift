// What a user can say about a sync. Names and meanings are those of the command's options.

import MirrorCore
import MirrorSources
import MirrorTransport

/// Everything that decides what `Sync` does.
public struct SyncOptions: Sendable {
    /// Paths, URLs, or `-` for standard input.
    public var sources: [String]
    /// The form of the sources; nil finds it from the content.
    public var form: SourceForm?
    /// Where a local index file or one from standard input came from: its links are resolved against it.
    public var base: String?
    /// How many levels of folders of an index are read: 1 is the page alone; nil for all.
    public var depth: Int?
    /// Files of which the index gives exact size and time, and that agree with both, are not asked for.
    public var trustsIndex = false
    /// Which entries are wanted.
    public var selection = Selection()
    /// Entries that take their names after all others, and not at all if one of those failed.
    public var lastPatterns: [GlobPattern] = []
    /// Removes files that mirror once fetched and that the sources no longer name; nil for never.
    public var removal: RemovalPolicy?
    /// Where removed files are kept, under the paths that they had below DIR; nil to let them go. A relative path starts
    /// at the folder the process is in, not at DIR as with rsync. It cannot be DIR, nor a folder that DIR lies in, nor one
    /// in `.mirror`; a folder inside DIR has to be excluded by `selection`.
    public var backupDirectory: String?
    /// Which files of a saved report are taken; nil for all. Only for sources that are reports.
    public var only: OnlyFilter?
    /// DIR.
    public var directory = "."
    /// Stops after deciding. Nothing under `directory` is created or changed.
    public var isDryRun = false

    /// How a URL becomes a path.
    public var layout = Layout.name
    /// Server-suggested names are preferred to those of the URLs.
    public var prefersSuggestedNames = false

    /// Sizes decide alone.
    public var sizeOnly = false
    /// Known checksums decide in place of sizes.
    public var comparesChecksums = false
    /// Whatever exists is left as it is.
    public var ignoresExisting = false
    /// Resumed bytes are proved by up to 16 KiB before them.
    public var checksOverlap = true

    /// Files in progress at once, 1 or more.
    public var jobs = 16
    /// Ranges of one file at once, 1 or more.
    public var split = 4
    /// No range is smaller, in bytes.
    public var minimumSplitSize: Int64 = 4 << 20
    /// Tries without progress, for each file and URL.
    public var retries = 5
    /// How long a file without progress is tried again.
    public var retryMaxTime = Duration.seconds(600)
    /// Ends the run in good order after this time; nil for no limit.
    public var maxTime: Duration?
    /// How long to wait for another run that holds the lock of `directory`.
    public var lockWait = Duration.zero
    /// Bytes that must stay free on the file system.
    public var minimumFree: Int64 = 0
    /// Files that get a report beside `.mirror/report.json`; the ending says in which form.
    public var reportFiles: [String] = []
    /// Connections: proxies, TLS, credentials, limits.
    public var transport: TransportOptions

    /// - Parameter sources: at least one.
    public init(sources: [String]) {
        self.sources = sources
        transport = TransportOptions(userAgent: "mirror/\(MirrorVersion.current)")
    }

    package var policy: Policy {
        Policy(
            sizeOnly: sizeOnly, checksum: comparesChecksums, ignoreExisting: ignoresExisting, trustsIndex: trustsIndex)
    }

    package var retryPolicy: RetryPolicy { RetryPolicy(retries: retries, maxTime: retryMaxTime) }
}
