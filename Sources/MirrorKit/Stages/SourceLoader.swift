// Where the bytes of a source come from: a file, standard input, a server.

import MirrorCore
import MirrorSources
import MirrorStore
import MirrorTransport
import MirrorURL

/// Reads all sources of a run.
struct SourceLoader {
    let options: SyncOptions
    let courier: Courier
    let clock: RunClock

    /// The sources as they may be shown.
    var names: [String] {
        options.sources.map { $0 == "-" ? "standard input" : Redaction.text(ofUnparsed: $0) }
    }

    /// All entries of all sources, in order, and the warnings.
    func load() async throws(SyncError) -> (entries: [Entry], warnings: [SourceFault]) {
        guard !options.sources.isEmpty else { throw .badUsage("no source is given") }
        var entries: [Entry] = []
        var problems: [SourceProblem] = []
        var warnings: [SourceWarning] = []
        for (index, source) in options.sources.enumerated() {
            let parsed: ParsedSource
            do throws(Failure) {
                let bytes = try await bytes(of: source)
                parsed = SourceReader.read(
                    bytes, form: options.form, layout: options.layout, source: index, only: options.only)
            } catch {
                problems.append(SourceProblem(place: SourcePlace(source: index), message: error.message))
                continue
            }
            entries = entries.isEmpty ? parsed.entries : entries + parsed.entries
            problems += parsed.problems
            warnings += parsed.warnings
        }
        guard problems.isEmpty else { throw .badSource(faults(problems)) }
        return (entries, warnings.map { SourceFault($0.place, column: $0.column, message: $0.message, names: names) })
    }

    func faults(_ problems: [SourceProblem]) -> [SourceFault] {
        problems.map { SourceFault($0.place, column: $0.column, message: $0.message, names: names) }
    }

    private func bytes(of source: String) async throws(Failure) -> [UInt8] {
        if source == "-" { return try WholeFile.readStandardInput { Task.isCancelled } }
        guard source.utf8.contains(UInt8(ascii: ":")), let scheme = source.split(separator: ":").first,
            source.dropFirst(scheme.count).hasPrefix("://")
        else { return try WholeFile.read(source, isCancelled: { Task.isCancelled }) }
        let address: Address
        do {
            address = try URLParser().parse(source)
        } catch {
            throw Failure(.invalidSource, error.message)
        }
        if address.isIndex {
            throw Failure(.unsupported, "index pages cannot be read by this version")
        }
        return try await bytes(at: address)
    }

    /// A source over the network, with the same patience as for a file.
    private func bytes(at address: Address) async throws(Failure) -> [UInt8] {
        var patience = Patience(policy: options.retryPolicy, clock: clock)
        while true {
            let body = BodyReceiver()
            let completion = await courier.send(Request(.get, address), to: body).completion
            let failure: Failure
            switch (completion.outcome, completion.head?.status) {
            case (.finished, 200): return body.bytes
            case (.failed(let cause), _): failure = cause
            case (.cancelled, _): throw Failure(.invalidSource, "interrupted before it was read")
            case (.stopped, 200):
                throw Failure(.invalidSource, "more than \(BodyReceiver.limit) bytes: no manifest is that large")
            case (_, let status):
                var refusal = Failure.status(status ?? 0)
                refusal.retryAfter = completion.head?.relativeRetryAfter
                failure = refusal
            }
            guard let delay = patience.delay(after: failure) else { throw failure }
            await clock.sleep(delay)
        }
    }
}
