// The links of an HTML page: which of them name a file or a folder below the page's own folder. Links are bytes and stay
// what they are; the text beside them counts only for telling the link to the folder above.

import MirrorCore
import MirrorURL

/// Turns links into the entries of a listing.
struct PageLinks {
    private(set) var listing = Listing()
    private(set) var verdict = PageVerdict()
    /// The file that the row names; nil where there is none, or more than one.
    private(set) var rowEntry: Int?
    /// The last link where it was nothing but a query, from its `?` on.
    private(set) var lastQuery: [UInt8]?

    private let context: DocumentContext
    private let parser = URLParser()
    private var ground: Ground?
    private var table = LinkTable()
    private var refused: Set<Address> = []
    private var rowHasFolder = false
    private var rowHasMore = false
    /// Whether the last link leads to the page's folder or above it.
    private(set) var mayBeParent = false

    init(context: DocumentContext) {
        self.context = context
        ground = context.address.map { Ground(base: $0.folder, scope: IndexScope(page: $0)) }
    }

    /// What links are resolved against and compared with. A class, so that a link costs no copy of it.
    private final class Ground: Sendable {
        /// A folder: a link that is nothing but a query or a fragment is no file.
        let base: Address
        let scope: IndexScope
        /// The folder that the page names as the base of its links, where that is another branch of the same origin.
        let baseScope: IndexScope?

        init(base: Address, scope: IndexScope, baseScope: IndexScope? = nil) {
            self.base = base
            self.scope = scope
            self.baseScope = baseScope
        }

        func position(of address: Address) -> IndexScope.Position {
            let position = scope.position(of: address)
            if let baseScope, case .outside = position { return baseScope.position(of: address) }
            return position
        }
    }

    /// Whether links can be told apart at all.
    var hasBase: Bool { ground != nil }

    /// Takes the first `<base href>` of the page.
    mutating func setBase(_ href: UnsafeRawBufferPointer) {
        let found = Self.withCleaned(href) { text, _ in
            if let address = context.address { return try? parser.resolve(bytes: text, against: address) }
            return try? parser.parse(bytes: text)
        }
        guard let folder = found?.folder, folder != ground?.base else { return }
        if verdict.links > 0 { verdict.hasLateBase = true }
        let other = IndexScope(page: folder)
        guard let scope = ground?.scope else { return ground = Ground(base: folder, scope: other) }
        // As a redirect does, it may lead to another branch, but never above the page: a whole site has the base `/`.
        var isBranch = false
        if case .outside = other.position(of: scope.folder) { isBranch = folder.origin == scope.folder.origin }
        ground = Ground(base: folder, scope: scope, baseScope: isBranch ? other : nil)
    }

    mutating func take(_ href: UnsafeRawBufferPointer, isPackageIndex: Bool) {
        Self.withCleaned(href) { take($0, $1, isPackageIndex: isPackageIndex) }
    }

    private mutating func take(_ text: Slice<UnsafeRawBufferPointer>, _ marks: LinkMarks, isPackageIndex: Bool) {
        lastQuery = nil
        mayBeParent = false
        guard let first = text.first, first != UInt8(ascii: "#") else { return }
        verdict.links += 1
        let hash = marks.hasFragment ? text.position(of: UInt8(ascii: "#")) ?? text.endIndex : text.endIndex
        if marks.hasQuery, let question = text[..<hash].position(of: UInt8(ascii: "?")) {
            // A query sorts, filters or turns the page: no known server has files with one.
            if question == text.startIndex { lastQuery = Array(text) } else { verdict.withQuery += 1 }
            return
        }
        guard let ground else { return }
        do throws(URLProblem) {
            let address = try parser.resolve(bytes: text, against: ground.base)
            let checksum = hash < text.endIndex ? Self.checksum(text[(hash + 1)...]) : nil
            if marks.hasUser, !Self.hasSameUser(address, ground.base) {
                verdict.outside += 1
            } else {
                take(address, ground.position(of: address), checksum, text, isPackageIndex)
            }
        } catch {
            note(error, of: text)
        }
    }

    /// The text of the last link. It tells the folder above from any other link that leads up, such as a logo.
    mutating func takeText(_ text: [UInt8]) {
        guard mayBeParent else { return }
        let isParent = Self.parentTexts.contains { text.starts(with: $0.utf8) }
        if isParent { verdict.hasParentLink = true }
    }

    private static let parentTexts = ["..", "Parent", "parent", "[To Parent", "Up To", "Up to", "Up one"]

    mutating func set(_ facts: ListedFacts, at position: Int) {
        listing.entries[position].listed = facts
    }

    mutating func endRow() {
        rowEntry = nil
        rowHasFolder = false
        rowHasMore = false
    }

    mutating func dropFacts() {
        for index in listing.entries.indices { listing.entries[index].listed = ListedFacts() }
    }

    // MARK: - One link

    private mutating func take(
        _ address: Address, _ position: IndexScope.Position, _ checksum: Checksum?,
        _ text: Slice<UnsafeRawBufferPointer>,
        _ isPackageIndex: Bool
    ) {
        switch position {
        case .atOrAbove:
            mayBeParent = true
            if Self.isDots(text) { verdict.hasParentLink = true }
        case .below(.success(let path), isFolder: true):
            add(folder: address, path)
        case .below(.success(let path), isFolder: false):
            add(file: address, path, checksum)
        case .below(.failure(let failure), _):
            refuse(address, failure)
        case .outside:
            outside(address, checksum, isPackageIndex)
        }
    }

