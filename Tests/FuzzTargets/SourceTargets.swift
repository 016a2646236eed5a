// Sources: they are read or refused whole, what they name stays below DIR, and how lines end makes no difference.

import MirrorCore
import MirrorSources
import MirrorURL

func checkManifest(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    let parsed = ManifestParser(layout: .path).parse(bytes)
    try checkParsed(parsed)
    for layout in [Layout.host, .name] { try checkParsed(ManifestParser(layout: layout).parse(bytes)) }
    if !bytes.contains(0x0D) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let other = ManifestParser(layout: .path).parse(Array(lines.joined(separator: [0x0D, 0x0A])))
        try promise(parsed.entries.elementsEqual(other.entries, by: isSame), "CRLF reads other entries")
        try promise(parsed.problems == other.problems, "CRLF reads other problems")
    }
    // The URLs that stand for themselves are a manifest of their own.
    let plain = parsed.entries.filter { $0.options == nil }
    let again = ManifestParser(layout: .path).parse(Array(plain.map { "\($0.address.text)\n" }.joined().utf8))
    try promise(again.entries.map(\.address) == plain.map(\.address), "the URLs are read otherwise")
    try promise(again.entries.map(\.path) == plain.map(\.path), "the URLs have other paths")
    _ = TargetCheck(of: parsed.entries)
    return !parsed.entries.isEmpty
}

func isSame(_ left: Entry, _ right: Entry) -> Bool {
    left.addresses == right.addresses && left.path == right.path && left.place == right.place
        && (left.options == nil) == (right.options == nil)
        && (left.options.map { one in right.options.map(one.says) ?? false } ?? true)
}

func checkReport(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    let parsed = ReportParser(layout: .name).parse(bytes)
    if !parsed.problems.isEmpty { try promise(parsed.entries.isEmpty, "entries of a report with problems") }
    for entry in parsed.entries { try checkEntry(entry) }
    try checkProblems(parsed.problems)
    let failed = ReportParser(layout: .path, only: .failed).parse(bytes)
    try promise(
        failed.entries.count <= parsed.entries.count || !parsed.problems.isEmpty, "a part is more than the whole")
    return !parsed.entries.isEmpty
}

/// Any bytes have a form, and are read or refused in it.
func checkSource(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    let parsed = SourceReader.read(bytes, layout: .name)
    try checkProblems(parsed.problems)
    for entry in parsed.entries { try checkEntry(entry) }
    return !parsed.entries.isEmpty
}

func checkParsed(_ parsed: ParsedSource) throws(BrokenPromise) {
    try promise(parsed.entries.isEmpty == !parsed.problems.isEmpty, "neither read nor refused")
    try promise(parsed.problems.count <= ParsedSource.problemLimit + 1, "\(parsed.problems.count) problems")
    for entry in parsed.entries { try checkEntry(entry) }
    try checkProblems(parsed.problems)
}

func checkEntry(_ entry: Entry) throws(BrokenPromise) {
    for address in entry.addresses { try checkAddress(address) }
    if let path = entry.path { try checkPath(path) }
    guard let options = entry.options else { return }
    if let folder = options.folder { try checkPath(folder) }
    let lines =
        options.fields.map { "\($0.name): \($0.value)" } + [options.referer, options.userAgent].compactMap { $0 }
    for line in lines {
        try promise(!line.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "sent: \(line.quoted)")
    }
    try promise(!options.fields.contains(where: \.isReserved), "a reserved field")
    if let size = options.size { try promise(size >= 0, "\(size)") }
    if let split = options.split { try promise((1...64).contains(split), "\(split)") }
}

private func checkProblems(_ problems: [SourceProblem]) throws(BrokenPromise) {
    for problem in problems {
        let text = problem.message
        try promise(!text.isEmpty && !text.steersTerminals && text.utf8.count < 1_000, text.quoted)
        try promise(problem.column >= 0 && problem.place.line >= 0, "\(problem)")
    }
}
