// Why a sync could not even begin. Failures of single files are in the report.

import MirrorCore

/// What ends a sync before anything is fetched.
public enum SyncError: Error, Sendable {
    /// The options contradict each other or name something that does not exist.
    case badUsage(String)
    /// The sources have faults; all of them are listed.
    case badSource([SourceFault])
    /// Another run holds the lock of DIR.
    case locked
    /// Cancelled, or out of time, before there was a plan.
    case interrupted
    /// DIR cannot be used.
    case unusableDirectory(Failure)

    /// The exit code of the command.
    public var exitCode: ExitCode {
        switch self {
        case .badUsage, .badSource: .badUsage
        case .locked: .locked
        case .interrupted: .endedEarly
        case .unusableDirectory: .unusableDirectory
        }
    }
}
