// The elements of one HTML page as they come, and what they say of the page and its rows. Links go to PageLinks; the
// text of a link is never a name.

import CLibXML2
import MirrorCore

/// Follows one page from its first element to its last.
struct HTMLReading {
    private enum Capture { case none, title, heading, link }

    /// Elements within each other; looking for the start of an element takes time with each of them.
    private static let deepest = 10_000
    /// What is kept of a title, a heading or the text of a link, in bytes.
    private static let longestText = 512

    private(set) var marks = PageMarks()
    private(set) var links: PageLinks
    private(set) var scripts = 0
    private(set) var asksForPassword = false
    private(set) var limit: String?

    /// The server, by what the page has shown so far.
    private var server: IndexServer?
    private var isRecognised = false
    /// The server by whose columns facts were read: if it turns out to be another, they are worth nothing.
    private var factsServer: IndexServer?
    private var layout = IndexRow.Layout.none
    private var row = IndexRow()
    private var isInRows = false
    private var capture = Capture.none
    private var captured: [UInt8] = []
    private var hasElements = false
    private var hasBase = false

    init(context: DocumentContext) {
        links = PageLinks(context: context)
    }

    /// The server, by all that the page has shown.
    mutating func finish() -> IndexServer? {
        endRow()
        let server = IndexServer.recognise(marks)
        if let factsServer, server != factsServer { links.dropFacts() }
        return server
    }

    // MARK: - Elements

    mutating func documentType(publicName: UnsafePointer<xmlChar>?) {
        marks.take(documentType: publicName.map { String(cString: $0) })
    }

    mutating func start(_ name: UnsafePointer<xmlChar>, _ attributes: HTMLAttributes, depth: Int) {
        guard limit == nil else { return }
        if depth > Self.deepest { return limit = "its elements are more than \(Self.deepest) deep in each other" }
        switch name[0] {
        case UInt8(ascii: "a") where name[1] == 0: startLink(attributes)
        case UInt8(ascii: "t"): startTablePart(name, attributes)
        case UInt8(ascii: "b") where name.isName("base"): base(attributes)
        case UInt8(ascii: "d") where name.isName("div"):
            if attributes.value(of: "class")?.elementsEqual("list".utf8) == true { marks.hasListBox = true }
        case UInt8(ascii: "h") where name[1] == 0x72 && name[2] == 0: break
        case UInt8(ascii: "h") where name[1].isASCIIDigit: startHeading()
        case UInt8(ascii: "i") where name.isName("input"):
            if attributes.value(of: "type").map({ Self.isWord("password", $0) }) == true { asksForPassword = true }
        case UInt8(ascii: "m") where name.isName("meta"): return meta(attributes)
        case UInt8(ascii: "p") where name.isName("pre"): startPre()
        case UInt8(ascii: "s") where name.isName("script"): scripts += 1
        case UInt8(ascii: "u"): startListOrUse(name, attributes)
        default: break
        }
        if !name.isName("html"), !name.isName("body"), !name.isName("head") { hasElements = true }
    }

    mutating func end(_ name: UnsafePointer<xmlChar>) {
        switch name[0] {
        case UInt8(ascii: "a") where name[1] == 0: endLink()
        case UInt8(ascii: "t") where name.isName("tr"): endRow()
        case UInt8(ascii: "t") where name.isName("title"): endTitle()
        case UInt8(ascii: "t") where name.isName("table"), UInt8(ascii: "p") where name.isName("pre"):
            endRow()
            isInRows = false
        case UInt8(ascii: "h") where name[1].isASCIIDigit: endHeading()
        default: break
        }
    }

    private static func isWord(_ word: StaticString, _ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == word.utf8CodeUnitCount
            && bytes.indices.allSatisfy { bytes[$0].asciiLowercased == word.utf8Start[$0] }
    }

    private mutating func startTablePart(_ name: UnsafePointer<xmlChar>, _ attributes: HTMLAttributes) {
        if name.isName("td") || name.isName("th") {
            guard layout == .cells, isInRows else { return }
            row.startCell()
            if let order = attributes.value(of: "data-order") {
                row.order = order.count < 20 ? Int64(String(decoding: order, as: UTF8.self)) : nil
            }
        } else if name.isName("tr") {
            endRow()
        } else if name.isName("time") {
            guard layout == .cells, isInRows, let time = attributes.value(of: "datetime") else { return }
            row.time = ShownTime.parse(time)
        } else if name.isName("table") {
            if attributes.value(of: "id")?.elementsEqual("list".utf8) == true { marks.tableID = .list }
            startRows(.table)
        } else if name.isName("title"), marks.title.isEmpty {
            start(.title)
        }
    }

