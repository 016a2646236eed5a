// The call that JSONP puts around a JSON document: a comment, a name and a bracket before it, a bracket and a
// semicolon behind.

import MirrorCore

/// Tells what is around a document from the document.
struct JSONWrapper {
    /// Whether the document itself has begun.
    private(set) var isOpen = false
    /// Whether what stands before it is no call.
    private(set) var isBroken = false

    private enum State { case start, slash, comment, star, name, bracket }
    private var state = State.start
    private var hasBracket = false

    /// Passes over what is before the document; returns what is left.
    mutating func open(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        for index in bytes.indices {
            step(bytes[index])
            if isBroken { return bytes[bytes.endIndex...] }
            if isOpen { return bytes[index...] }
        }
        return bytes[bytes.endIndex...]
    }

    private mutating func step(_ byte: UInt8) {
        switch (state, byte) {
        case (.comment, UInt8(ascii: "*")): state = .star
        case (.comment, _): break
        case (.star, UInt8(ascii: "/")): state = .start
        case (.star, UInt8(ascii: "*")): break
        case (.star, _): state = .comment
        case (.slash, UInt8(ascii: "*")): state = .comment
        case (.start, UInt8(ascii: "/")): state = .slash
        case (.start, 0...0x20), (.bracket, 0...0x20), (.name, 0...0x20): break
        // A byte order mark.
        case (.start, 0xEF), (.start, 0xBB), (.start, 0xBF): break
        case (.start, UInt8(ascii: "[")), (.start, UInt8(ascii: "{")), (.bracket, UInt8(ascii: "[")),
            (.bracket, UInt8(ascii: "{")):
            isOpen = true
        case (.start, _) where Self.isNameByte(byte), (.name, _) where Self.isNameByte(byte): state = .name
        case (.name, UInt8(ascii: "(")):
            state = .bracket
            hasBracket = true
        default: isBroken = true
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "_$.".utf8.contains(byte)
    }

    /// Whether the bytes may stand behind the document.
    func isClosing(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.allSatisfy { $0 <= 0x20 || hasBracket && ");".utf8.contains($0) }
    }
}