    private mutating func add(folder address: Address, _ path: LocalPath) {
        rowHasFolder = true
        rowEntry = nil
        guard table.position(ofFolder: path, in: listing) == nil else { return }
        verdict.named += 1
        listing.folders.append(ListedFolder(address: address.withOneSlash, path: path))
    }

    private mutating func add(file address: Address, _ path: LocalPath, _ checksum: Checksum?) {
        let known = table.position(ofFile: path, in: listing)
        noteRow(known ?? listing.entries.count)
        guard known == nil else { return }
        verdict.named += 1
        listing.entries.append(
            Entry(
                address: address, path: path, place: SourcePlace(source: context.source),
                options: checksum.map { EntryOptions(checksum: $0) }))
    }

    /// Two files in one row: what it says may be of either.
    private mutating func noteRow(_ position: Int) {
        if let rowEntry, rowEntry != position { rowHasMore = true }
        rowEntry = rowHasFolder || rowHasMore ? nil : position
    }

    private mutating func refuse(_ address: Address, _ failure: Failure) {
        guard refused.insert(address).inserted else { return }
        verdict.named += 1
        listing.entries.append(
            Entry(
                address: address, place: SourcePlace(source: context.source),
                options: EntryOptions(refusal: failure)))
    }

    /// A package index may have its files in another folder; each such link has its checksum.
    private mutating func outside(_ address: Address, _ checksum: Checksum?, _ isPackageIndex: Bool) {
        guard let ground, address.origin == ground.base.origin else {
            if isPackageIndex, checksum != nil { verdict.filesElsewhere += 1 }
            return
        }
        guard isPackageIndex, let checksum else { return verdict.outside += 1 }
        do throws(Failure) {
            guard let path = try LocalName.path(for: address, layout: .name) else { return verdict.outside += 1 }
            add(file: address, path, checksum)
        } catch {
            refuse(address, error)
        }
    }

    /// A link of another scheme is of no interest. One without any that is no URL is a file that cannot be had.
    private mutating func note(_ problem: URLProblem, of text: Slice<UnsafeRawBufferPointer>) {
        let slash = text.position(of: UInt8(ascii: "/")) ?? text.endIndex
        guard text[..<slash].position(of: UInt8(ascii: ":")) == nil, !text.starts(with: "//".utf8) else { return }
        verdict.unreadable += 1
    }

    // MARK: - The bytes of a link

    /// Without blanks around it and without line ends and tabs in it, as browsers read links (WHATWG URL section 4.4).
    private static func withCleaned<Value>(
        _ href: UnsafeRawBufferPointer, _ body: (Slice<UnsafeRawBufferPointer>, LinkMarks) -> Value
    ) -> Value {
        var text = href[...]
        while let first = text.first, isBlank(first) { text = text.dropFirst() }
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        let marks = LinkMarks(text)
        guard marks.needsCleaning else { return body(text, marks) }
        var cleaned: [UInt8] = []
        HTMLInput.append(UnsafeRawBufferPointer(rebasing: text), to: &cleaned)
        cleaned.removeAll(where: isLineBlank)
        return cleaned.withUnsafeBytes { body($0[...], marks) }
    }

    private static func isLineBlank(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0C || isLineBlank(byte)
    }

    private static func isDots(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        text.elementsEqual("../".utf8) || text.elementsEqual("..".utf8)
    }

    /// Whether both have the same text before their paths, so that a page cannot slip a password in.
    private static func hasSameUser(_ left: Address, _ right: Address) -> Bool {
        left.text.utf8.prefix(left.pathRange.lowerBound).elementsEqual(
            right.text.utf8.prefix(right.pathRange.lowerBound))
    }

    /// `sha256=…` of a fragment (PEP 503), alone or with other fields.
    private static func checksum(_ fragment: Slice<UnsafeRawBufferPointer>) -> Checksum? {
        guard fragment.count <= 512 else { return nil }
        for field in fragment.split(separator: UInt8(ascii: "&")) {
            if let checksum = try? Checksum(parsing: String(decoding: field, as: UTF8.self)) { return checksum }
        }
        return nil
    }
}

/// Which bytes a link has that ask for a second look; most have none.
private struct LinkMarks {
    var hasFragment = false
    var hasQuery = false
    /// A name before the host, perhaps: `@` stands in names, too.
    var hasUser = false
    /// Line ends, tabs, and bytes that are carried through the parser as a mark.
    var needsCleaning = false

    init(_ text: Slice<UnsafeRawBufferPointer>) {
        let bytes = UnsafeRawBufferPointer(rebasing: text)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            // Letters and digits, and most of the rest.
            if byte > 0x40 && byte < 0x80 || byte > 0x23 && byte < 0x3F { continue }
            switch byte {
            case 0x20...0x22: break
            case 0x23: hasFragment = true
            case 0x3F: hasQuery = true
            case 0x40: hasUser = true
            default: needsCleaning = true
            }
        }
    }
}

extension Address {
    /// With one `/` at its end where there are more: Tomcat lists `deep//`, and would list `deep//a//` there.
    fileprivate var withOneSlash: Address {
        let extra = path.utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count - 1
        guard extra > 0, isIndex else { return self }
        let end = pathRange.upperBound - extra
        return Address(
            text: String(decoding: Array(text.utf8.prefix(end)), as: UTF8.self), origin: origin,
            pathStart: pathRange.lowerBound, pathEnd: end)
    }
}
