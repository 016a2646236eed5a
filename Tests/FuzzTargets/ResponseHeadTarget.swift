// Response heads as libcurl hands them over, a line a call: neither interim answers before one nor the way its lines end
// change what it says, and every judgement of it has an answer.

import MirrorCore
import MirrorTransport

func checkResponseHead(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    let lines = linesWithEnds(bytes)
    guard let head = read(lines) else { return false }
    try promise(head.contentLength ?? 0 >= 0 && head.status >= 0, "\(head)")
    if let tag = head.validators.etag { _ = try checkChecksum(Array(tag.text.utf8)) }
    // These go back to the server in a line of their own.
    for text in [head.validators.lastModified, head.validators.ifRange].compactMap({ $0 }) {
        try promise(!text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } && !text.isEmpty, text.quoted)
    }
    let early = linesWithEnds(Array("HTTP/1.1 103 Early Hints\r\nETag: \"early\"\r\nContent-Length: 7\r\n\r\n".utf8))
    try promise(read(early + lines) == head, "an interim answer changes the answer")
    let bare = lines.map { $0.suffix(2) == [0x0D, 0x0A] ? Array($0.dropLast(2)) + [0x0A] : $0 }
    try promise(read(bare) == head, "lines without CR change the answer")
    try judge(head)
    return true
}

private func linesWithEnds(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A) {
        lines.append(Array(rest[...end]))
        rest = rest[(end + 1)...]
    }
    return lines
}

private func read(_ lines: [[UInt8]]) -> ResponseHead? {
    var parser = HeaderParser()
    for line in lines where !line.withUnsafeBytes({ parser.add($0) }) { return nil }
    return parser.head
}

private func judge(_ head: ResponseHead) throws(BrokenPromise) {
    let generation = Generation(total: 1_000, validators: head.validators)
    let demands = [
        Demand(part: .whole), Demand(part: .whole, isConditional: true, refusesHTML: true, declaredSize: 1_000),
        Demand(part: .range(first: 500, last: nil), generation: generation),
        Demand(part: .range(first: 500, last: 599), generation: generation, promised: head.validators),
    ]
    for demand in demands {
        // Nobody knows where such a body ends.
        if head.hasInvalidLength, [200, 206].contains(head.status) {
            guard case .failure = ResponseVerdict.on(head, for: demand) else {
                throw BrokenPromise(description: "a body of no length is taken")
            }
        }
        switch (ResponseVerdict.on(head, for: demand), demand.part) {
        case (.part(let sent), .range(let first, let last)):
            let isAsked = sent.first <= first && sent.last >= first && sent.last <= last ?? .max
            try promise([200, 206].contains(head.status) && isAsked && sent.end <= 1_000, "\(sent) for \(demand)")
            if let length = head.contentLength { try promise(length == sent.count, "\(length) bytes for \(sent)") }
        case (.part, .whole): throw BrokenPromise(description: "a part in place of the whole")
        case (.whole(let total), _): try promise(total ?? 0 >= 0, "\(total ?? 0)")
        case (.unchanged, _): try promise(demand.isConditional && head.status == 304, "\(head)")
        case (.failure(let failure), _), (.rangeUnusable(let failure), _):
            try promise(failure.message.utf8.count < 1_000, failure.message)
        case (.otherGeneration, _): break
        }
    }
    let record = FileRecord(url: "http://h/a", size: 0, modified: 0, validators: head.validators)
    for method in [ProbeMethod.head, .firstByte] {
        switch ProbeVerdict.on(head, method: method, refusesHTML: true, record: record) {
        case .facts(let facts), .useless(let facts): try promise(facts.size ?? 0 >= 0, "\(facts)")
        case .retry(let failure): try promise(failure.isTransient, failure.message)
        }
    }
    if let field = head.retryAfter { _ = try checkRetryAfter(Array(field.utf8)) }
    if let field = head.contentDisposition { _ = try checkContentDisposition(Array(field.utf8)) }
}
