// Reports with any text in them: as JSON they are JSON with the same text, and no form steers a terminal.

import MirrorKit
import MirrorSources

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

func checkReportText(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    let text = bytes.text
    var file = FileReport(path: text, url: text, action: .fetch, reason: text, status: .failed)
    file.etag = text
    file.failure = Failure(.http, text)
    let run = RunReport(
        id: text, started: HTTPDate(seconds: 0), finished: HTTPDate(seconds: .max), isDryRun: false, sources: [text],
        directory: text)
    let report = Report(run: run, files: [file], failure: Failure(.diskFull, text))

    let json = written(report, as: JSONReport())
    try checkHarmless(json)
    guard let saved = try? JSONDecoder().decode(Saved.self, from: Data(json)), let read = saved.files.first else {
        throw BrokenPromise(description: "no JSON: \(text.quoted)")
    }
    let texts = [read.path, read.url, read.reason, read.etag, read.error.message, saved.run.directory]
    try promise(texts.allSatisfy { $0.utf8.elementsEqual(text.utf8) }, text.quoted)
    try checkHarmless(written(report, as: TextReport()))
    return true
}

private struct Saved: Decodable {
    struct File: Decodable {
        struct Failure: Decodable { let message: String }
        let path: String, url: String, reason: String, etag: String
        let error: Failure
    }
    struct Run: Decodable { let directory: String }
    let run: Run
    let files: [File]
}

private func written(_ report: Report, as form: some ReportForm) -> [UInt8] {
    var bytes: [UInt8] = []
    try? form.write(report) { (part) throws(Failure) in bytes += part }
    return bytes
}

/// Nothing but line ends steers, and nothing turns the direction of writing round.
private func checkHarmless(_ bytes: [UInt8]) throws(BrokenPromise) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
        throw BrokenPromise(description: "not UTF-8")
    }
    for scalar in text.unicodeScalars where scalar != "\n" {
        let steers = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        let turns = scalar.properties.isBidiControl
        try promise(!steers && !turns, "U+\(String(scalar.value, radix: 16)) is shown as it is")
    }
}
