// What SQLite's result codes mean here: a few ask for a decision, the rest is an input or output error.

import CSQLite
import Glibc
import MirrorCore

/// SQLite could not do something.
struct DatabaseError: Error, Equatable {
    /// The primary result code.
    let code: Int32
    /// The `errno` behind it, where there was one.
    let systemCode: Int32

    init(code: Int32, systemCode: Int32 = 0) {
        self.code = code & 0xFF
        self.systemCode = systemCode
    }

    /// A database whose tables are of another version or another program. SQLite itself does not use this code.
    static let foreign = DatabaseError(code: SQLITE_FORMAT)

    /// Whether the file itself is the trouble, so that a new one helps. SQLITE_ERROR is no such code: it is given for
    /// what does not fit the moment too, such as a transaction within a transaction.
    var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT].contains(code) }

    /// The same while the database is opened: what is asked of it then fits every database, so that SQLITE_ERROR speaks of
    /// the file (an unknown schema format).
    var isDamageAtOpening: Bool { isDamage || code == SQLITE_ERROR }

    /// Whether SQLite may not write: there is no right to, or the file's header says that only newer versions can.
    var isReadOnly: Bool { code == SQLITE_READONLY }

    var failure: Failure { systemError?.failure ?? Failure(.io, sentence) }

    /// The same in the middle of a run: mirror's own folder can no longer be written to, which is no fault of the file
    /// that was to be recorded and would be that of every one after it. A shortage of the process passes, and so does
    /// what is wrong with one record alone.
    var failureOfRun: Failure {
        systemError?.ofDirectory.failure ?? Failure(.io, sentence, endsRun: !isOfOneRecord)
    }

    private var systemError: SystemError? {
        switch code {
        case SQLITE_FULL: SystemError(ENOSPC)
        case SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: SystemError(EACCES)
        case SQLITE_NOMEM: SystemError(ENOMEM)
        case SQLITE_IOERR where systemCode != 0 && systemCode != EXDEV,
            SQLITE_CANTOPEN where systemCode != 0 && systemCode != EXDEV:
            SystemError(systemCode)
        default: nil
        }
    }

    private var isOfOneRecord: Bool {
        [SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE].contains(code)
    }

    private var sentence: String { "the state database: \(String(cString: sqlite3_errstr(code)))" }
}
