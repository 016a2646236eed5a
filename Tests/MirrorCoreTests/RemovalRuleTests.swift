import MirrorCore
import Testing

/// Which files may be removed.
struct RemovalRuleTests {
    @Test(
        arguments: [
            // entries, gap, allows empty, refused
            (10, nil, false, false),
            (10, "cut off", false, true),
            (10, "cut off", true, true),
            (0, nil, false, true),
            (0, nil, true, false),
            (0, "cut off", true, true),
        ] as [(Int, String?, Bool, Bool)])
    func `a source that is not whole, or names nothing, says of no file that it is gone`(
        _ entries: Int, _ gap: String?, _ allowsEmpty: Bool, _ isRefused: Bool
    ) {
        var policy = RemovalPolicy()
        policy.allowsEmptySource = allowsEmpty
        let refusal = policy.refusal(of: SourceState(entries: entries, gap: gap))
        #expect((refusal != nil) == isRefused)
        #expect(refusal?.hasPrefix("nothing is removed") ?? true)
        #expect(refusal?.contains(gap ?? "") ?? true)
    }

    @Test(
        arguments: [
            // of ten recorded files
            (0, .percent(0), false), (2, .percent(25), false), (3, .percent(25), true), (3, .percent(30), false),
            (3, .files(3), false), (3, .files(2), true), (1, .files(0), true), (10, .percent(100), false),
        ] as [(Int, RemovalLimit, Bool)])
    func `more than the limit is refused, with both numbers`(_ count: Int, _ limit: RemovalLimit, _ isRefused: Bool) {
        var policy = RemovalPolicy()
        policy.limit = limit
        let refusal = policy.refusal(of: count, recorded: 10)
        #expect((refusal != nil) == isRefused)
        #expect(refusal.map { $0.contains("\(count) of 10 files") && $0.hasPrefix("nothing is removed") } ?? true)
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
