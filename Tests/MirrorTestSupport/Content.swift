// The payload of one answer before it is framed: literal bytes and slices of bodies in a row. A multipart answer
// needs both kinds; most answers have one slice.

/// A sequence of bytes with random access, made of literal bytes and slices of bodies.
package struct Content: Sendable {
    /// A stretch of the content.
    package enum Part: Sendable {
        case bytes([UInt8])
        case slice(Body, Range<Int64>)
    }

    /// The parts, in order.
    package private(set) var parts: [Part] = []
    /// Length in bytes.
    package private(set) var length: Int64 = 0

    /// No bytes.
    package init() {}

    /// A slice of `body`.
    package init(_ body: Body, _ range: Range<Int64>) { append(.slice(body, range)) }

    /// All of `body`.
    package init(_ body: Body) { append(.slice(body, 0..<body.length)) }

    /// A text in UTF-8.
    package init(_ text: String) { append(.bytes(Array(text.utf8))) }

    /// Appends a part.
    package mutating func append(_ part: Part) {
        parts.append(part)
        length += part.length
    }

    /// Where in its body the first slice begins; 0 when there is no slice.
    package var firstOffset: Int64 {
        for case .slice(_, let range) in parts { return range.lowerBound }
        return 0
    }

    /// Fills `buffer` with the bytes from `position` on; all of them must lie inside the content.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, from position: Int64) {
        let wanted = position..<position + Int64(buffer.count)
        var start: Int64 = 0
        for part in parts {
            let overlap = wanted.clamped(to: start..<start + part.length)
            if !overlap.isEmpty {
                let place = Int(overlap.lowerBound - position)..<Int(overlap.upperBound - position)
                part.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[place]), from: overlap.lowerBound - start)
            }
            start += part.length
        }
    }
}

extension Content.Part {
    var length: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .slice(_, let range): range.upperBound - range.lowerBound
        }
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer, from position: Int64) {
        switch self {
        case .bytes(let bytes): Body.bytes(bytes).fill(buffer, from: position)
        case .slice(let body, let range): body.fill(buffer, from: range.lowerBound + position)
        }
    }
}
