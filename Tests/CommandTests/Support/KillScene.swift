// What the runs that get killed work on: the files of an origin that change now and then, what each of them may be
// below DIR, and the moment at which the next run ends.

import Foundation
import Glibc
import MirrorTestSupport

/// Files of all kinds, and chance.
struct KillScene {
    private let origin: WickedOrigin
    private let place: Workplace
    private var numbers: SeededNumbers
    /// The bytes that a path has on the origin now, and all that it ever had.
    private var bodies: [String: Data] = [:]
    private var everServed: [String: [Data]] = [:]
    /// What somebody else left under a name.
    private var foreign: [String: Data] = [:]
    /// Names whose file is the beginning of the right one: it may become a partial file.
    private var mayVanish: Set<String> = []
    private var version = 0

    private static let large = ["large/a.img", "large/b.img"]
    private static let small = (0..<30).map { "small/\($0 % 4)/\($0).bin" }

    init(_ origin: WickedOrigin, _ place: Workplace, seed: UInt64) {
        (self.origin, self.place) = (origin, place)
        numbers = SeededNumbers(seed: seed)
        for path in Self.large + Self.small { serve(path) }
    }

    var manifest: [String] {
        (Self.large + Self.small).flatMap { ["\(origin.url("/" + $0))", "  out=\($0)"] }
    }

    // MARK: The origin

    /// A new version, as long as the others or not.
    private mutating func serve(_ path: String) {
        version += 1
        let isLarge = Self.large.contains(path)
        let size =
            isLarge
            ? Int64.random(in: (3 << 20)...(5 << 20), using: &numbers) : .random(in: 0...60_000, using: &numbers)
        let body = Body.synthetic(length: size, seed: UInt64(version))
        origin.serve(
            "/" + path,
            Resource(body: body, etag: "\"v\(version)\"", lastModified: HTTPDate.text(1_700_000_000 + version * 60)))
        let bytes = Data(body.allBytes)
        bodies[path] = bytes
        everServed[path, default: []].append(bytes)
    }

    /// Changes something, so that there is work for the next run: a little, and more where all is done.
    mutating func stir(isDone: Bool) throws {
        for path in Self.large where Int.random(in: 0..<(isDone ? 2 : 12), using: &numbers) == 0 { serve(path) }
        for _ in 0..<(isDone ? 6 : 1) {
            if let path = Self.small.randomElement(using: &numbers) { serve(path) }
        }
        guard Int.random(in: 0..<4, using: &numbers) == 0,
            let path = (Self.large + Self.small.prefix(3)).randomElement(using: &numbers), let body = bodies[path]
        else { return }
        // Somebody else's file: the beginning of the right one, too long a one, or none.
        let bytes: Data?
        mayVanish.remove(path)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0:
            bytes = body.prefix(Int.random(in: 0...body.count, using: &numbers))
            mayVanish.insert(path)
        case 1: bytes = body + Data(repeating: 7, count: 1000)
        default: bytes = nil
        }
        foreign[path] = bytes.map { Data($0) }
        try? FileManager.default.removeItem(atPath: "\(place.directory)/\(path)")
        if let bytes { try place.write("out/\(path)", [UInt8](bytes), modified: Date()) }
    }

    // MARK: The moment

    private enum Moment { case bytes(Int64), requests(Int), files(Int) }

    /// Returns at a random moment of a run, or when the run has ended.
    mutating func waitForMoment(of run: RunningCommand) async {
        let moment: Moment
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: moment = .bytes(.random(in: 0...(8 << 20), using: &numbers))
        case 1: moment = .requests(.random(in: 0...60, using: &numbers))
        default: moment = .files(.random(in: 0...32, using: &numbers))
        }
        let pause = Int.random(in: 0...20_000, using: &numbers)
        while !run.hasEnded, await !hasCome(moment) {}
        // Chance between two requests, not a time that something is to be over in.
        try? await Task.sleep(for: .microseconds(pause))
    }

    private func hasCome(_ moment: Moment) async -> Bool {
        let short = Duration.milliseconds(5)
        return switch moment {
        case .bytes(let count): await origin.waitUntil(bodyBytesSent: count, timeout: short)
        case .requests(let count): await origin.waitUntil(requests: count, timeout: short)
        case .files(let count):
            await origin.waitUntil(timeout: short) { log in
                log.count { $0.method == "GET" && $0.outcome == .complete } >= count
            }
        }
    }

    // MARK: What is there

    private func found(_ path: String) -> Data? { FileManager.default.contents(atPath: "\(place.directory)/\(path)") }

    /// The names that something is under.
    func held() -> Set<String> { Set((Self.large + Self.small).filter { found($0) != nil }) }

    /// Names that hold neither old bytes nor new ones, or lost what they held, and reports that are not whole.
    mutating func faults(since before: Set<String>) -> [String] {
        var faults: [String] = []
        for path in Self.large + Self.small {
            guard let bytes = found(path) else {
                if before.contains(path), !mayVanish.contains(path) { faults.append("\(path) has vanished") }
                continue
            }
            if everServed[path]?.contains(bytes) == true {
                mayVanish.remove(path)
            } else if foreign[path] != bytes {
                faults.append("\(path) holds \(bytes.count) bytes that are neither old nor new")
            }
        }
        for name in ["out/.mirror/report.json", "report.json"] {
            guard let bytes = FileManager.default.contents(atPath: "\(place.path)/\(name)") else { continue }
            if (try? JSONSerialization.jsonObject(with: bytes)) == nil { faults.append("\(name) is not whole") }
        }
        return faults
    }

    /// Names that do not hold what the origin has.
    var differences: [String] { bodies.filter { found($0.key) != $0.value }.map(\.key) }
}
