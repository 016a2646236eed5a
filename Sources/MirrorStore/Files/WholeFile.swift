// A file read whole into memory: a source that somebody wrote, anywhere on the machine.

import Glibc
import MirrorCore

/// Reads files outside DIR.
package enum WholeFile {
    /// - Throws: `invalid-source` with the system's words, so that a missing manifest is no fault of DIR.
    package static func read(_ path: String, calls: SystemCalls = SystemCalls()) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            let file = Descriptor(try calls.open(path, in: AT_FDCWD, O_RDONLY), calls: calls)
            guard try calls.status(of: file.number).st_mode & S_IFMT != S_IFDIR else {
                throw SystemError(EISDIR)
            }
            return try read(file.number, calls)
        } catch {
            throw error.asSource
        }
    }

    /// - Parameter isCancelled: asked several times a second, for nobody knows when the other end will write.
    package static func readStandardInput(
        isCancelled: () -> Bool, calls: SystemCalls = SystemCalls()
    ) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            return try read(STDIN_FILENO, calls) { () throws(SystemError) in
                while try !calls.isReadable(STDIN_FILENO, within: 100) {
                    if isCancelled() { throw SystemError(ECANCELED) }
                }
            }
        } catch {
            throw error.asSource
        }
    }

    /// Reads on until there is no more: the size of a pipe is not known before.
    /// - Parameter wait: called before each read.
    private static func read(
        _ file: Int32, _ calls: SystemCalls, wait: () throws(SystemError) -> Void = {}
    ) throws(SystemError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while true {
            try wait()
            let count = try calls.readOn(into: buffer, from: file)
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
        }
    }
}

extension SystemError {
    fileprivate var asSource: Failure {
        Failure(.invalidSource, code == EISDIR ? "it is a folder" : "it cannot be read: \(failure.message)")
    }
}
