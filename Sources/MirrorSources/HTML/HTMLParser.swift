// libxml2's HTML parser as a stream of events. It builds no tree, so that memory does not grow with the page and one
// unclosed element in each row hides nothing. What the elements mean is for HTMLReading.

import CLibXML2

/// The attributes of one element, references decoded; valid during the call.
struct HTMLAttributes {
    fileprivate let list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

    /// The value of an attribute; empty where it has none, nil where it is missing.
    func value(of name: StaticString) -> UnsafeRawBufferPointer? {
        guard var next = list else { return nil }
        while let found = next[0] {
            if found.isName(name) {
                guard let value = next[1] else { return UnsafeRawBufferPointer(start: nil, count: 0) }
                return UnsafeRawBufferPointer(start: value, count: Int(xmlStrlen(value)))
            }
            next += 2
        }
        return nil
    }
}

extension UnsafePointer<xmlChar> {
    /// Whether the NUL-terminated name is this one.
    func isName(_ name: StaticString) -> Bool {
        var index = 0
        while index < name.utf8CodeUnitCount {
            guard self[index] == name.utf8Start[index] else { return false }
            index += 1
        }
        return self[index] == 0
    }
}

/// Owns one push parser and the reading that it feeds.
final class HTMLParser {
    private let context: htmlParserCtxtPtr?
    private let receiver: Receiver
    /// The start of a tag of which the rest has not come.
    private var broken: [UInt8] = []

    /// The longest tag that is kept back, in bytes; a longer one is no end of a script.
    private static let longestBroken = 64
    /// What names of elements and attributes may take, in bytes; libxml2 keeps each of them to its end.
    private static let namesLimit = 16 << 20

    private static let library: Void = xmlInitParser()

    init(reading: HTMLReading) {
        Self.library
        let receiver = Receiver(reading)
        self.receiver = receiver
        var handler = htmlSAXHandler()
        handler.internalSubset = htmlDocumentType
        handler.startElement = htmlStart
        handler.endElement = htmlEnd
        handler.characters = htmlText
        // White space separates the rows of a listing, and a script must not be taken for text.
        handler.ignorableWhitespace = htmlText
        handler.cdataBlock = htmlNothing
        let user = Unmanaged.passUnretained(receiver).toOpaque()
        // UTF-8 is what the bytes are made to look like, so that the page's own word is not asked.
        context = htmlCreatePushParserCtxt(&handler, user, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
        receiver.context = context
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
        if let context { htmlCtxtUseOptions(context, Int32(bitPattern: options)) }
    }

    deinit {
        if let context { htmlFreeParserCtxt(context) }
    }

    /// What the page has shown so far.
    var reading: HTMLReading {
        _read { yield receiver.reading }
        _modify { yield &receiver.reading }
    }

    /// Whether there is a parser: it takes memory to make one.
    var isUsable: Bool { context != nil }

    /// Takes bytes that have been made UTF-8, at most `Int32.max` of them. A tag that they break is kept for the next
    /// call: libxml2 2.9.14 takes the `</` of `</script>` for text where the name comes later.
    func parse(_ bytes: UnsafeRawBufferPointer) {
        guard !broken.isEmpty else { return parseToLastTag(bytes[...]) }
        let joined = broken + bytes
        broken = []
        joined.withUnsafeBytes { parseToLastTag($0[...]) }
    }

    private func parseToLastTag(_ bytes: Slice<UnsafeRawBufferPointer>) {
        var bytes = bytes
        if let name = receiver.rawElement {
            // Nor does it know any `</` at the start of what it is given from the end of the script.
            bytes = bytes[(Self.end(of: name, in: bytes) ?? Self.brokenTag(bytes))...]
            guard Self.end(of: name, in: bytes) != nil else { return broken += bytes }
        }
        let end = Self.brokenTag(bytes)
        broken += bytes[end...]
        push(UnsafeRawBufferPointer(rebasing: bytes[..<end]), isLast: false)
    }

    /// Where a short tag starts that has no end yet; the end of the bytes if none does.
    private static func brokenTag(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        let tail = bytes.suffix(longestBroken)
        guard let open = tail.lastIndex(of: UInt8(ascii: "<")), !tail[open...].contains(UInt8(ascii: ">")) else {
            return bytes.endIndex
        }
        return open
    }

    /// Where the end tag of a script or style starts.
    private static func end(of name: StaticString, in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        var rest = bytes
        while let open = rest.position(of: UInt8(ascii: "<")) {
            let tag = rest[open...].dropFirst(2).prefix(name.utf8CodeUnitCount)
            let isName = zip(tag, 0...).allSatisfy { $0 | 0x20 == name.utf8Start[$1] }
            let isEnd = rest[open...].dropFirst().first == UInt8(ascii: "/")
            if isEnd, isName, tag.count == name.utf8CodeUnitCount { return open }
            rest = rest[(open + 1)...]
        }
        return nil
    }

    private func push(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
        guard let context, isLast || !bytes.isEmpty else { return }
        // Not zero for every harmless error; what counts is how the page ends.
        _ = htmlParseChunk(
            context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count),
            isLast ? 1 : 0)
    }

