// Which program wrote an index page, by the marks that it leaves in every page. It decides what the page can be relied
// on for: whether folders are marked, whether columns are exact, how a whole page ends.

import MirrorCore

/// The servers whose pages are known.
package enum IndexServer: Sendable, CaseIterable {
    case nginx, fancyindex, apache, lighttpd, caddy, rclone, python, twisted, go, darkhttpd, webfs
    /// mini_httpd and micro_httpd.
    case acme
    /// h2o and aiohttp, which cannot be told apart.
    case plainList
    case weborf, webrick, wsgidav, tomcat, jetty, iis
    /// A page of PEP 503, whose links are the files wherever they lie.
    case packageIndex

    /// Whether a folder's link ends in `/` always. Go leaves it out for a symbolic link to a folder.
    package var marksFolders: Bool {
        switch self {
        case .acme, .plainList, .go: false
        default: true
        }
    }

    /// What stands at the end of every whole page, in small letters; nil where nothing does, or where no page was at hand
    /// to see it.
    func ending(_ marks: PageMarks) -> String? {
        switch self {
        case .nginx, .fancyindex, .lighttpd, .caddy, .rclone, .python, .darkhttpd, .acme, .tomcat, .jetty: "</html"
        // With IndexOptions SuppressHTMLPreamble the page is the owner's own frame.
        case .apache: marks.hasDocumentType ? "</html" : nil
        case .go: "</pre"
        case .webfs: "</body"
        default: nil
        }
    }

    /// The server that leaves these marks; nil for a page of any other kind.
    package static func recognise(_ marks: PageMarks) -> IndexServer? {
        if marks.namesPackages { return .packageIndex }
        if marks.sortLinks == .apache { return .apache }
        let title = marks.title.trimmedOfBlanks
        if title.isEmpty { return marks.startsWithPre && !marks.hasLooseText ? .go : nil }
        if let path = title.rest(after: "Index of ") { return indexOf(path, marks) }
        for (start, server) in starts where title.rest(after: start) != nil { return server }
        if title.rest(after: "Directory listing for /") != nil { return marks.container == .table ? .twisted : .python }
        if marks.heading.trimmedOfBlanks.rest(after: "listing:") != nil, marks.container == .pre { return .webfs }
        if marks.sortLinks == .caddy { return title.first == UInt8(ascii: "/") ? .rclone : .caddy }
        guard marks.container == .pre, title.last == UInt8(ascii: "/") else { return nil }
        if title.first == UInt8(ascii: "/") { return title == marks.heading.trimmedOfBlanks ? .darkhttpd : nil }
        return String(decoding: title, as: UTF8.self).utf8.split(separator: UInt8(ascii: " ")).suffix(2).first?
            .elementsEqual("-".utf8) == true ? .iis : nil
    }

    private static let starts: [(String, IndexServer)] = [
        ("Directory Listing For [", .tomcat), ("Directory Listing For /", .tomcat), ("Directory: /", .jetty),
        ("WsgiDAV - Index of", .wsgidav), ("Links for ", .packageIndex), ("Simple Index", .packageIndex),
        ("Simple index", .packageIndex),
    ]

    /// The servers that call a page `Index of`.
    private static func indexOf(_ path: ArraySlice<UInt8>, _ marks: PageMarks) -> IndexServer? {
        if marks.tableID == .list { return .fancyindex }
        if marks.hasListBox { return .lighttpd }
        if marks.sortLinks == .webrick { return .webrick }
        if marks.isApacheDocumentType { return .apache }
        switch marks.container {
        case .pre where path.first != UInt8(ascii: "/"): return .acme
        case .pre where !marks.hasDocumentType: return .nginx
        case .list where !marks.hasDocumentType: return .plainList
        default: return nil
        }
    }
}

/// What a page shows of the program that wrote it.
package struct PageMarks: Sendable {
    package enum Container: Sendable { case none, pre, table, list }
    package enum TableID: Sendable { case none, list }
    /// How the links look that sort the page.
    package enum SortLinks: Sendable {
        case none
        /// `?C=N;O=D`
        case apache
        /// `?C=N&O=A`, as fancyindex and Jetty have it
        case ampersand
        /// `?sort=name&order=asc`
        case caddy
        /// `?N=D`
        case webrick
    }

    package var title: [UInt8] = []
    /// The first heading.
    package var heading: [UInt8] = []
    package var hasDocumentType = false
    package var isApacheDocumentType = false
    /// What the first rows stand in.
    package var container = Container.none
    package var tableID = TableID.none
    package var hasListBox = false
    package var sortLinks = SortLinks.none
    /// Whether `pre` is the first element.
    package var startsWithPre = false
    /// Whether there is text that is no link.
    package var hasLooseText = false
    /// Whether the page says that it follows PEP 503.
    package var namesPackages = false

    package init() {}

    private static let apacheDocumentTypes: Set<String> = [
        "-//W3C//DTD HTML 3.2 Final//EN", "-//W3C//DTD HTML 4.01//EN", "-//W3C//DTD XHTML 1.0 Transitional//EN",
    ]

    mutating func take(documentType publicName: String?) {
        hasDocumentType = true
        isApacheDocumentType = publicName.map { Self.apacheDocumentTypes.contains($0) } ?? false
    }

    /// - Parameter query: a link that is nothing but a query, from its `?` on.
    mutating func take(sortLink query: some Collection<UInt8>) {
        guard sortLinks == .none else { return }
        let text = String(decoding: query.prefix(64), as: UTF8.self)
        let keys = "NMSD"
        if text.hasPrefix("?sort="), text.contains("&order=") {
            sortLinks = .caddy
        } else if let key = text.dropFirst(3).first, text.hasPrefix("?C="), keys.contains(key) {
            let rest = text.dropFirst(4)
            if rest.hasPrefix(";O=") { sortLinks = .apache } else if rest.hasPrefix("&O=") { sortLinks = .ampersand }
        } else if text.utf8.count == 4, let key = text.dropFirst(1).first, keys.contains(key),
            text.hasSuffix("=A") || text.hasSuffix("=D")
        {
            sortLinks = .webrick
        }
    }
}

extension Collection<UInt8> {
    /// What follows these bytes, or nil where it does not start with them.
    fileprivate func rest(after start: String) -> ArraySlice<UInt8>? {
        self.starts(with: start.utf8) ? Array(self)[start.utf8.count...] : nil
    }
}
