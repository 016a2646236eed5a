// Bytes that XML cannot hold and that servers write all the same: nginx lists names as they are on its disk. In front
// of the parser each such byte becomes a character of private use, behind it the same byte again; so one bad name is
// read like any other, in one pass. Only for documents in UTF-8.

/// Puts bytes into a form that an XML parser takes.
final class XMLByteFilter {
    /// Whether anything was mapped so far, so that texts must be mapped back.
    private(set) var hasMapped = false

    // The start of a sequence that the last piece cut.
    private var held: [UInt8] = []
    // Where the bytes that follow stand: in a tag, or in text that is more than white space.
    private var isInTag = false
    private var isBlankText = true

    /// U+10FE00 + byte: F4 8F B8…BB 80…BF. What a document itself has there is mapped byte by byte like any bad byte,
    /// so that mapping back is exact.
    private static func append(_ byte: UInt8, to target: inout [UInt8]) {
        target.append(0xF4)
        target.append(0x8F)
        target.append(0xB8 + byte >> 6)
        target.append(0x80 + byte & 0x3F)
    }

    /// Hands over the bytes of the next piece, some of them mapped.
    func pass(_ piece: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Void) {
        if held.isEmpty { return map(piece, isLast: false, to: sink) }
        let joined = held + piece
        held = []
        joined.withUnsafeBytes { map($0, isLast: false, to: sink) }
    }

    /// Hands over what was held back for want of an end.
    func finish(to sink: (UnsafeRawBufferPointer) -> Void) {
        let rest = held
        held = []
        rest.withUnsafeBytes { map($0, isLast: true, to: sink) }
    }

    private func map(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, to sink: (UnsafeRawBufferPointer) -> Void
    ) {
        var mapped: [UInt8] = []
        // Up to where the bytes are copied, and up to where their place is known.
        var copied = 0
        var placed = 0
        var index = 0
        while let found = Self.nextUnusual(bytes, from: index) {
            index = found
            let length = Self.length(of: bytes, at: index)
            if length > 0 {
                index += length
                continue
            }
            if !isLast, Self.isCut(bytes, at: index) {
                held = Array(bytes[index...])
                break
            }
            advance(bytes, from: placed, to: index)
            placed = index
            if bytes[index] == 0x0D, isInTag || isBlankText {
                index += 1
                continue
            }
            mapped.append(contentsOf: bytes[copied..<index])
            Self.append(bytes[index], to: &mapped)
            hasMapped = true
            index += 1
            copied = index
        }
        let end = bytes.count - held.count
        advance(bytes, from: placed, to: end)
        if copied == 0 { return sink(UnsafeRawBufferPointer(rebasing: bytes[..<end])) }
        mapped.append(contentsOf: bytes[copied..<end])
        mapped.withUnsafeBytes(sink)
    }

    private var open: UInt8 { UInt8(ascii: "<") }
    private var close: UInt8 { UInt8(ascii: ">") }

    /// Follows tags and text. A `>` in text and a `<` in a comment only make a carriage return the white space that it
    /// is for XML anyway.
    private func advance(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        var textStart = end
        while textStart > start, bytes[textStart - 1] != open, bytes[textStart - 1] != close { textStart -= 1 }
        if textStart > start {
            isInTag = bytes[textStart - 1] == open
            isBlankText = true
        }
        if isBlankText, !isInTag { isBlankText = bytes[textStart..<end].allSatisfy { $0 <= 0x20 } }
    }

    /// The next byte that is not plain ASCII, TAB or LF.
    private static func nextUnusual(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            // Eight bytes at once, as long as none is below a blank or above ASCII.
            while index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let low = (word &- 0x2020_2020_2020_2020) & ~word
                guard (word | low) & 0x8080_8080_8080_8080 == 0 else { break }
                index += 8
            }
            guard index < bytes.count else { return nil }
            let stop = min(index + 8, bytes.count)
            while index < stop {
                let byte = bytes[index]
                if byte >= 0x80 || (byte < 0x20 && byte != 0x09 && byte != 0x0A) { return index }
                index += 1
            }
        }
        return nil
    }

    /// The length of a character that XML can hold (XML 1.0 section 2.2); 0 where none starts.
    private static func length(of bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
        func isTail(_ offset: Int) -> Bool { index + offset < bytes.count && bytes[index + offset] & 0xC0 == 0x80 }
        switch bytes[index] {
        case 0x09, 0x0A, 0x20...0x7F: return 1
        case 0xC2...0xDF: return isTail(1) ? 2 : 0
        case 0xE0...0xEF:
            guard isTail(1), isTail(2) else { return 0 }
            let first = bytes[index], second = bytes[index + 1], third = bytes[index + 2]
            if first == 0xE0, second < 0xA0 { return 0 }
            if first == 0xED, second > 0x9F { return 0 }
            // U+FFFE and U+FFFF are no characters.
            return first == 0xEF && second == 0xBF && third >= 0xBE ? 0 : 3
        case 0xF0...0xF4:
            guard isTail(1), isTail(2), isTail(3) else { return 0 }
            let first = bytes[index], second = bytes[index + 1], third = bytes[index + 2]
            if first == 0xF0, second < 0x90 { return 0 }
            if first == 0xF4, second > 0x8F { return 0 }
            return first == 0xF4 && second == 0x8F && (0xB8...0xBB).contains(third) ? 0 : 4
        default: return 0
        }
    }

    /// Whether a sequence starts here whose end may be in the next piece.
    private static func isCut(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        let need =
            switch bytes[index] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        return need > bytes.count - index && bytes[(index + 1)...].allSatisfy { $0 & 0xC0 == 0x80 }
    }

    /// Makes bytes of the characters that stand for them.
    static func restore(_ text: inout [UInt8]) {
        guard text.contains(0xF4) else { return }
        var target = 0
        var index = 0
        while index < text.count {
            if index + 3 < text.count, text[index] == 0xF4, text[index + 1] == 0x8F,
                (0xB8...0xBB).contains(text[index + 2])
            {
                text[target] = (text[index + 2] - 0xB8) << 6 | (text[index + 3] & 0x3F)
                index += 4
            } else {
                text[target] = text[index]
                index += 1
            }
            target += 1
        }
        text.removeSubrange(target...)
    }
}
