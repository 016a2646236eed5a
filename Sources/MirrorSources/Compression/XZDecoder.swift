// The .xz format by liblzma: any number of streams one after another.

import CLZMA

/// Reads xz.
final class XZDecoder: StreamDecoder {
    /// `xz -9` needs 65 MiB to be read; more is not what a list is packed with.
    private static let memoryLimit: UInt64 = 128 << 20

    private var stream = mirror_lzma_stream()
    private let isReady: Bool
    private(set) var isAtEnd = false
    private var target = [UInt8](repeating: 0, count: decoderPortion)

    init() { isReady = lzma_stream_decoder(&stream, Self.memoryLimit, 0) == LZMA_OK }

    deinit { lzma_end(&stream) }

    func decode(_ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        guard isReady else { return false }
        stream.next_in = bytes.bindMemory(to: UInt8.self).baseAddress
        stream.avail_in = bytes.count
        while true {
            if isAtEnd {
                if !skipPadding() { return true }
                guard lzma_stream_decoder(&stream, Self.memoryLimit, 0) == LZMA_OK else { return false }
                isAtEnd = false
            }
            let (status, count) = target.withUnsafeMutableBufferPointer { target -> (lzma_ret, Int) in
                stream.next_out = target.baseAddress
                stream.avail_out = target.count
                return (lzma_code(&stream, LZMA_RUN), target.count - stream.avail_out)
            }
            if count > 0, !target.withUnsafeBytes({ sink(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) {
                return true
            }
            isAtEnd = status == LZMA_STREAM_END
            guard status == LZMA_OK || isAtEnd || status == LZMA_BUF_ERROR else { return false }
            if !isAtEnd, stream.avail_in == 0, stream.avail_out > 0 { return true }
        }
    }

    /// Zeros may lie between streams. Returns whether there is more behind them.
    private func skipPadding() -> Bool {
        while stream.avail_in > 0, stream.next_in.pointee == 0 {
            stream.next_in += 1
            stream.avail_in -= 1
        }
        return stream.avail_in > 0
    }
}
