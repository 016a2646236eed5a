// Reads a manifest: text with one URL a line and indented options, as the contract describes it. A plain list of URLs
// and an input file of aria2 are manifests. One pass over the bytes; all faults are collected before it ends.

import MirrorCore
import MirrorURL

/// Reads manifests.
package struct ManifestParser {
    private let layout: Layout
    private let source: Int

    /// - Parameter source: which of the given sources it is, from 0.
    package init(layout: Layout, source: Int = 0) {
        self.layout = layout
        self.source = source
    }

    package func parse(_ bytes: [UInt8]) -> ParsedSource {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return ParsedSource(problem: "the manifest is UTF-16; save it as UTF-8", source: source)
        }
        return bytes.withUnsafeBytes { raw in
            let reading = ManifestReading(layout: layout, source: source)
            reading.reserve(Self.countEntries(raw))
            Self.forEachLine(raw[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...]) { line in
                reading.read(line)
                return !reading.result.isHopeless
            }
            reading.finish()
            return reading.result
        }
    }

    /// Calls with each line until the call returns false.
    private static func forEachLine(_ text: Slice<UnsafeRawBufferPointer>, _ body: (ManifestLine) -> Bool) {
        var number = 1
        var start = text.startIndex
        while start < text.endIndex {
            let end = text[start...].position(of: 0x0A) ?? text.endIndex
            guard body(ManifestLine(number: number, text[start..<end])) else { return }
            number += 1
            start = end + 1
        }
    }

    /// About how many entries there are: so many are made room for at once, since an array that grows by doubling holds
    /// everything twice for a while.
    private static func countEntries(_ text: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var start = 0
        while start < text.count, count < 4_000_000 {
            if text[start] > 0x20, text[start] != UInt8(ascii: "#") { count += 1 }
            start = (text[start...].position(of: 0x0A) ?? text.count) + 1
        }
        return count
    }
}
