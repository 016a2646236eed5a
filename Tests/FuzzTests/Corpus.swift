// The inputs in Tests/Fuzz: seeds that a person chose, and what the fuzzer found.

import Foundation
import FuzzTargets

/// The kept inputs of a door.
enum Corpus {
    static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.appendingPathComponent("Fuzz/\(target.rawValue)").path
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            (name, FileManager.default.contents(atPath: "\(folder)/\(name)").map { [UInt8]($0) } ?? [])
        }
    }
}
