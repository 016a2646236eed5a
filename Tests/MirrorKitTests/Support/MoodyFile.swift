// A file on a server that means no good: each answer may be wrong in another way, and the file itself changes between
// answers. What it does follows from a seed and the number of the request alone; after so many requests it behaves.

import MirrorTestSupport

/// One path of an origin whose answers are drawn from a seed.
struct MoodyFile: Sendable {
    /// How the bytes change from answer to answer.
    enum Change: CaseIterable, Sendable {
        case never, once, backAndForth, often, growing
    }

    let seed: UInt64
    /// Requests of any method from which on every answer is right and the file stays as it is.
    let calm: Int
    let change: Change
    /// Whether refusals that no retry may follow are among the answers.
    let refuses: Bool
    private let size: Int64
    private let changesSize: Bool
    private let changesDate: Bool

    init(seed: UInt64, calm: Int, refuses: Bool) {
        var numbers = SeededNumbers(seed: seed)
        self.seed = seed
        self.calm = calm
        self.refuses = refuses
        change = Change.allCases.randomElement(using: &numbers) ?? .never
        size = Int64.random(in: 1...300_000, using: &numbers)
        changesSize = Bool.random(using: &numbers)
        changesDate = Bool.random(using: &numbers)
    }

    /// Which state of the file a request meets.
    private func version(at ordinal: Int) -> Int {
        let time = min(ordinal, calm)
        return switch change {
        case .never: 0
        case .once: time >= Int(seed % 7) ? 1 : 0
        case .backAndForth: time / 2 % 2
        case .often: time / 3
        case .growing: time
        }
    }

    private func body(_ version: Int) -> Body {
        let more = change == .growing ? Int64(version) : changesSize ? Int64(version) * 777 : 0
        return .sized(size + more, seed: seed &* 100 &+ UInt64(version))
    }

    /// All states that the file was in when it was asked so often.
    func bodies(requests: Int) -> [Body] {
        Set((0...max(requests, 1)).map(version)).sorted().map(body)
    }

    /// The state that stays.
    var last: Body { body(version(at: calm)) }

    func answer(to request: MirrorTestSupport.Request) -> Answer {
        let version = version(at: request.ordinal)
        var resource = Resource.plain(body(version), version: version)
        if !changesDate { resource.lastModified = MirrorTestSupport.HTTPDate.text(Resource.seconds(0)) }
        // Slow enough for others to ask meanwhile.
        resource.faults.delivery.pace = .trickle(bytes: 8_192, every: .milliseconds(1))
        guard request.ordinal < calm else { return resource.answer(to: request) }
        var numbers = SeededNumbers(seed: seed &* 1_000 &+ UInt64(request.ordinal))
        if Int.random(in: 0..<10, using: &numbers) == 0, let answer = refusal(&numbers) { return answer }
        // A date as young as the answer proves nothing.
        if Int.random(in: 0..<6, using: &numbers) == 0 { resource.lastModified = MirrorTestSupport.HTTPDate.now }
        resource.faults = faults(&numbers)
        return resource.answer(to: request)
    }

    private func refusal(_ numbers: inout SeededNumbers) -> Answer? {
        let mild = [
            Answer.status(503), .status(500), .status(429, retryAfter: "2"), .closed(.fin), .closed(.rst), .status(408),
        ]
        let hard = [Answer.status(404), .status(403), .htmlPage(), .status(416), .status(412)]
        return (refuses ? mild + hard : mild).randomElement(using: &numbers)
    }

    private func faults(_ numbers: inout SeededNumbers) -> Faults {
        var faults = Faults()
        let cut = Int64.random(in: 1...100_000, using: &numbers)
        if Bool.random(using: &numbers) {
            faults.range = Self.ranges(cut).randomElement(using: &numbers) ?? .honour
        }
        let ifRanges = [Faults.IfRangeHandling.honoured, .ignored, .datesOnly, .weakComparison, .always200]
        faults.ifRange = ifRanges.randomElement(using: &numbers) ?? .honoured
        if Bool.random(using: &numbers) {
            let validators = [Faults.ValidatorHandling.none, .randomETag, .weakETag]
            faults.validators = validators.randomElement(using: &numbers) ?? .asGiven
        }
        let framings = [Framing.length, .length, .chunked, .contentLengthTooBig(by: 9), .chunkedWithoutLast]
        faults.delivery.pace = .trickle(bytes: 8_192, every: .milliseconds(1))
        faults.framing = framings.randomElement(using: &numbers) ?? .length
        // The end of a connection looks like the end of a file only where nothing tells the length; that is not played.
        if Int.random(in: 0..<3, using: &numbers) == 0 {
            faults.delivery.cut = .init(at: .body(cut), Bool.random(using: &numbers) ? .fin : .rst)
        }
        let heads = [Faults.HeadHandling.normal, .normal, .status(405), .zeroLength, .noLength, .length(cut)]
        faults.head = heads.randomElement(using: &numbers) ?? .normal
        return faults
    }

    private static func ranges(_ bytes: Int64) -> [RangeHandling] {
        [
            .ignore, .fromZero, .earlyStart(by: bytes), .short(maxBytes: bytes), .noContentRange(wholeBody: true),
            .noContentRange(wholeBody: false), .sliceWith200, .wrongTotal(bytes), .unknownTotal,
            .contentRange("bytes nonsense"), .multipart, .excess(bytes: 9, counted: true),
            .excess(bytes: 9, counted: false), .notSatisfiable, .preconditionFailed, .answer(.status(503)),
        ]
    }
}
