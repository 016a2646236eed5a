// Zstandard (RFC 8878): any number of frames one after another.

import CZstd

/// Reads zstd.
final class ZstdDecoder: StreamDecoder {
    private let stream = ZSTD_createDStream()
    private(set) var isAtEnd = false
    private var target = [UInt8](repeating: 0, count: decoderPortion)

    deinit { ZSTD_freeDStream(stream) }

    func decode(_ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        guard let stream else { return false }
        var source = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var isFull = false
        while source.pos < source.size || isFull {
            let (status, count) = target.withUnsafeMutableBytes { target -> (Int, Int) in
                var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                return (ZSTD_decompressStream(stream, &output, &source), output.pos)
            }
            guard ZSTD_isError(status) == 0 else { return false }
            isAtEnd = status == 0
            isFull = count == target.count && !isAtEnd
            if count > 0, !target.withUnsafeBytes({ sink(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) {
                return true
            }
        }
        return true
    }
}
