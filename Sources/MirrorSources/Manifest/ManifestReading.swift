// The reading of one manifest, line by line: the state between its lines.

import MirrorCore
import MirrorURL

/// Collects entries, problems and warnings. It is used once, in one place.
final class ManifestReading {
    private(set) var result = ParsedSource()
    private let layout: Layout
    private let source: Int
    private let parser = URLParser()
    private var entry: ManifestEntry?
    private var warned: Set<String> = []
    private var entryCount = 0

    init(layout: Layout, source: Int) {
        self.layout = layout
        self.source = source
    }

    func reserve(_ count: Int) {
        result.entries.reserveCapacity(count)
    }

    func read(_ line: ManifestLine) {
        switch line.kind {
        case .blank, .comment: return
        case .urls: readURLs(line)
        case .option: readOption(line)
        }
    }

    func finish() {
        close()
        if entryCount == 0, result.problems.isEmpty {
            let place = SourcePlace(source: source)
            result.problems.append(SourceProblem(place: place, message: "the manifest names no files"))
        }
        if result.isHopeless {
            let place = result.problems.last?.place ?? SourcePlace(source: source)
            result.problems.append(SourceProblem(place: place, message: "too many problems; the rest was not read"))
        }
        if !result.problems.isEmpty { result.entries = [] }
    }

    // MARK: URLs

    private func readURLs(_ line: ManifestLine) {
        close()
        entryCount += 1
        entry = ManifestEntry(line: line.number)
        if let fault = line.fault {
            fail(line, line.column(fault.index), fault.message)
            return
        }
        line.forEachField { field, column in
            do throws(URLProblem) {
                let address = try parser.parse(bytes: field)
                if address.isIndex, entry?.addresses.isEmpty == false {
                    fail(line, column, "an index (a URL that ends in «/») cannot be an alternate")
                } else if entry?.addresses.first?.isIndex == true {
                    fail(line, column, "an index (a URL that ends in «/») has no alternates")
                } else if Self.hasSecondURL(field) {
                    fail(line, column, "two URLs with a blank between; separate alternates with a TAB")
                } else if Redaction.hidesSomething(in: address.text) {
                    fail(line, column, "the URL has lost its secret («\(Redaction.mark)»)")
                } else {
                    entry?.addresses.append(address)
                }
            } catch {
                fail(line, column, error.message)
            }
        }
    }

    private static func hasSecondURL(_ field: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let blank = field.position(of: 0x20) else { return false }
        let marks = "://".utf8
        let rest = field[blank...]
        return rest.indices.contains { rest[$0] == UInt8(ascii: ":") && rest[$0...].starts(with: marks) }
    }

    // MARK: Options

    private func readOption(_ line: ManifestLine) {
        let start = line.bytes.firstIndex { !ManifestLine.isBlank($0) } ?? line.bytes.startIndex
        let column = line.column(start)
        if let fault = line.fault {
            fail(line, line.column(fault.index), fault.message)
            return
        }
        guard entry != nil else {
            fail(line, column, "an indented line is an option, but no URL stands before it")
            return
        }
        guard let equals = line.bytes.position(of: UInt8(ascii: "=")), !isURL(line.bytes[start..<equals]) else {
            let isURL = isURL(line.bytes[start...])
            let rule = isURL ? "a URL starts at the start of its line" : "an option is written name=value"
            fail(line, column, "an indented line is an option; \(rule)")
            return
        }
        let name = String(decoding: ManifestLine.trimmed(line.bytes[start..<equals]), as: UTF8.self)
        if let option = ManifestOption(name: name) {
            take(option, ManifestLine.trimmed(line.bytes[(equals + 1)...]), line)
        } else if ForeignOptions.contains(name) {
            if warned.insert(name).inserted { warn(line, column, "the option \(name) of aria2 has no meaning here") }
        } else {
            fail(line, column, "the option «\(Redaction.text(ofUnparsed: name).shown)» is not known")
        }
    }

    private func isURL(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.indices.contains { bytes[$0] == UInt8(ascii: ":") && bytes[$0...].starts(with: "://".utf8) }
    }

    private func take(_ option: ManifestOption, _ value: Slice<UnsafeRawBufferPointer>, _ line: ManifestLine) {
        let column = line.column(value.startIndex)
        guard let text = String(validating: value, as: UTF8.self) else {
            fail(line, column, "the value of \(option.rawValue) is not valid UTF-8")
            return
        }
        do {
            try entry?.take(option, text)
        } catch {
            fail(line, column, error.message)
        }
    }

    // MARK: Results

    /// Makes an entry of what has been read since the last URL line.
    private func close() {
        defer { entry = nil }
        do {
            if let entry = try entry?.entry(layout: layout, source: source) { result.entries.append(entry) }
        } catch {
            result.problems.append(
                SourceProblem(
                    place: SourcePlace(source: source, line: entry?.line ?? 0), column: 1, message: error.description))
        }
    }

    private func fail(_ line: ManifestLine, _ column: Int, _ message: String) {
        entry?.isBroken = true
        result.problems.append(
            SourceProblem(place: SourcePlace(source: source, line: line.number), column: column, message: message))
    }

    private func warn(_ line: ManifestLine, _ column: Int, _ message: String) {
        result.warnings.append(
            SourceWarning(place: SourcePlace(source: source, line: line.number), column: column, message: message))
    }
}

extension String {
    /// For messages: at most 64 characters, and nothing that could steer a terminal.
    fileprivate var shown: String {
        let visible = unicodeScalars.prefix(64).map { $0.value > 0x20 && $0.value < 0x7F ? Character($0) : "?" }
        return String(visible) + (unicodeScalars.count > 64 ? "…" : "")
    }
}
