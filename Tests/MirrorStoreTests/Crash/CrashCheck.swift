// What must hold in a tree that a loss of power left, before anybody repairs it, and after a run that does.

import Foundation
import MirrorCore
import Testing

@testable import MirrorStore

/// The tree of one cut.
struct CrashCheck {
    let world: CrashWorld
    /// Holds DIR and the reports.
    let folder: String

    /// What is wrong right after the cut.
    func faultsAtOnce() -> [String] {
        let claims = Claims(of: folder, paths: world.bodies.keys)
        return fileFaults(claims) + strangerFaults(isCut: true) + reportFaults() + claimFaults(claims) + removalFaults()
    }

    /// What is wrong when a run has gone over it.
    func faultsAfterRun() -> [String] {
        var faults = strangerFaults(isCut: false) + reportFaults() + removalFaults()
        for path in world.unnamed.keys where PlainFile.read("\(folder)/mirror/\(path)") != nil {
            faults.append("\(path) was not removed")
        }
        for (path, body) in world.bodies where PlainFile.read("\(folder)/mirror/\(path)")?.isSame(as: body) != true {
            faults.append("\(path) is not what the origin has")
        }
        let left = TestFolder.names(in: "\(folder)/mirror/.mirror/partial")
        if !left.isEmpty { faults.append("partial files stayed: \(left)") }
        let temporaries = TestFolder.names(in: "\(folder)/mirror/.mirror").filter { $0.hasPrefix(".") }
        if !temporaries.isEmpty { faults.append("unfinished reports stayed: \(temporaries)") }
        for path in world.unnamed.keys {
            let parent = "\(folder)/backup/\(path.split(separator: "/").dropLast().joined(separator: "/"))"
            let left = TestFolder.names(in: parent).filter { $0.hasPrefix(".mirror-") }
            if !left.isEmpty { faults.append("unfinished copies stayed: \(left)") }
        }
        let others = TestFolder.names(in: "\(folder)/reports")
        if others != ["report.json", "report.txt"] { faults.append("there are the reports \(others)") }
        return faults
    }

    // MARK: Files

    /// Under a final name are the old bytes or the new ones, and what was there does not vanish.
    private func fileFaults(_ claims: Claims) -> [String] {
        world.bodies.compactMap { path, body in
            let old = world.old[path]
            guard let found = PlainFile.read("\(folder)/mirror/\(path)") else {
                guard let old else { return nil }
                // It was taken over: its bytes are those of the partial file.
                if let partial = claims.partials.first(where: { $0.path == path }),
                    let bytes = PlainFile.read("\(folder)/mirror/.mirror/partial/\(partial.stored.file)"),
                    old.count <= bytes.count, bytes.isSame(as: old, 0..<old.count)
                {
                    return nil
                }
                return "\(path) has vanished"
            }
            if found.isSame(as: body) { return nil }
            if let old, found.isSame(as: old) { return nil }
            return "\(path) holds \(found.count) bytes that are neither the old ones nor the new ones"
        }
    }

    /// A file that is to be removed is whole or not there; where it is to be kept, it is in one of the two places.
    private func removalFaults() -> [String] {
        world.unnamed.flatMap { path, body -> [String] in
            let places = ["mirror", "backup"].map { PlainFile.read("\(folder)/\($0)/\(path)") }
            let found = places.compactMap { $0 }
            if !found.allSatisfy({ $0.isSame(as: body) }) { return ["\(path) is there, but not whole"] }
            if places[1] != nil, !world.keepsRemoved { return ["\(path) is kept, and should not be"] }
            return found.isEmpty && world.keepsRemoved ? ["\(path) is lost"] : []
        }
    }

    /// Nothing is below DIR that nobody asked for.
    private func strangerFaults(isCut: Bool) -> [String] {
        func look(_ path: String) -> [String] {
            TestFolder.names(in: "\(folder)/mirror/\(path)").flatMap { name -> [String] in
                let inner = path.isEmpty ? name : "\(path)/\(name)"
                if inner == ".mirror" || world.bodies[inner] != nil { return [] }
                if world.bodies.keys.contains(where: { $0.hasPrefix(inner + "/") }) { return look(inner) }
                // Files that are to go, and the folders that go with them.
                if isCut, world.unnamed[inner] != nil { return [] }
                if isCut, world.unnamed.keys.contains(where: { $0.hasPrefix(inner + "/") }) { return look(inner) }
                return isCut && world.rule != nil && name.hasPrefix(".mirror-") ? [] : ["\(inner) is there"]
            }
        }
        return look("")
    }

