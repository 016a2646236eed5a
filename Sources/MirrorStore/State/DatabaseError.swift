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

    var failure: Failure {
        switch code {
        case SQLITE_FULL: return SystemError(ENOSPC).failure
        case SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: return SystemError(EACCES).failure
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            if systemCode != 0, systemCode != EXDEV { return SystemError(systemCode).failure }
        default: break
        }
        return Failure(.io, "the state database: \(String(cString: sqlite3_errstr(code)))")
    }
}
