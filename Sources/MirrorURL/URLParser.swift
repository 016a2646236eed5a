// Turns text into addresses. libcurl's URL API decides what the parts of a URL are, because libcurl also makes the
// request: two parsers in one program are how a check and its use come to disagree. This never connects.

import CCurl
import Glibc
import MirrorCore

/// Parses and resolves URLs. One value serves one thread; it keeps its buffers, so that a million lines cost little.
package final class URLParser {
    /// The longest URL that is taken, in bytes.
    package static let longest = 65_536
    /// The longest scheme that a message repeats, in bytes.
    private static let longestScheme = 40
    /// The schemes that mirror fetches from.
    package static let schemes = ["https", "http", "ftp", "ftps", "sftp", "file"]

    private let handle: OpaquePointer?
    private var input = URLBytes()
    // Most lines of a source lead to the same origin, and then share one value of it.
    private var lastAuthority: [UInt8] = []
    private var lastOrigin: Origin?
    /// The scheme of the last URL with its slashes.
    private var lastScheme: [UInt8] = []

    package init() {
        handle = curl_url()
    }

    deinit {
        curl_url_cleanup(handle)
    }

    /// Reads an absolute URL. The fragment is dropped; user name and password stay in the address's text.
    package func parse(_ text: String) throws(URLProblem) -> Address {
        var text = text
        try check(text.withUTF8 { input.fill(with: UnsafeRawBufferPointer($0)) })
        return try parseInput()
    }

    /// Reads an absolute URL from bytes of any encoding; those that are not ASCII are percent-encoded as they are.
    package func parse(bytes: Slice<UnsafeRawBufferPointer>) throws(URLProblem) -> Address {
        try check(input.fill(with: UnsafeRawBufferPointer(rebasing: bytes)))
        return try parseInput()
    }

    /// Resolves a link or a Location field against the URL of its document (RFC 3986 section 5).
    package func resolve(_ reference: String, against base: Address) throws(URLProblem) -> Address {
        var reference = reference
        try check(reference.withUTF8 { input.fill(with: UnsafeRawBufferPointer($0)) })
        return try resolveInput(against: base)
    }

    /// Resolves a reference given as bytes of any encoding.
    package func resolve(
        bytes: Slice<UnsafeRawBufferPointer>, against base: Address
    ) throws(URLProblem) -> Address {
        // As it is, where nothing in it is to be encoded.
        if bytes.position(of: UInt8(ascii: "%")) == nil, bytes.count <= Self.longest,
            let address = Self.sibling(of: base, UnsafeRawBufferPointer(rebasing: bytes))
        {
            return address
        }
        try check(input.fill(with: UnsafeRawBufferPointer(rebasing: bytes)))
        return try resolveInput(against: base)
    }

    /// The address of a reference that is a plain name, with or without a slash at its end, as nearly all links of an
    /// index are. Such a name stands for itself in every reading: it is put behind the folder of the base, which libcurl
    /// has parsed. Anything with a dot at its start, a colon, a query or a byte of another kind goes to libcurl.
    private func siblingAddress(of base: Address) -> Address? {
        let count = input.count
        return input.bytes.withUnsafeBytes { Self.sibling(of: base, UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    private static func sibling(of base: Address, _ name: UnsafeRawBufferPointer) -> Address? {
        guard base.isIndex, base.isHTTP, let first = name.first, first != UInt8(ascii: ".") else { return nil }
        let end = name.last == UInt8(ascii: "/") ? name.count - 1 : name.count
        guard end > 0 else { return nil }
        let isNameByte = isNameByte
        for index in 0..<end where !isNameByte[Int(name[index])] { return nil }
        let start = base.text.utf8.count
        let text = String(unsafeUninitializedCapacity: start + name.count) { target in
            let target = UnsafeMutableRawBufferPointer(target)
            base.text.withBytes { target.copyMemory(from: $0) }
            UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(from: name)
            return start + name.count
        }
        return Address(
            text: text, origin: base.origin, pathStart: base.pathRange.lowerBound, pathEnd: start + name.count)
    }

    /// Unreserved bytes (RFC 3986 section 2.3), `%`, which is known to start an escape, and what servers leave as it is
    /// in names.
    private static let isNameByte = (0...255).map { byte in
        let byte = UInt8(byte)
        return byte.isASCIILetter || byte.isASCIIDigit || "-._~%!$&'()*+,;=@".utf8.contains(byte)
    }

    private func check(_ problem: URLProblem?) throws(URLProblem) {
        if let problem { throw problem }
    }

    private func parseInput() throws(URLProblem) -> Address {
        guard input.count > 0 else { throw .empty }
        try checkScheme()
        try set(CURLUPART_URL, input.bytes)
        return try address()
    }

    private func resolveInput(against base: Address) throws(URLProblem) -> Address {
        if let address = siblingAddress(of: base) { return address }
        // libcurl would drop the last path segment (measured with 7.88.1).
        if input.count == 0 || input.bytes.first == UInt8(ascii: "#") { return base }
        if input.scheme != nil {
            try checkScheme()
        } else {
            try set(CURLUPART_URL, Array(base.text.utf8) + [0])
        }
        try set(CURLUPART_URL, input.bytes)
        return try address()
    }

    /// libcurl resolves a text without a scheme against what the handle held before, and reads `http:/x` and
    /// `http:///x` as the host x; neither is what anybody meant.
    private func checkScheme() throws(URLProblem) {
        if !lastScheme.isEmpty, input.bytes.startsWith(bytes: lastScheme),
            input.bytes[lastScheme.count] != UInt8(ascii: "/")
        {
            return
        }
        guard let scheme = input.scheme else { throw .noScheme }
        let rest = input.rest(from: scheme.utf8.count + 1)
        guard Self.schemes.contains(scheme) else {
            // `example.org:8080/x` is a host with a port; no scheme is as long as a line.
            let isHost = rest.first?.isASCIIDigit == true || scheme.utf8.count > Self.longestScheme
            throw isHost ? .noScheme : .unsupportedScheme(scheme)
        }
        guard rest.starts(with: "//".utf8) else { throw .noSlashes(scheme) }
        if scheme != "file", rest.dropFirst(2).first == UInt8(ascii: "/") { throw .noHost }
        lastScheme = Array("\(scheme)://".utf8)
    }

    private func set(_ part: CURLUPart, _ bytes: [UInt8]) throws(URLProblem) {
        let code = bytes.withUnsafeBytes { curl_url_set(handle, part, $0.baseAddress, 0) }
        guard code == CURLUE_OK else { throw URLProblem(code) }
    }

    /// The address that the handle holds.
    private func address() throws(URLProblem) -> Address {
        if input.hasFragment { _ = curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) }
        if input.hasEscapedHost { try readAgain() }
        let pointer = try get(CURLUPART_URL, UInt32(CURLU_NO_DEFAULT_PORT | CURLU_PUNYCODE))
        defer { curl_free(pointer) }
        let url = UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
        guard let parts = AddressParts(of: url) else { throw .malformed }
        let origin = try origin(of: url[..<parts.path.lowerBound])
        let text = String(unsafeUninitializedCapacity: url.count) { target in
            UnsafeMutableRawBufferPointer(target).copyMemory(from: url)
            for index in parts.host { target[index] = target[index].asciiLowercased }
            return url.count
        }
        return Address(
            text: text, origin: origin, pathStart: parts.path.lowerBound, pathEnd: parts.path.upperBound)
    }

    /// libcurl decodes a host after it has looked for numbers in it: `http://%36/` would be the host 6 here and 0.0.0.6
    /// when the request is made.
    private func readAgain() throws(URLProblem) {
        let pointer = try get(CURLUPART_URL, UInt32(CURLU_NO_DEFAULT_PORT))
        defer { curl_free(pointer) }
        let text = UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
        guard AddressParts(of: text) != nil else { throw .malformed }
        try set(CURLUPART_URL, Array(text) + [0])
    }

    private func origin(of authority: Slice<UnsafeRawBufferPointer>) throws(URLProblem) -> Origin {
        if let lastOrigin, authority.hasSameBytes(as: lastAuthority) { return lastOrigin }
        let scheme = try text(of: CURLUPART_SCHEME)
        var origin = Origin(scheme: scheme, host: "localhost", port: 0)
        if scheme != "file" {
            let port = try text(of: CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT))
            guard let port = Int(port), (0...65_535).contains(port) else { throw .badPort }
            let host = try text(of: CURLUPART_HOST, UInt32(CURLU_PUNYCODE)).asciiLowercased
            origin = Origin(scheme: scheme, host: host, port: port)
        }
        lastAuthority = Array(authority)
        lastOrigin = origin
        return origin
    }

    private func text(of part: CURLUPart, _ flags: UInt32 = 0) throws(URLProblem) -> String {
        let pointer = try get(part, flags)
        defer { curl_free(pointer) }
        return String(cString: pointer)
    }

    private func get(_ part: CURLUPart, _ flags: UInt32) throws(URLProblem) -> UnsafeMutablePointer<CChar> {
        var pointer: UnsafeMutablePointer<CChar>?
        let code = curl_url_get(handle, part, &pointer, flags)
        guard code == CURLUE_OK else { throw URLProblem(code) }
        guard let pointer else { throw .malformed }
        return pointer
    }
}
