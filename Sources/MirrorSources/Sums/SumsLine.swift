// One line of a checksum list, in all the forms in which the common tools write them.

import MirrorCore

/// What a line of a checksum list says.
enum SumsLine {
    /// - Parameter tag: the algorithm by its name, where the line has one.
    case sum(digest: [UInt8], name: [UInt8], tag: [UInt8]?)
    /// A digest without a name.
    case bare(digest: [UInt8])
    /// Of POSIX `cksum` or `sum`: a short number that proves nothing.
    case crc
    /// A line with a tag whose end is in the next line: OpenSSL writes line feeds of names as they are.
    case open
    case unknown

    /// What stands between digest and name.
    enum Separator {
        /// A blank and a mark for text, binary and other modes: GNU, perl, busybox.
        case marked
        /// A blank alone.
        case single
    }

    /// Whether a line can only be one of a checksum list.
    static func looksLikeSum(_ line: ArraySlice<UInt8>) -> Bool {
        switch SumsLine(line, .marked, isNULTerminated: false) {
        case .sum(let digest, _, _), .bare(let digest): SumsAlgorithm.digitCounts.contains(digest.count)
        case .crc: true
        case .open, .unknown: false
        }
    }

    init(_ line: ArraySlice<UInt8>, _ separator: Separator, isNULTerminated: Bool) {
        // A backslash in front says that the name has escapes.
        let isEscaped = !isNULTerminated && line.first == UInt8(ascii: "\\")
        let line = isEscaped ? line.dropFirst() : line
        if let tagged = Self.tagged(line, isEscaped) {
            self = tagged
            return
        }
        let digest = line.prefix { $0.hexValue != nil }
        let rest = line.dropFirst(digest.count)
        if digest.count >= 32, rest.allSatisfy({ $0 <= 0x20 }) {
            self = .bare(digest: Array(digest))
        } else if digest.count >= 32, let first = rest.first, first == 0x20 || first == 0x09 {
            let name = rest.dropFirst(separator == .marked ? 2 : 1)
            self = name.isEmpty ? .unknown : .sum(digest: Array(digest), name: Self.name(name, isEscaped), tag: nil)
        } else {
            self = Self.isCRC(line) ? .crc : .unknown
        }
    }

    /// What stands between digest and name in a list whose first line this is: `HEX  name`, `HEX *name`, of perl also
    /// `HEX Uname` and `HEX ^name`; anything else is the name itself.
    static func separator(of line: ArraySlice<UInt8>) -> Separator {
        let rest = line.drop { $0 == UInt8(ascii: "\\") }.drop { $0.hexValue != nil }.dropFirst()
        return rest.first.map { " *U^".utf8.contains($0) } ?? true ? .marked : .single
    }

    private static func tagged(_ line: ArraySlice<UInt8>, _ isEscaped: Bool) -> SumsLine? {
        let tag = line.prefix { $0.isASCIILetter || $0.isASCIIDigit || "-/_".utf8.contains($0) }
        guard let first = tag.first, first.isASCIILetter else { return nil }
        let rest = line.dropFirst(tag.count)
        guard let open = ["(", " ("].first(where: { rest.starts(with: $0.utf8) }) else { return nil }
        let inside = rest.dropFirst(open.utf8.count)
        // The name may hold `) = ` itself: the last one counts.
        for mark in [") = ", ")= "] {
            guard let end = inside.lastPosition(of: Array(mark.utf8)) else { continue }
            let digest = inside[(end + mark.utf8.count)...].trimmed
            guard !digest.isEmpty, digest.allSatisfy({ $0.hexValue != nil }) else { return .unknown }
            return .sum(digest: Array(digest), name: name(inside[..<end], isEscaped), tag: Array(tag))
        }
        return .open
    }

    private static func isCRC(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.split(separator: 0x20)
        return (2...).contains(words.count)
            && words.prefix(2).allSatisfy { $0.count <= 20 && $0.allSatisfy(\.isASCIIDigit) }
    }

    private static func name(_ written: ArraySlice<UInt8>, _ isEscaped: Bool) -> [UInt8] {
        guard isEscaped else { return Array(written) }
        var name: [UInt8] = []
        var rest = written
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                name.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "n"): name.append(0x0A)
            case UInt8(ascii: "r"): name.append(0x0D)
            case UInt8(ascii: "\\"): name.append(next)
            default:
                // OpenSSL escapes the line feed and not the backslash.
                name.append(byte)
                continue
            }
            rest = rest.dropFirst()
        }
        return name
    }
}

extension ArraySlice<UInt8> {
    /// Where these bytes start for the last time.
    fileprivate func lastPosition(of mark: [UInt8]) -> Int? {
        guard count >= mark.count else { return nil }
        return (startIndex...(endIndex - mark.count)).last { self[$0...].starts(with: mark) }
    }
}
