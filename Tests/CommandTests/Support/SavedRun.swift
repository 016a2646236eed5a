// A report as another program reads it: with a JSON decoder of its own, strict about what the contract promises.

import Foundation

/// What a test looks at in a `mirror-report/1`.
struct SavedRun: Decodable {
    struct Run: Decodable {
        let dryRun: Bool
        let exitCode: Int
        let interrupted: Bool
        let sources: [String]
    }

    struct Totals: Decodable {
        let files: Int
        let failed: Int
        let bytesToFetch: Int64
        let bytesFetched: Int64
        let bytesReused: Int64
        let requests: Int
        let retries: Int
        let actions: [String: Int]
    }

    struct File: Decodable {
        struct Failure: Decodable {
            let code: String
            let message: String
        }

        let path: String
        let url: String
        let action: String
        let reason: String
        let status: String
        let ranges: [[Int64]]?
        let bytesFetched: Int64
        let attempts: Int
        let error: Failure?
    }

    let schema: String
    let run: Run
    let totals: Totals
    let files: [File]

    static func read(_ data: Data) throws -> SavedRun {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(SavedRun.self, from: data)
    }

    /// The file at a path below DIR.
    subscript(path: String) -> File? { files.first { $0.path == path } }

    /// What happened to each file, by its path.
    var actions: [String: String] { Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.action) }) }

    /// The codes of what failed.
    var failures: [String] { files.compactMap { $0.error?.code } }
}