    /// A report is whole or not there.
    private func reportFaults() -> [String] {
        var faults: [String] = []
        for path in ["mirror/.mirror/report.json"] + CrashWorld.reports {
            guard let bytes = PlainFile.read("\(folder)/\(path)") else { continue }
            let isWhole =
                path.hasSuffix(".json")
                ? (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
                : bytes.last == UInt8(ascii: "\n") && !bytes.contains(0)
            if !isWhole { faults.append("\(path) is not whole: \(bytes.count) bytes") }
        }
        return faults
    }

    // MARK: Claims

    private func claimFaults(_ claims: Claims) -> [String] {
        var faults = claims.problem.map { [$0] } ?? []
        for (path, stored) in claims.partials { faults += faultsOf(stored, path) }
        for (path, record, sums) in claims.files {
            guard let etag = record.validators.etag?.text, let body = world.versions[etag] else {
                faults.append("the record of \(path) is of no known version")
                continue
            }
            if sums != BlockSums.all(of: body) { faults.append("the sums of \(path) are wrong") }
            let file = "\(folder)/mirror/\(path)"
            guard let found = PlainFile.read(file), Int64(found.count) == record.size,
                PlainFile.modified(file) == record.modified, !found.isSame(as: body)
            else { continue }
            faults.append("the record of \(path) is not true of the file")
        }
        return faults
    }

    /// A partial file that is gone is claimed by nobody any more; the ranges of one that is there are there.
    private func faultsOf(_ stored: StoredPartial, _ path: String) -> [String] {
        guard let bytes = PlainFile.read("\(folder)/mirror/.mirror/partial/\(stored.file)") else { return [] }
        guard let etag = stored.record.generation.validators.etag?.text, let body = world.versions[etag] else {
            return ["the partial file of \(path) is of no known version"]
        }
        var faults: [String] = []
        for range in stored.record.ranges.ranges
        where !bytes.isSame(as: body, Int(range.first)..<Int(range.end)) {
            faults.append("\(range.first)-\(range.last) of the partial file of \(path) is claimed, but is not there")
        }
        let sums = BlockSums.all(of: body)
        for known in stored.sums where known.block >= sums.count || sums[known.block] != known.sum {
            faults.append("the sum of block \(known.block) of the partial file of \(path) is wrong")
        }
        return faults
    }
}

extension BlockSums {
    static func all(of body: [UInt8]) -> [UInt64] {
        stride(from: 0, to: body.count, by: blockSize).map { start in
            body[start..<min(body.count, start + blockSize)].withUnsafeBytes { sum(of: $0) }
        }
    }
}

/// What the database says, looked at in a copy: looking brings its log in.
struct Claims {
    private(set) var partials: [(path: String, stored: StoredPartial)] = []
    private(set) var files: [(path: String, record: FileRecord, sums: [UInt64])] = []
    private(set) var problem: String?

    init(of folder: String, paths: some Sequence<String>) {
        let copy = TestFolder(below: CrashWorld.memory)
        for name in ["state.sqlite", "state.sqlite-wal"] {
            guard let bytes = PlainFile.read("\(folder)/mirror/.mirror/\(name)") else { continue }
            PlainFile.write(bytes, to: "\(copy.path)/\(name)")
        }
        // Where nothing has reached the disk but the size, there is no database yet, and nothing is lost.
        guard PlainFile.read("\(copy.path)/state.sqlite")?.contains(where: { $0 != 0 }) == true else { return }
        do {
            let state = try StateDatabase("\(copy.path)/state.sqlite", .readWrite)
            partials = try state.partials().map { ($0.key.text, $0.value) }
            for path in paths {
                guard let record = try state.fileRecord(of: LocalPath(path)) else { continue }
                files.append((path, record, try state.blockSums(of: LocalPath(path)) ?? []))
            }
        } catch {
            problem = "the database cannot be opened: \(error)"
        }
    }
}
