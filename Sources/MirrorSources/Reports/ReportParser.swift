// A saved report as a source: the files that it lists, at the URLs where they were. What it says of sizes and ETags is
// what was true then; only a checksum, which the source of that run declared, is a promise.

import MirrorCore
import MirrorURL

/// Reads reports that mirror wrote.
package struct ReportParser {
    private let layout: Layout
    private let source: Int
    private let only: OnlyFilter?

    package init(layout: Layout, source: Int = 0, only: OnlyFilter? = nil) {
        self.layout = layout
        self.source = source
        self.only = only
    }

    package func parse(_ bytes: [UInt8]) -> ParsedSource {
        let report: SavedReport
        do {
            report = try SavedReport.decode(bytes)
        } catch {
            return ParsedSource(problem: error.message, source: source)
        }
        var result = ParsedSource()
        let parser = URLParser()
        for (index, file) in report.files.enumerated() where takes(file) && !result.isHopeless {
            do {
                result.entries.append(try entry(of: file, parser))
            } catch {
                result.problems.append(problem("files[\(index)]: \(error.message)"))
            }
        }
        if report.files.isEmpty { result.problems.append(problem("the report names no files")) }
        if !result.problems.isEmpty { result.entries = [] }
        return result
    }

    /// A file that was removed is one that the source no longer names.
    private func takes(_ file: SavedReport.File) -> Bool {
        if file.action == "remove" || file.status == "removed" { return false }
        return only?.takes(status: file.status) ?? true
    }

    private func entry(of file: SavedReport.File, _ parser: URLParser) throws(OptionProblem) -> Entry {
        guard let url = file.url else { throw OptionProblem("the file has no URL") }
        if Redaction.hidesSomething(in: url) {
            throw OptionProblem("the URL has lost its secret in the report; use the manifest instead")
        }
        let address: Address
        do {
            address = try parser.parse(url)
        } catch {
            throw OptionProblem(error.message)
        }
        if address.isIndex {
            let folder = try file.path.flatMap { path throws(OptionProblem) in
                path.isEmpty ? nil : try OptionValue.folder(path)
            }
            return Entry(
                address: address, place: SourcePlace(source: source), options: EntryOptions(folder: folder))
        }
        if file.isGap {
            let refusal = EntryOptions(refusal: .partOfIndex, refusedName: file.path)
            return Entry(address: address, place: SourcePlace(source: source), options: refusal)
        }
        var named: LocalPath?
        if let path = file.path, !path.isEmpty { named = try OptionValue.path(path) }
        return Entry(
            address: address, path: named == nil ? try path(of: address) : named, place: SourcePlace(source: source),
            options: EntryOptions(checksum: try checksum(of: file), namesPath: named != nil))
    }

    private func path(of address: Address) throws(OptionProblem) -> LocalPath? {
        do {
            return try LocalName.path(for: address, layout: layout)
        } catch {
            throw OptionProblem(error.description)
        }
    }

    private func checksum(of file: SavedReport.File) throws(OptionProblem) -> Checksum? {
        guard let sum = file.checksum else { return nil }
        return try OptionValue.checksum("\(sum.type)=\(sum.value)")
    }

    private func problem(_ message: String) -> SourceProblem {
        SourceProblem(place: SourcePlace(source: source), message: message)
    }
}

extension SavedReport.File {
    /// Whether it stands for a part of an index that could not be read.
    fileprivate var isGap: Bool {
        error?.code == FailureCode.invalidSource.rawValue
            && (path ?? "").utf8.last ?? UInt8(ascii: "/") == UInt8(ascii: "/")
    }
}

extension Failure {
    fileprivate static let partOfIndex = Failure(
        .invalidSource, "it is a part of an index and is read with that: name the index as the source")
}