    /// Hands on what was kept: no more bytes come.
    func flush() {
        let rest = broken
        broken = []
        rest.withUnsafeBytes { push($0, isLast: false) }
    }

    /// Ends all elements that are open.
    func finish() {
        push(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    }

    /// Bytes that wait for the end of a tag, a comment or a text.
    var unread: UnsafeRawBufferPointer {
        guard let input = context?.pointee.input, let start = input.pointee.cur, let end = input.pointee.end,
            end > start
        else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: start, count: end - start)
    }

    /// The script or style that is open: what it holds is no page.
    var rawElement: StaticString? { receiver.rawElement }

    /// Whether the page makes libxml2 keep more names than any listing has.
    var hasTooManyNames: Bool {
        guard let dictionary = context?.pointee.dict else { return false }
        return Int(xmlDictGetUsage(dictionary)) > Self.namesLimit
    }
}

/// What the C callbacks are given.
private final class Receiver {
    // libxml2 calls for one event after the other: nothing is to be guarded, a hundred thousand times.
    @exclusivity(unchecked) var reading: HTMLReading
    var context: htmlParserCtxtPtr?
    var rawElement: StaticString?

    init(_ reading: HTMLReading) { self.reading = reading }

    /// The receiver lives as long as its parser runs, so nothing needs to be counted on the way.
    static func tell(_ user: UnsafeMutableRawPointer?, _ event: (Receiver) -> Void) {
        guard let user else { return }
        Unmanaged<Receiver>.fromOpaque(user)._withUnsafeGuaranteedRef { event($0) }
    }

    func start(_ name: UnsafePointer<xmlChar>, _ attributes: HTMLAttributes) {
        if name.isName("script") { rawElement = "script" }
        if name.isName("style") { rawElement = "style" }
        reading.start(name, attributes, depth: Int(context?.pointee.nameNr ?? 0))
    }

    func end(_ name: UnsafePointer<xmlChar>) {
        if let element = rawElement, name.isName(element) { rawElement = nil }
        reading.end(name)
    }

    func text(_ bytes: UnsafeRawBufferPointer) {
        if rawElement == nil { reading.text(bytes) }
    }
}

private func htmlDocumentType(
    _ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?, _ publicName: UnsafePointer<xmlChar>?,
    _ systemName: UnsafePointer<xmlChar>?
) {
    Receiver.tell(user) { $0.reading.documentType(publicName: publicName) }
}

private func htmlStart(
    _ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    guard let name else { return }
    Receiver.tell(user) { $0.start(name, HTMLAttributes(list: attributes)) }
}

private func htmlEnd(_ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?) {
    guard let name else { return }
    Receiver.tell(user) { $0.end(name) }
}

private func htmlText(_ user: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let text, count > 0 else { return }
    Receiver.tell(user) { $0.text(UnsafeRawBufferPointer(start: text, count: Int(count))) }
}

private func htmlNothing(_ user: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32) {}
