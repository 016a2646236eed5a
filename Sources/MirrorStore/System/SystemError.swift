// What a failed system call means to a user. The only place where an `errno` becomes a failure of the contract.

import Glibc
import MirrorCore

/// A system call failed.
package struct SystemError: Error, Equatable, Sendable {
    package let code: Int32
    /// Whether mirror's own folder could not be written to, which no entry is to blame for.
    package private(set) var isOfDirectory = false

    package init(_ code: Int32) { self.code = code }

    /// The same for a call that only concerns DIR. A shortage of the process or the machine is none of DIR's.
    var ofDirectory: SystemError {
        var error = self
        error.isOfDirectory = ![EMFILE, ENFILE, ENOMEM].contains(code)
        return error
    }

    /// The failure in the words of the contract. EXDEV and ELOOP come from openat2 beneath DIR: a rename across file
    /// systems is answered by copying and never gets here.
    package var failure: Failure {
        guard isOfDirectory else { return ownFailure }
        return Failure(ownFailure.code, "mirror's own folder cannot be written to: \(text)", endsRun: true)
    }

    private var ownFailure: Failure {
        switch code {
        case ENOSPC, EDQUOT: Failure(.diskFull, text)
        case EACCES, EPERM, EROFS: Failure(.permission, text)
        case ENAMETOOLONG: Failure(.nameTooLong, text)
        case EXDEV, ELOOP: .leadsOutside
        case EISDIR: .isFolder
        case ENOTDIR: .parentIsFile
        case EMFILE, ENFILE: Failure(.io, text, isTransient: true)
        default: Failure(.io, text)
        }
    }

    /// The system's own words for the code.
    private var text: String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The POSIX form, which fills the buffer and returns 0; C without _GNU_SOURCE is what Swift imports.
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "system error \(code)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).asciiLowercasedFirst
    }
}

extension String {
    /// The same sentence for the middle of a line: «No space left» becomes «no space left»; «I/O» stays.
    fileprivate var asciiLowercasedFirst: String {
        guard let first = utf8.first, let second = utf8.dropFirst().first, first.isASCIIUppercase,
            second.isASCIILetter, !second.isASCIIUppercase
        else { return self }
        return String(decoding: [first.asciiLowercased], as: UTF8.self) + dropFirst()
    }
}

/// Runs system calls on behalf of somebody who knows only failures of the contract.
package func failing<Value>(_ body: () throws(SystemError) -> Value) throws(Failure) -> Value {
    do {
        return try body()
    } catch {
        throw error.failure
    }
}
