// The doors through which text from outside comes in, each with what must hold for whatever comes through it. libFuzzer
// and the normal test run call the same functions. Nothing here connects or writes.

/// One door.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case checksum
    case contentDisposition = "content-disposition"
    case contentRange = "content-range"
    case date
    case document
    case ftp
    case html
    case json
    case manifest
    case redaction
    case report
    case reportText = "report-text"
    case responseHead = "response-head"
    case retryAfter = "retry-after"
    case source
    case state
    case sums
    case url
    case xml

    /// Reads the bytes and looks at what came of it.
    /// - Returns: whether there was anything to look at, so that a test can tell that it tests something.
    /// - Throws: `BrokenPromise` where something does not hold.
    package func check(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        switch self {
        case .checksum: try checkChecksum(bytes)
        case .contentDisposition: try checkContentDisposition(bytes)
        case .contentRange: try checkContentRange(bytes)
        case .date: try checkDate(bytes)
        case .document: try checkDocument(bytes)
        case .ftp: try checkFTP(bytes)
        case .html: try checkHTML(bytes)
        case .json: try checkJSON(bytes)
        case .manifest: try checkManifest(bytes)
        case .redaction: try checkRedaction(bytes)
        case .report: try checkReport(bytes)
        case .reportText: try checkReportText(bytes)
        case .responseHead: try checkResponseHead(bytes)
        case .retryAfter: try checkRetryAfter(bytes)
        case .source: try checkSource(bytes)
        case .state: try checkState(bytes)
        case .sums: try checkSums(bytes)
        case .url: try checkURL(bytes)
        case .xml: try checkXML(bytes)
        }
    }
}

/// Something that should hold for every input and does not.
package struct BrokenPromise: Error, CustomStringConvertible {
    package let description: String
}

func promise(_ holds: Bool, _ what: @autoclosure () -> String) throws(BrokenPromise) {
    if !holds { throw BrokenPromise(description: what()) }
}

extension [UInt8] {
    /// The bytes as text, as most of the program reads them.
    var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
    /// Whether a terminal would do something else with it than show it.
    var steersTerminals: Bool { unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) } }

    /// For messages of broken promises.
    var quoted: String { debugDescription }
}
