// What a run leaves, held against what it should leave in one call: bytes on disk, exit code, report in memory and
// report on disk, and nothing else in the folder. A test that looks at one of them alone can be right by chance.

import Foundation
import MirrorKit
import MirrorTestSupport
import Testing

/// One file as it should be after a run.
struct Expected {
    let path: String
    /// As `FileReport.line`, where `*` stands for any one word and `**` for any or none.
    let line: String
    /// The bytes under the final name; nil for no file.
    let body: Body?
    /// What the reason has to contain.
    var reason = ""
    /// What the failure's sentence has to contain.
    var message: [String] = []

    init(_ path: String, _ line: String, _ body: Body?, reason: String = "", message: String...) {
        self.path = path
        self.line = line
        self.body = body
        self.reason = reason
        self.message = message
    }

    fileprivate func fits(_ line: String) -> Bool {
        var wanted = self.line.split(separator: " "), found = line.split(separator: " ")
        if let gap = wanted.firstIndex(of: "**") {
            let end = wanted.count - gap - 1
            guard found.count >= gap + end else { return false }
            wanted.remove(at: gap)
            found.removeSubrange(gap..<(found.count - end))
        }
        return wanted.count == found.count && zip(wanted, found).allSatisfy { $0 == "*" || $0 == $1 }
    }
}

extension SyncFixture {
    /// Holds a run against its files, in the order of the source. Other files below DIR are named in `others`.
    func expect(
        _ report: Report, _ exitCode: ExitCode, partials: Int = 0, others: [String] = [], _ files: Expected...,
        at place: SourceLocation = #_sourceLocation
    ) {
        #expect(report.run.exitCode == exitCode, sourceLocation: place)
        #expect(report.files.map(\.path) == files.map(\.path), sourceLocation: place)
        for (file, expected) in zip(report.files, files) { expect(file, expected, place) }
        #expect(report.totals.failed == report.files.count { $0.status == .failed }, sourceLocation: place)
        #expect((exitCode == .inLine) == report.files.allSatisfy(\.isInLine), sourceLocation: place)
        let there = (files.filter { $0.body != nil }.map(\.path) + others).sorted()
        #expect(Self.files(below: directory) == there, "nothing else below DIR", sourceLocation: place)
        #expect(self.partials.count == partials, "part files", sourceLocation: place)
        expectSaved(report, place)
    }

    private func expect(_ file: FileReport, _ expected: Expected, _ place: SourceLocation) {
        #expect(expected.fits(file.line), "«\(file.line)» is not «\(expected.line)»", sourceLocation: place)
        if let body = expected.body {
            #expect(holds(file.path, body), "the bytes of \(file.path)", sourceLocation: place)
            #expect(file.status != .done || file.remoteSize == body.length, sourceLocation: place)
        } else {
            #expect(!exists(file.path), "\(file.path) is there", sourceLocation: place)
            #expect(file.status == .failed || file.status == .interrupted, sourceLocation: place)
        }
        #expect((file.status == .failed) == (file.failure != nil), sourceLocation: place)
        #expect(
            expected.reason.isEmpty || file.reason.contains(expected.reason), "\(file.reason)", sourceLocation: place)
        for text in expected.message {
            let message = file.failure?.message ?? ""
            #expect(message.contains(text), "\(message)", sourceLocation: place)
        }
    }

    /// `.mirror/report.json` tells the same, as a program reads it.
    private func expectSaved(_ report: Report, _ place: SourceLocation) {
        let data = Data(bytes(".mirror/report.json") ?? [])
        let json = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
        let run = json["run"] as? [String: Any]
        #expect(run?["exit_code"] as? Int == Int(report.run.exitCode.rawValue), sourceLocation: place)
        let files = json["files"] as? [[String: Any]] ?? []
        #expect(files.count == report.files.count, sourceLocation: place)
        for (saved, file) in zip(files, report.files) {
            #expect(saved["path"] as? String == file.path, sourceLocation: place)
            #expect(saved["status"] as? String == file.status.rawValue, sourceLocation: place)
            #expect(saved["action"] as? String == file.action.rawValue, sourceLocation: place)
            #expect(saved["reason"] as? String == file.reason, sourceLocation: place)
            #expect(saved["http_status"] as? Int == file.httpStatus, sourceLocation: place)
            #expect(saved["local_size"] as? Int64 == file.localSize, sourceLocation: place)
            #expect(saved["remote_size"] as? Int64 == file.remoteSize, sourceLocation: place)
            let error = saved["error"] as? [String: String]
            #expect(error?["code"] == file.failure?.code.rawValue, sourceLocation: place)
            #expect(error?["message"] == file.failure?.message, sourceLocation: place)
        }
    }

    /// Paths of all that is no folder below a folder, `.mirror` left out.
    private static func files(below path: String, _ prefix: String = "") -> [String] {
        names(in: path).filter { $0 != ".mirror" }.flatMap { name -> [String] in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
            guard isFolder.boolValue else { return [prefix + name] }
            return files(below: "\(path)/\(name)", prefix + name + "/")
        }.sorted()
    }
}

extension FileReport {
    fileprivate var isInLine: Bool { [.done, .unchanged, .planned, .removed].contains(status) }
}
