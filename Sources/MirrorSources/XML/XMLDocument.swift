// One XML document as a stream of elements, by libxml2's push parser: no tree, no entities of the document's own, no
// files and no network. What an element means is for the forms.

import CLibXML2
import MirrorCore

/// What takes the elements of a document.
protocol XMLElementReceiver: AnyObject {
    /// An element begins.
    func start(_ element: XMLElement)
    /// An element ends.
    /// - Parameter text: the text since the last tag, so the whole text of an element without children.
    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8])
}

/// The parser of one document.
final class XMLDocument {
    /// Deeper than any listing; a document that goes on and on is none.
    static let depthLimit = 100
    /// How much is given to libxml2 at once, so that its own buffer stays small.
    private static let portion = 65_536

    /// Why the document is not what it should be; the first reason.
    private(set) var doubt: String?
    /// Why nothing of it may be used.
    private(set) var refusal: String?

    private let choose: (XMLName) -> (any XMLElementReceiver)?
    private var receiver: (any XMLElementReceiver)?
    private let charset: String?
    private var parser: xmlParserCtxtPtr?
    private var head: [UInt8] = []
    private var filter: XMLByteFilter?
    // libxml2 calls for one event after the other: nothing is to be guarded, a hundred thousand times.
    @exclusivity(unchecked) private var place = XMLPlace()

    /// - Parameters:
    ///   - charset: the encoding that the server named.
    ///   - choose: gives what takes the elements, by the name of the root element.
    init(charset: String?, choose: @escaping (XMLName) -> (any XMLElementReceiver)?) {
        self.charset = charset.flatMap { Self.isKnown($0) ? $0 : nil }
        self.choose = choose
    }

    deinit {
        guard let parser else { return }
        // What libxml2 keeps of a document type.
        if let document = parser.pointee.myDoc { xmlFreeDoc(document) }
        xmlFreeParserCtxt(parser)
    }

    /// Stops at what makes reading on pointless.
    func stop(_ why: String) {
        doubt = doubt ?? why
        if let parser { xmlStopParser(parser) }
    }

    func read(_ bytes: UnsafeRawBufferPointer) {
        guard parser == nil else { return pass(bytes) }
        // White space before the declaration is no XML, and common.
        if head.isEmpty {
            head.append(contentsOf: bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) })
        } else {
            head.append(contentsOf: bytes)
        }
        begin(isLast: false)
    }

    /// Ends the document: what is still open is damage.
    func finish() {
        if parser == nil { begin(isLast: true) }
        filter?.finish {
            place.isMapped = true
            feed($0)
        }
        if let parser, doubt == nil { xmlParseChunk(parser, nil, 0, 1) }
    }

    private func begin(isLast: Bool) {
        guard let encoding = XMLEncoding(head: head, charset: charset, isLast: isLast) else { return }
        var handler = Self.handler
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard let parser = xmlCreatePushParserCtxt(&handler, context, nil, 0, nil) else {
            refusal = "there is no memory for it"
            return
        }
        self.parser = parser
        var options = XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue
        switch encoding {
        case .utf8:
            options |= XML_PARSE_IGNORE_ENC.rawValue
            filter = XMLByteFilter()
        case .declared: break
        case .named(let name):
            options |= XML_PARSE_IGNORE_ENC.rawValue
            _ = xmlCtxtResetPush(parser, nil, 0, nil, name)
        }
        xmlCtxtUseOptions(parser, Int32(options))
        let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...].drop { $0 <= 0x20 } : head[...]
        head = []
        start.withUnsafeBytes { pass($0) }
    }

    private static func isKnown(_ charset: String) -> Bool {
        guard let handler = xmlFindCharEncodingHandler(charset) else { return false }
        xmlCharEncCloseFunc(handler)
        return true
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) {
        guard let filter else { return feed(bytes) }
        filter.pass(bytes) {
            place.isMapped = filter.hasMapped
            feed($0)
        }
    }

    private func feed(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty, refusal == nil, let parser {
            let portion = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.portion))
            xmlParseChunk(parser, portion.bindMemory(to: CChar.self).baseAddress, Int32(portion.count), 0)
            rest = rest.dropFirst(portion.count)
        }
    }

    // What libxml2 calls.

    private func begin(
        _ name: XMLName, _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int32
    ) {
        let element = place.begin(name, attributes, count)
        if element.depth > Self.depthLimit { return stop("it is nested deeper than \(Self.depthLimit) levels") }
        if element.depth == 1 { receiver = receiver ?? choose(name) }
        receiver?.start(element)
    }

    private func end() {
        guard let end = place.end() else { return }
        receiver?.end(end.name, parent: end.parent, depth: end.depth, text: end.text)
    }

    private func append(_ characters: UnsafeBufferPointer<UInt8>) { place.append(characters) }

    private func note(line: Int32) {
        doubt = doubt ?? "the XML is damaged at line \(line)"
    }

    private func refuseEntities() {
        refusal = refusal ?? "it defines entities of its own, which is how XML attacks are made"
        if let parser { xmlStopParser(parser) }
    }

    /// The document lives as long as its parser runs, so nothing needs to be counted on the way.
    private static func tell(_ context: UnsafeMutableRawPointer?, _ event: (XMLDocument) -> Void) {
        guard let context else { return }
        Unmanaged<XMLDocument>.fromOpaque(context)._withUnsafeGuaranteedRef { event($0) }
    }

    private static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = XML_SAX2_MAGIC
        handler.startElementNs = { context, local, _, space, _, _, count, _, attributes in
            guard let local else { return }
            XMLDocument.tell(context) { $0.begin(XMLName(local: local, space: space), attributes, count) }
        }
        handler.endElementNs = { context, _, _, _ in XMLDocument.tell(context) { $0.end() } }
        handler.characters = { context, text, count in
            XMLDocument.tell(context) { $0.append(UnsafeBufferPointer(start: text, count: Int(count))) }
        }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.entityDecl = { context, _, _, _, _, _ in XMLDocument.tell(context) { $0.refuseEntities() } }
        handler.unparsedEntityDecl = { context, _, _, _, _ in XMLDocument.tell(context) { $0.refuseEntities() } }
        handler.serror = { context, error in
            guard let error, error.pointee.level.rawValue > XML_ERR_WARNING.rawValue else { return }
            XMLDocument.tell(context) { $0.note(line: error.pointee.line) }
        }
        return handler
    }
}
