// The options of each subcommand, in the order of the help. Whoever adds one adds a row here and nothing else.

import MirrorKit

/// All options.
enum OptionTable {
    /// Those of `mirror sync`.
    static let sync: [OptionDescription] =
        source + names + selection + decisions + removal + fileTransfers + sourceTransfers + credentials + connections
        + output

    /// Those of `mirror list`, which has no folder and fetches no file.
    static let list: [OptionDescription] =
        reading + names + selection + sourceTransfers + credentials + connections + [quiet]

    private static let source: [OptionDescription] =
        [
            .value(
                .source, "directory", short: "d", "DIR", "the folder to bring in line", standard: "here",
                \.sync.directory, .text()),
            .flag(
                .source, "dry-run", short: "n", "say what would be done; change nothing", \.sync.isDryRun, true),
        ] + reading + [
            .value(
                .source, "shard", "I/N", "take the I-th of N stable parts, I from 0", \.sync.selection.shard, .shard)
        ]

    private static let reading: [OptionDescription] = [
        .value(
            .source, "from", "FORM", "the form of SOURCE (see below)", standard: "as it looks", \.sync.form,
            .word(of: SourceForm.allCases)),
        .value(
            .source, "base", "URL", "where a local index came from", \.sync.base,
            .text()),
        .value(
            .source, "depth", "N", "levels of an index; 1: the page alone",
            standard: "all", \.sync.depth, .count(1...1000)),
        .value(
            .source, "only", "WHICH", "take of a report what has failed: failed", \.sync.only,
            .word(of: OnlyFilter.allCases)),
    ]

    private static let names: [OptionDescription] = [
        .value(
            .names, "layout", "LAYOUT", "path from the URL: name, path or host", standard: "name", \.sync.layout,
            .word(of: Layout.allCases)),
        .flag(
            .names, "content-disposition", "prefer the file names that servers suggest",
            \.sync.prefersSuggestedNames, true),
    ]

    private static let selection: [OptionDescription] = [
        .list(
            .selection, "include", "GLOB", "take what matches", \.sync.selection.rules, .include),
        .list(
            .selection, "exclude", "GLOB", "leave out what matches",
            \.sync.selection.rules, .exclude),
        .value(
            .selection, "min-size", "SIZE", "leave out smaller files", \.sync.selection.minimumSize,
            .size(atLeast: 0)),
        .value(
            .selection, "max-size", "SIZE", "leave out larger files", \.sync.selection.maximumSize,
            .size(atLeast: 0)),
        .value(
            .selection, "newer-than", "WHEN", "leave out what is older: 2026-01-31, or 7d",
            \.sync.selection.newerThan, .moment),
    ]

    private static let removal: [OptionDescription] = [
        .flag(
            .removal, "delete", "remove what SOURCE no longer names", \.removes, true),
        .value(
            .removal, "max-delete", "N|N%", "remove nothing when it would be more", standard: "25%",
            \.removal.limit, .removalLimit),
        .flag(
            .removal, "allow-empty", "SOURCE may name no files at all", \.removal.allowsEmptySource, true),
        .value(
            .removal, "backup-dir", "DIR", "keep there what is removed", \.sync.backupDirectory, .text()),
    ]

    private static let decisions: [OptionDescription] = [
        .flag(
            .decisions, "trust-index", "ask for no file that agrees with the index",
            \.sync.trustsIndex, true),
        .flag(.decisions, "size-only", "sizes decide, ETag and date do not", \.sync.sizeOnly, true),
        .flag(.decisions, "checksum", "known checksums decide, sizes do not", \.sync.comparesChecksums, true),
        .flag(.decisions, "ignore-existing", "leave whatever exists as it is", \.sync.ignoresExisting, true),
        .flag(
            .decisions, "no-overlap-check", "resume without proving the bytes on disk", \.sync.checksOverlap, false),
    ]

    private static let sourceTransfers: [OptionDescription] = [
        .value(
            .transfers, "connections-per-host", short: "x", "N", "connections to one origin", standard: "6",
            \.sync.transport.connectionsPerHost, .count(1...1024)),
        .value(
            .transfers, "connect-timeout", "T", "give up connecting after", standard: "20s",
            \.sync.transport.connectTimeout, .time()),
        .value(
            .transfers, "stall-timeout", "T", "give up when no byte came for", standard: "30s",
            \.sync.transport.stallTimeout, .time()),
        .value(
            .transfers, "retries", "N", "tries without progress, per file and URL", standard: "5", \.sync.retries,
            .count(0...1_000_000)),
        .value(
            .transfers, "retry-max-time", "T", "stop retrying a file after", standard: "10m", \.sync.retryMaxTime,
            .time(mayBeZero: true)),
    ]

    private static let fileTransfers: [OptionDescription] = [
        .value(
            .transfers, "jobs", short: "j", "N", "files in progress at once", standard: "16", \.sync.jobs,
            .count(1...1024)),
        .value(
            .transfers, "split", short: "s", "N", "ranges of one file at once", standard: "4", \.sync.split,
            .count(1...64)),
        .value(
            .transfers, "min-split-size", short: "k", "SIZE", "no range smaller than this", standard: "4M",
            \.sync.minimumSplitSize, .size(atLeast: 1)),
        .list(
            .transfers, "last", "GLOB", "these last, and not if one failed",
            \.sync.lastPatterns, .glob),
        .value(
            .transfers, "limit-rate", "RATE", "bytes a second, in all", standard: "none", \.sync.transport.rateLimit,
            .size(atLeast: 1)),
        .value(
            .transfers, "max-time", "T", "end the run in good order after", standard: "none", \.sync.maxTime,
            .time()),
        .value(
            .transfers, "wait", "T", "wait for another run in the same folder", standard: "0", \.sync.lockWait,
            .time(mayBeZero: true)),
        .value(
            .transfers, "min-free", "SIZE", "bytes that must stay free on the disk", standard: "0",
            \.sync.minimumFree, .size(atLeast: 0)),
    ]

    private static let quiet: OptionDescription = .flag(
        .output, "quiet", short: "q", "print nothing but errors", \.wording, .quiet)

    private static let output: [OptionDescription] = [
        .list(.output, "report", "FILE", "a report more: .json or .txt", \.sync.reportFiles, .reportFile),
        quiet,
        .flag(.output, "verbose", short: "v", "a line for each file; a full report", \.wording, .verbose),
        .value(
            .output, "progress", "MODE", "plain (a line a second) or none", standard: "terminal", \.progress,
            .word(of: Settings.ProgressMode.allCases)),
    ]
}
