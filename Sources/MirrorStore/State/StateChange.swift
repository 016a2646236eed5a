// One change of the state. A transaction is a list of them.

import MirrorCore

/// What a transaction does, step by step.
enum StateChange: Sendable {
    case storeFile(LocalPath, FileRecord, sums: [UInt64])
    case dropFile(LocalPath)
    case storePartial(LocalPath, StoredPartial)
    case dropPartial(LocalPath)
    /// Only if the record is that of this partial file.
    case dropPartialFile(LocalPath, name: String)
    case storeRun(RunRecord)
    /// All that is recorded was seen to be there since that start of the machine.
    case storeMachineStart(String)
}
