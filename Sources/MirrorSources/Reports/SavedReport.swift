// A saved report as JSON, of which only what makes an entry is read. The one place where Foundation's decoder is used:
// a report is read once at the start of a run, and never in the hot path.

import MirrorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is read of a `mirror-report/1`.
struct SavedReport: Decodable {
    static let schema = "mirror-report/1"

    struct File: Decodable {
        struct Sum: Decodable {
            let type: String
            let value: String
        }

        struct Fault: Decodable {
            let code: String?
        }

        let path: String?
        let url: String?
        let action: String?
        let status: String?
        let checksum: Sum?
        let error: Fault?
    }

    /// Why a text is no report: one sentence.
    struct Problem: Error {
        let message: String
    }

    let files: [File]

    private enum Key: String, CodingKey { case schema, files }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let schema = try values.decodeIfPresent(String.self, forKey: .schema)
        guard let schema else { throw Problem(message: "the report names no schema; «\(Self.schema)» is read") }
        guard schema.hasSameBytes(as: Self.schema) else {
            throw Problem(message: "the report has another schema than «\(Self.schema)»")
        }
        files = try values.decode([File].self, forKey: .files)
    }

    static func decode(_ bytes: [UInt8]) throws(Problem) -> SavedReport {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        do {
            return try JSONDecoder().decode(SavedReport.self, from: Data(bytes[start...]))
        } catch let problem as Problem {
            throw problem
        } catch let error as DecodingError {
            throw Problem(message: "the report is malformed\(place(error))")
        } catch {
            throw Problem(message: "the report is malformed")
        }
    }

    private static func place(_ error: DecodingError) -> String {
        let path =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context.codingPath
            @unknown default: [] as [any CodingKey]
            }
        let names = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        return names.isEmpty ? "" : " at \(names.joined().drop { $0 == "." })"
    }
}
