// The report as a value: what happened to each entry and to the run. Forms of showing it are made elsewhere.

/// How an entry ended.
public enum FileStatus: String, Sendable, CaseIterable {
    /// The plan of a dry run.
    case planned
    /// The local file was in line.
    case unchanged
    case done, failed, interrupted, removed
}

/// One entry of a report. Values that are not known are nil.
public struct FileReport: Sendable, Equatable {
    /// The path below DIR.
    public var path: String
    /// The URL with its secrets replaced by `***`.
    public var url: String
    /// What was decided.
    public var action: Action
    /// Why, in words.
    public var reason: String
    /// How it ended.
    public var status: FileStatus
    /// Bytes of the file under its final name before the run.
    public var localSize: Int64?
    /// Bytes of the remote file.
    public var remoteSize: Int64?
    /// The bytes that were to be fetched.
    public var ranges: [ByteRange]?
    /// Bytes of the file that arrived, those of failed attempts included; error pages are none of it.
    public var bytesFetched: Int64
    /// Bytes of the file that were on disk before the run and stayed.
    public var bytesReused: Int64
    /// The ETag as the server wrote it, quotes included.
    public var etag: String?
    /// Last-Modified of the remote file.
    public var lastModified: HTTPDate?
    /// What the source says the file hashes to.
    public var checksum: Checksum?
    /// Whether the bytes on disk were hashed and agree with `checksum`.
    public var checksumVerified: Bool
    /// The status of the last answer.
    public var httpStatus: Int?
    /// Attempts to fetch it; requests that only asked for its size do not count.
    public var attempts: Int
    /// Requests of all kinds.
    public var requests: Int
    /// Attempts after the first of each URL.
    public var retries: Int
    /// From the first request of the transfer to the file's final name.
    public var seconds: Double
    /// Why it failed.
    public var failure: Failure?

    package init(path: String, url: String, action: Action, reason: String, status: FileStatus) {
        self.path = path
        self.url = url
        self.action = action
        self.reason = reason
        self.status = status
        bytesFetched = 0
        bytesReused = 0
        checksumVerified = false
        attempts = 0
        requests = 0
        retries = 0
        seconds = 0
    }

    /// Bytes that the plan means to fetch, where known.
    public var bytesToFetch: Int64 { (ranges ?? []).reduce(0) { Totals.sum($0, $1.count) } }
}

/// What a report says of the run as a whole.
public struct RunReport: Sendable, Equatable {
    /// Tells runs apart.
    public var id: String
    /// When the run began.
    public var started: HTTPDate
    /// When it ended.
    public var finished: HTTPDate
    /// Whether it stopped after deciding.
    public var isDryRun: Bool
    /// The sources as the user named them, secrets replaced by `***`.
    public var sources: [String]
    /// DIR as the user named it.
    public var directory: String
    /// What the command ends with.
    public var exitCode: ExitCode
    /// Whether a signal or `--max-time` ended it.
    public var isInterrupted: Bool
    /// Wall time of the run.
    public var seconds: Double
    /// Requests that it took to read the sources; those about files are with the files.
    public var sourceRequests = 0

    package init(
        id: String, started: HTTPDate, finished: HTTPDate, isDryRun: Bool, sources: [String], directory: String,
        exitCode: ExitCode = .inLine, isInterrupted: Bool = false, seconds: Double = 0
    ) {
        self.id = id
        self.started = started
        self.finished = finished
        self.isDryRun = isDryRun
        self.sources = sources
        self.directory = directory
        self.exitCode = exitCode
        self.isInterrupted = isInterrupted
        self.seconds = seconds
    }
}

/// The report of one run (`mirror-report/1`).
public struct Report: Sendable, Equatable {
    /// The run as a whole.
    public var run: RunReport
    /// In the order of the source.
    public var files: [FileReport]
    /// Failures of the run itself, such as a DIR that is full.
    public var failure: Failure?

    package init(run: RunReport, files: [FileReport], failure: Failure? = nil) {
        self.run = run
        self.files = files
        self.failure = failure
    }

    /// The sums over `files`.
    public var totals: Totals {
        var totals = Totals(of: files, seconds: run.seconds)
        totals.requests = Totals.sum(totals.requests, run.sourceRequests)
        return totals
    }
}
