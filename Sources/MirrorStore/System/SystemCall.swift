// A system call as a value: what is about to happen, with the operands it happens with. Values are only made while
// somebody watches; a normal run makes none.

/// One call to the operating system, or one database transaction.
package enum SystemCall: Sendable, Equatable {
    case open(path: String, folder: Int32, flags: Int32, mode: UInt32)
    case close(file: Int32)
    case status(path: String, descriptor: Int32)
    case makeFolder(path: String, folder: Int32, mode: UInt32)
    case rename(from: String, fromFolder: Int32, to: String, toFolder: Int32, replaces: Bool)
    case remove(path: String, folder: Int32)
    case write(file: Int32, offset: Int64, count: Int)
    case append(file: Int32, count: Int)
    case read(file: Int32, offset: Int64, count: Int)
    case copy(from: Int32, to: Int32, offset: Int64, count: Int)
    /// Modification time, in seconds since 1970.
    case setTime(file: Int32, seconds: Int64)
    case setMode(file: Int32, mode: UInt32)
    case dataSync(file: Int32)
    case sync(file: Int32)
    case syncFileSystem(file: Int32)
    case lock(file: Int32, isExclusive: Bool)
    case space(folder: Int32)
    case list(folder: Int32)
    case access(folder: Int32)
    /// SQLite writes by itself; its transactions appear as one step.
    case transaction(changes: Int)
}

/// Sees every call before it happens and may make it fail.
package protocol SystemCallObserver: Sendable {
    /// - Parameter bytes: what `write` and `append` are about to write; valid during the call.
    func willCall(_ call: SystemCall, bytes: UnsafeRawBufferPointer?) -> SystemCallOrder

    /// Sees a call that went well, when it is over.
    /// - Parameters:
    ///   - bytes: those that `write` and `append` were given; `result` says how many of them were written.
    ///   - result: what the system gave: the descriptor of `open`, the bytes that were moved, else 0.
    func didCall(_ call: SystemCall, bytes: UnsafeRawBufferPointer?, result: Int)
}

extension SystemCallObserver {
    package func didCall(_ call: SystemCall, bytes: UnsafeRawBufferPointer?, result: Int) {}
}

/// What becomes of a call that is watched.
package enum SystemCallOrder: Sendable, Equatable {
    case proceed
    /// It does not happen and gives this `errno`.
    case fail(Int32)
    /// A write, read or copy of at most so many bytes.
    case limit(Int)
}
