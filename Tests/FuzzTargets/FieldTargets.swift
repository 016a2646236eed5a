// The values of single header fields and options: what is accepted has one canonical text, and that text is read as the
// same value.

import MirrorCore
import MirrorURL

func checkContentRange(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    guard let content = ContentRange(bytes.text) else { return false }
    if let range = content.range {
        try promise(range.first >= 0 && range.first <= range.last, "\(range)")
        if let total = content.total { try promise(range.last < total, "\(range) of \(total)") }
    }
    let range = content.range.map { "\($0.first)-\($0.last)" } ?? "*"
    let text = "bytes \(range)/\(content.total.map { String($0) } ?? "*")"
    try promise(ContentRange(text) == content, text)
    return true
}

func checkRetryAfter(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    var isRead = false
    for now in [0, 784_111_777, 1_780_272_000, Int64.max, .min] {
        guard let delay = RetryAfter.delay(bytes.text, now: HTTPDate(seconds: now)) else { continue }
        try promise(delay >= .zero && delay <= .seconds(86_400), "\(delay)")
        isRead = true
    }
    return isRead
}

func checkDate(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    // Any number that a damaged database may hold has a text.
    let number = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    for text in [HTTPDate(seconds: number).httpText, HTTPDate(seconds: 0 &- number).httpText] {
        try promise(HTTPDate(text)?.httpText == text, text)
    }
    let dates = [HTTPDate(bytes.text), HTTPDate.iso(bytes.text)].compactMap { $0 }
    for date in dates {
        try promise((-62_135_596_800...253_402_300_799).contains(date.seconds), "\(date.seconds)")
        try promise(HTTPDate(date.httpText) == date, date.httpText)
        try promise(HTTPDate.iso(date.isoText) == date, date.isoText)
    }
    return !dates.isEmpty
}

func checkContentDisposition(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    guard let name = ContentDisposition.fileName(bytes.text) else { return false }
    try promise(!name.isEmpty && !name.utf8.contains { #"/\"#.utf8.contains($0) }, name.quoted)
    guard let address = try? URLParser().parse("https://h:1/a/b%2Fc/") else { return false }
    for layout in Layout.allCases {
        guard let path = try? LocalName.path(suggested: name, for: address, layout: layout) else { continue }
        try checkPath(path)
        try promise(path.name.utf8.elementsEqual(name.utf8), "\(name.quoted): \(path.text.quoted)")
    }
    return true
}

/// Checksums, entity tags, header fields and sizes.
func checkChecksum(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    let text = bytes.text
    var isRead = false
    if let checksum = try? Checksum(parsing: text) {
        try promise(checksum.value.count == checksum.algorithm.byteCount, text)
        let again = try? Checksum(parsing: checksum.description)
        try promise(again == checksum, text)
        isRead = true
    }
    if let tag = EntityTag(text) {
        try promise(tag.text.utf8.elementsEqual(text.utf8) && tag.weaklyMatches(tag), text.quoted)
        try promise(tag.text.utf8.count <= EntityTag.longest, "\(tag.text.utf8.count)")
        try promise(!tag.text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, text.quoted)
        isRead = true
    }
    if let field = HeaderField(parsing: text) {
        let line = "\(field.name): \(field.value)"
        try promise(HeaderField(parsing: line) == field, line.quoted)
        try promise(!line.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, line.quoted)
        isRead = true
    }
    if let count = ByteCount.parse(text) {
        try promise(count >= 0 && ByteCount.parse(String(count)) == count, text)
        isRead = true
    }
    return isRead
}
