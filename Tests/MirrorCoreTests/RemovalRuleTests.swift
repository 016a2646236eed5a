import MirrorCore
import Testing

/// Which files may be removed.
struct RemovalRuleTests {
    /// Ten recorded files, of which some are no longer named.
    private func verdict(
        _ unnamed: Int, entries: Int = 10, gap: String? = nil, limit: RemovalLimit = .percent(25),
        allowsEmpty: Bool = false
    ) throws -> RemovalVerdict {
        var policy = RemovalPolicy()
        policy.limit = limit
        policy.allowsEmptySource = allowsEmpty
        let candidates = try (0..<unnamed).map { try LocalPath("f\($0)") }
        return policy.verdict(on: candidates, recorded: 10, source: SourceState(entries: entries, gap: gap))
    }

    @Test(
        arguments: [
            // unnamed, entries, gap, limit, allows empty, removed
            (0, 10, nil, .percent(25), false, 0),
            (2, 8, nil, .percent(25), false, 2),
            (3, 7, nil, .percent(25), false, nil),
            (3, 7, nil, .percent(30), false, 3),
            (3, 7, nil, .files(3), false, 3),
            (3, 7, nil, .files(2), false, nil),
            (1, 9, nil, .files(0), false, nil),
            (1, 9, nil, .percent(0), false, nil),
            (10, 1, nil, .percent(100), false, 10),
            (1, 9, "cut off", .percent(100), true, nil),
            (10, 0, nil, .percent(100), false, nil),
            (10, 0, nil, .percent(100), true, 10),
            (10, 0, nil, .percent(25), true, nil),
            (0, 0, "cut off", .percent(25), false, 0),
            (0, 0, nil, .percent(25), false, 0),
        ] as [(Int, Int, String?, RemovalLimit, Bool, Int?)])
    func `the source, the limit and the options decide`(
        _ unnamed: Int, _ entries: Int, _ gap: String?, _ limit: RemovalLimit, _ allowsEmpty: Bool, _ removed: Int?
    ) throws {
        switch try verdict(unnamed, entries: entries, gap: gap, limit: limit, allowsEmpty: allowsEmpty) {
        case .remove(let paths): #expect(paths.count == removed)
        case .refused(let why):
            #expect(removed == nil)
            #expect(why.hasPrefix("nothing is removed"))
        }
    }

    @Test(
        arguments: [
            (.percent(25), 1, 3, false), (.percent(25), 1, 4, true), (.percent(25), 25, 100, true),
            (.percent(25), 26, 100, false), (.percent(100), Int.max, Int.max, true), (.percent(0), 0, 5, true),
            (.percent(50), 1, 1, false), (.files(5), 5, 1, true),
        ] as [(RemovalLimit, Int, Int, Bool)])
    func `a share is counted in whole files`(_ limit: RemovalLimit, _ count: Int, _ recorded: Int, _ allows: Bool) {
        #expect(limit.allows(count, of: recorded) == allows)
    }
}
