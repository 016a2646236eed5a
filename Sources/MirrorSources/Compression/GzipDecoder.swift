// gzip (RFC 1952) by zlib: any number of members one after another.

import CZlib

/// Reads gzip.
final class GzipDecoder: StreamDecoder {
    // zlib remembers where it lies.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let isReady: Bool
    private(set) var isAtEnd = false
    private var target = [UInt8](repeating: 0, count: decoderPortion)

    init() {
        stream.initialize(to: z_stream())
        isReady = mirror_gunzip_begin(stream) == Z_OK
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func decode(_ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        guard isReady else { return false }
        // zlib does not change what it reads.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: Bytef.self).baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        while true {
            if isAtEnd {
                skipPadding()
                if stream.pointee.avail_in == 0 { return true }
                guard inflateReset(stream) == Z_OK else { return false }
                isAtEnd = false
            }
            let (status, count) = target.withUnsafeMutableBufferPointer { target -> (Int32, Int) in
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = UInt32(target.count)
                return (inflate(stream, Z_NO_FLUSH), target.count - Int(stream.pointee.avail_out))
            }
            if count > 0, !target.withUnsafeBytes({ sink(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) {
                return true
            }
            isAtEnd = status == Z_STREAM_END
            guard status == Z_OK || isAtEnd || status == Z_BUF_ERROR else { return false }
            if !isAtEnd, stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return true }
        }
    }

    /// Tapes and some servers fill up with zeros behind the last member.
    private func skipPadding() {
        while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
            stream.pointee.next_in += 1
            stream.pointee.avail_in -= 1
        }
    }
}
