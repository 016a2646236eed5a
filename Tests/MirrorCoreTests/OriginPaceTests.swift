// The pace of one origin: halved by 429 and 503, held until Retry-After, recovered one by one.

import MirrorCore
import Testing

@Suite struct OriginPaceTests {
    @Test(arguments: [(6, 6), (1, 1), (0, 1), (-5, 1)])
    func limits(_ row: (limit: Int, allowed: Int)) {
        var pace = OriginPace(limit: row.limit)
        #expect(pace.allowed == row.allowed)
        for _ in 0..<row.allowed {
            #expect(pace.hasRoom)
            pace.start()
        }
        #expect(!pace.hasRoom)
        pace.finish()
        #expect(pace.hasRoom)
    }

    @Test func finishingMoreThanWasStartedIsHarmless() {
        var pace = OriginPace(limit: 1)
        pace.finish()
        pace.start()
        #expect(!pace.hasRoom)
    }

    @Test(arguments: [(6, [3, 1, 1]), (16, [8, 4, 2, 1, 1]), (7, [3, 1]), (1, [1])])
    func throttlingHalves(_ row: (limit: Int, steps: [Int])) {
        var pace = OriginPace(limit: row.limit)
        for step in row.steps {
            pace.throttle(until: nil)
            #expect(pace.allowed == step)
        }
        #expect(pace.limit == row.limit)
        #expect(pace.heldUntil == nil)
    }

    @Test func anEarlierTimeDoesNotEndAHold() {
        var pace = OriginPace(limit: 4)
        pace.throttle(until: .seconds(30))
        #expect(pace.heldUntil == .seconds(30))
        pace.throttle(until: .seconds(10))
        #expect(pace.heldUntil == .seconds(30))
        pace.throttle(until: nil)
        #expect(pace.heldUntil == .seconds(30))
        pace.throttle(until: .seconds(40))
        #expect(pace.heldUntil == .seconds(40))
    }

    @Test func recoveryIsOneByOne() {
        var pace = OriginPace(limit: 4)
        pace.throttle(until: nil)
        var allowed: [Int] = []
        for _ in 0..<7 {
            pace.succeed()
            allowed.append(pace.allowed)
        }
        #expect(allowed == [2, 3, 3, 3, 4, 4, 4], "one more after as many good answers as requests at once")
        pace.throttle(until: nil)
        pace.succeed()
        pace.throttle(until: nil)
        #expect(pace.allowed == 1)
        pace.succeed()
        #expect(pace.allowed == 2, "what was counted before counts no more")
    }

    @Test(arguments: [(6, 5, 4), (6, 3, 2), (6, 1, 6), (2, 2, 1), (1, 1, 1)])
    func aRefusedConnectionTakesOne(_ row: (limit: Int, running: Int, allowed: Int)) {
        var pace = OriginPace(limit: row.limit)
        for _ in 1..<row.running { pace.start() }
        pace.refuse(pace.start())
        #expect(pace.allowed == row.allowed)
        for _ in 0..<100 { pace.succeed() }
        #expect(pace.allowed == row.limit)
    }

    @Test func connectionsThatAreResetTogetherTakeOne() {
        var pace = OriginPace(limit: 6)
        let tickets = (0..<6).map { _ in pace.start() }
        for ticket in tickets {
            pace.refuse(ticket)
            pace.finish()
        }
        #expect(pace.allowed == 5)
        let later = (0..<5).map { _ in pace.start() }
        for ticket in later {
            pace.refuse(ticket)
            pace.finish()
        }
        #expect(pace.allowed == 4, "the next ones were sent knowing better")
    }

    @Test func companyThatHasGoneCountsAll() {
        var pace = OriginPace(limit: 6)
        let first = pace.start()
        #expect(!pace.hadCompany(first))
        let second = pace.start()
        pace.finish()
        #expect(pace.hadCompany(first) && pace.hadCompany(second))
        pace.refuse(second)
        #expect(pace.allowed == 1)
        pace.finish()
        let third = pace.start()
        #expect(!pace.hadCompany(third))
        pace.refuse(third)
        #expect(pace.allowed == 1)
    }

    @Test func answersThatWereUnderWayTogetherHalveOnce() {
        var pace = OriginPace(limit: 8)
        for _ in 0..<8 { pace.start() }
        for _ in 0..<8 {
            pace.throttle(until: nil)
            pace.finish()
        }
        #expect(pace.allowed == 4)
        for _ in 0..<4 { pace.start() }
        for _ in 0..<4 {
            pace.throttle(until: nil)
            pace.finish()
        }
        #expect(pace.allowed == 2, "the next ones were sent knowing better")
    }
}
