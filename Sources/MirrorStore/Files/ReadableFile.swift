// A file under its final name, open for reading: for the overlap check and for checksums. It never writes.

import Glibc
import MirrorCore

/// An open regular file.
package final class ReadableFile: Sendable {
    private let descriptor: Descriptor
    private let calls: SystemCalls
    /// What it was when it was opened.
    package let file: LocalFile

    init(_ descriptor: Descriptor, file: LocalFile, calls: SystemCalls) {
        self.descriptor = descriptor
        self.file = file
        self.calls = calls
    }

    /// Fills the buffer from `offset` on.
    /// - Returns: bytes read; fewer than the buffer holds only at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Failure) -> Int {
        try failing { () throws(SystemError) in try calls.read(into: buffer, from: descriptor.number, at: offset) }
    }

    var number: Int32 { descriptor.number }
}
