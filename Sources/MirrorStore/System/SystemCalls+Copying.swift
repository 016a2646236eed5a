// Copies between open files: by the kernel where it can, through memory where the file systems have nothing in common.

import CLinux
import Glibc

extension SystemCalls {
    /// Copies the first `count` bytes, or fewer where the file ends before.
    /// - Returns: bytes copied.
    package func copy(from: Int32, to: Int32, count: Int64) throws(SystemError) -> Int64 {
        var done: Int64 = 0
        while done < count {
            let step = Int(min(count - done, 1 << 30))
            let offset = done
            do {
                let copied = try transfer(
                    .copy(from: from, to: to, offset: offset, count: step),
                    UnsafeRawBufferPointer(start: nil, count: 0), count: step
                ) {
                    mirror_copy_file_range(from, to, offset, $0)
                }
                if copied == 0 { return done }
                done += Int64(copied)
            } catch {
                // Not every pair of file systems can copy by itself.
                guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM].contains(error.code) else { throw error }
                return try copyThroughMemory(from: from, to: to, offset: done, count: count)
            }
        }
        return done
    }

    private func copyThroughMemory(
        from: Int32, to: Int32, offset: Int64, count: Int64
    ) throws(SystemError) -> Int64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        var done = offset
        while done < count {
            let step = Int(min(Int64(buffer.count), count - done))
            let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(step))
            let got = try read(into: wanted, from: from, at: done)
            if got == 0 { break }
            try write(UnsafeRawBufferPointer(rebasing: wanted.prefix(got)), to: to, at: done)
            done += Int64(got)
        }
        return done
    }
}
