// Where a parser is in an XML document: the elements that are open and the text since the last tag.

/// The open elements and the text of the innermost one.
struct XMLPlace {
    /// No name, URL or number is longer, in bytes.
    private static let textLimit = 65_536

    /// Whether texts and attributes may hold bytes that the filter has mapped.
    var isMapped = false

    private var open: [XMLName] = []
    private var text: [UInt8] = []
    private var isTextCut = false
    // The text of an element that has ended is dropped when something follows: by then the receiver has let go of it,
    // and its buffer can be used again.
    private var isEnded = false

    mutating func begin(
        _ name: XMLName, _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int32
    ) -> XMLElement {
        forgetText()
        let element = XMLElement(
            name: name, parent: open.last, depth: open.count + 1, attributes: attributes, count: count,
            isMapped: isMapped)
        open.append(name)
        return element
    }

    /// The element that ends, with its depth and text. A text that was cut is no name and no number.
    mutating func end() -> XMLEnd? {
        guard let name = open.popLast() else { return nil }
        if isEnded { forgetText() }
        if isMapped { XMLByteFilter.restore(&text) }
        isEnded = true
        return XMLEnd(name: name, parent: open.last, depth: open.count + 1, text: isTextCut ? [] : text)
    }

    mutating func append(_ characters: UnsafeBufferPointer<UInt8>) {
        if isEnded { forgetText() }
        guard text.count + characters.count <= Self.textLimit else {
            isTextCut = true
            return
        }
        text.append(contentsOf: characters)
    }

    private mutating func forgetText() {
        if !text.isEmpty { text.removeAll(keepingCapacity: true) }
        isTextCut = false
        isEnded = false
    }
}

/// The end of an element.
struct XMLEnd {
    let name: XMLName
    /// The element that it stands in; nil for the root.
    let parent: XMLName?
    /// 1 for the root.
    let depth: Int
    /// The text since the last tag.
    let text: [UInt8]
}