    private mutating func startPre() {
        if !hasElements { marks.startsWithPre = true }
        startRows(.pre)
    }

    private mutating func startListOrUse(_ name: UnsafePointer<xmlChar>, _ attributes: HTMLAttributes) {
        if name.isName("ul") {
            startRows(.list)
        } else if name.isName("use"), layout == .cells {
            // Caddy's icon of a symbolic link is `#file-shortcut`.
            let icon = attributes.value(of: "xlink:href") ?? attributes.value(of: "href")
            if icon?.suffix(9).elementsEqual("-shortcut".utf8) == true { row.isShortcut = true }
        }
    }

    private mutating func startRows(_ container: PageMarks.Container) {
        if marks.container == .none { marks.container = container }
        endRow()
        isInRows = true
        recognise(container)
    }

    private mutating func recognise(_ container: PageMarks.Container) {
        isRecognised = true
        server = IndexServer.recognise(marks)
        layout = server?.layout(container) ?? .none
    }

    private mutating func meta(_ attributes: HTMLAttributes) {
        let name = attributes.value(of: "name")
        if name.map({ Self.isWord("pypi:repository-version", $0) }) == true { marks.namesPackages = true }
    }

    private mutating func base(_ attributes: HTMLAttributes) {
        guard !hasBase, let href = attributes.value(of: "href") else { return }
        hasBase = true
        links.setBase(href)
    }

    // MARK: - Links

    private mutating func startLink(_ attributes: HTMLAttributes) {
        // A heading may be made of links; what stands before the first one is kept.
        endHeading()
        start(.link)
        guard let href = attributes.value(of: "href") else { return }
        if layout == .behind { endRow() }
        if layout == .cells { row.startLink() }
        if !isRecognised { recognise(marks.container) }
        links.take(href, isPackageIndex: server == .packageIndex)
        if let query = links.lastQuery, marks.sortLinks == .none {
            marks.take(sortLink: query)
            // The columns of a page are known once its header is.
            if marks.sortLinks != .none { recognise(marks.container) }
        }
        if layout == .before { endRow() }
    }

    private mutating func endLink() {
        guard capture == .link else { return }
        capture = .none
        if links.mayBeParent { links.takeText(captured.trimmedOfBlanks) }
    }

    // MARK: - Texts

    private mutating func start(_ capture: Capture) {
        self.capture = capture
        captured.removeAll(keepingCapacity: true)
    }

    private mutating func startHeading() {
        if marks.heading.isEmpty, capture == .none { start(.heading) }
    }

    private mutating func endHeading() {
        guard capture == .heading else { return }
        marks.heading = captured
        capture = .none
    }

    private mutating func endTitle() {
        guard capture == .title else { return }
        marks.title = captured
        capture = .none
    }

    mutating func text(_ bytes: UnsafeRawBufferPointer) {
        guard limit == nil else { return }
        if capture != .none {
            guard capture != .link || links.mayBeParent else { return }
            let room = Self.longestText - captured.count
            if room > 0 { HTMLInput.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)), to: &captured) }
            return
        }
        if !marks.hasLooseText { marks.hasLooseText = bytes.contains { $0 > 0x20 } }
        guard isInRows else { return }
        switch layout {
        case .none: break
        case .cells: if bytes.contains(where: { $0 > 0x20 }) { row.append(bytes) }
        case .behind, .before: appendLines(bytes)
        }
    }

    /// In `pre` the end of a line ends the row.
    private mutating func appendLines(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while let end = rest.position(of: 0x0A) {
            row.append(UnsafeRawBufferPointer(rebasing: rest[..<end]))
            endRow()
            rest = rest[(end + 1)...]
        }
        if !rest.isEmpty { row.append(UnsafeRawBufferPointer(rebasing: rest)) }
    }

    private mutating func endRow() {
        if let server, layout != .none, let position = links.rowEntry {
            if factsServer == nil { factsServer = server }
            links.set(row.facts(by: server), at: position)
        }
        links.endRow()
        row.clear()
    }
}
