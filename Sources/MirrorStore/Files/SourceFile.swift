// A source that somebody wrote, anywhere on the machine, read in pieces: a listing may be larger than what it names.

import Glibc
import MirrorCore

/// Reads files outside DIR.
package enum SourceFile {
    /// What takes the next bytes, valid during the call alone; false ends the reading.
    package typealias Sink = (UnsafeRawBufferPointer) -> Bool

    /// - Parameter isCancelled: asked several times a second while a named pipe or a device has nothing to read.
    /// - Throws: `invalid-source` with the system's words, so that a missing manifest is no fault of DIR.
    package static func read(
        _ path: String, isCancelled: () -> Bool = { false }, calls: SystemCalls = SystemCalls(), to sink: Sink
    ) throws(Failure) {
        do throws(SystemError) {
            // Without O_NONBLOCK a named pipe is not even opened before somebody writes to it.
            let file = Descriptor(try calls.open(path, in: AT_FDCWD, O_RDONLY | O_NONBLOCK), calls: calls)
            switch try calls.status(of: file.number).st_mode & S_IFMT {
            case S_IFDIR: throw SystemError(EISDIR)
            case S_IFREG: try read(file.number, calls, to: sink)
            default: try read(file.number, isCancelled, calls, to: sink)
            }
        } catch {
            throw error.asSource
        }
    }

    /// Whether it can be read a second time: a named pipe cannot.
    package static func isRepeatable(_ path: String, calls: SystemCalls = SystemCalls()) -> Bool {
        (try? calls.status(path, in: AT_FDCWD, followsLinks: true).kind) == S_IFREG
    }

    /// - Parameter isCancelled: asked several times a second, for nobody knows when the other end will write.
    package static func readStandardInput(
        isCancelled: () -> Bool, calls: SystemCalls = SystemCalls(), to sink: Sink
    ) throws(Failure) {
        do throws(SystemError) {
            try read(STDIN_FILENO, isCancelled, calls, to: sink)
        } catch {
            throw error.asSource
        }
    }

    /// Reads what another process may write at any time, or never.
    private static func read(
        _ file: Int32, _ isCancelled: () -> Bool, _ calls: SystemCalls, to sink: Sink
    ) throws(SystemError) {
        try read(file, calls, to: sink) { () throws(SystemError) in
            while try !calls.isReadable(file, within: 100) {
                if isCancelled() { throw SystemError(ECANCELED) }
            }
        }
    }

    /// Reads on until there is no more: the size of a pipe is not known before.
    /// - Parameter wait: called before each read.
    private static func read(
        _ file: Int32, _ calls: SystemCalls, to sink: Sink, wait: () throws(SystemError) -> Void = {}
    ) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        while true {
            try wait()
            let count = try calls.readOn(into: buffer, from: file)
            guard count > 0, sink(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
        }
    }
}

extension SystemError {
    fileprivate var asSource: Failure {
        Failure(.invalidSource, code == EISDIR ? "it is a folder" : "it cannot be read: \(failure.message)")
    }
}
