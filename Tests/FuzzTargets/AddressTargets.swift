// URLs: what is read once is read again as the same address, no path of one leaves DIR, and no secret of one is shown.

import MirrorCore
import MirrorURL

/// The first line is a URL, the second one a reference that is resolved against it.
func checkURL(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
    let parser = URLParser()
    guard let first = lines.first, let address = try? parser.parse(asBytes: first) else { return false }
    try checkAddress(address)
    guard lines.count > 1, let target = try? parser.resolve(lines[1].text, against: address) else { return true }
    try checkAddress(target)
    let again = try? parser.resolve(target.text, against: address)
    try promise(again == target, "\(target.text.quoted) against \(address.text.quoted)")
    return true
}

extension URLParser {
    fileprivate func parse(asBytes bytes: [UInt8]) throws(URLProblem) -> Address {
        let result: Result<Address, URLProblem> = bytes.withUnsafeBytes { raw in
            do throws(URLProblem) {
                return .success(try parse(bytes: raw[...]))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

func checkAddress(_ address: Address) throws(BrokenPromise) {
    let text = address.text
    try promise(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, text.quoted)
    try promise(address.path.utf8.first == UInt8(ascii: "/"), text)
    // A second parser value has no memory of the first one's.
    let again = try? URLParser().parse(text)
    try promise(again == address && again?.origin == address.origin && again?.path == address.path, text)
    try promise(address.origin.description.asciiLowercased == address.origin.description, text)
    for layout in Layout.allCases {
        if let path = try? LocalName.path(for: address, layout: layout) { try checkPath(path) }
    }
    let shown = Redaction.text(of: address)
    try promise(Redaction.text(ofUnparsed: shown).utf8.elementsEqual(shown.utf8), "\(text) is shown as \(shown)")
}

/// What makes a path one below DIR, said in another way than where it is made.
func checkPath(_ path: LocalPath) throws(BrokenPromise) {
    let text = path.text
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Array($0) }
    let isSafe =
        parts.allSatisfy { !$0.isEmpty && $0 != [0x2E] && $0 != [0x2E, 0x2E] && !$0.contains(0) && $0.count <= 255 }
        && parts.first != Array(".mirror".utf8) && text.utf8.count <= 4095
    try promise(isSafe, text.quoted)
}

private let secret = "S3CR3T"

/// Plants a secret in every place of a URL where one can be, and looks for it in what is shown.
func checkRedaction(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    let text = bytes.text
    _ = Redaction.hidesSomething(in: text)
    _ = Redaction.text(ofUnparsed: text)
    guard !text.contains(secret), let address = try? URLParser().parse(text) else { return false }
    let start = address.origin.scheme.utf8.count + 3
    let rest = String(decoding: address.text.utf8.dropFirst(start), as: UTF8.self)
    let authority = rest.prefix { !"/?".contains($0) }
    let behind = rest.dropFirst(authority.count)
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
    var planted: [String] = []
    if address.origin.scheme != "file" {
        planted.append("\(address.origin.scheme)://u:\(secret)@\(host)\(behind)")
        planted.append("\(address.origin.scheme)://\(secret)@\(host)\(behind)")
    }
    let separator = address.text.contains("?") ? "&" : "?"
    for name in ["token", "X-Amz-Signature", "sig", "access_key", "%74oken"] {
        planted.append("\(address.text)\(separator)\(name)=\(secret)")
        planted.append("\(address.text)\(separator)\(name)=\(secret)&x=1")
    }
    for url in planted {
        let shown = Redaction.text(ofUnparsed: url)
        try promise(!shown.contains(secret), "\(url.quoted) is shown as \(shown.quoted)")
        try promise(Redaction.hidesSomething(in: shown), "\(shown.quoted) does not look incomplete")
        guard let parsed = try? URLParser().parse(url) else { continue }
        let alike = Redaction.text(of: parsed)
        try promise(!alike.contains(secret), "\(parsed.text.quoted) is shown as \(alike.quoted)")
    }
    return true
}
