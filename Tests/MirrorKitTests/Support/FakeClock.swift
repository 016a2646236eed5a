// Time for a run under test: a sleep is over at once, and the clock shows afterwards what it would have shown. It never
// tells what the machine's own clocks say.

import MirrorKit
import MirrorTestSupport

/// A clock that only moves when somebody sleeps, to the moment at which the first of the sleepers wakes up.
final class FakeClock: Sendable {
    private struct State {
        var elapsed = FakeClock.start
        var sleeps: [Duration] = []
        /// When those who sleep now wake up.
        var wakeUps: [Int: Duration] = [:]
        var held: Duration?
        var sleepers = 0
        var isBusy: (@Sendable () -> Bool)?
    }

    /// Any moment but zero, so that a duration is never taken for a moment.
    private static let start = Duration.seconds(5_000)
    /// 2026-06-01T00:00:00Z.
    static let startDate = 1_780_272_000

    private let state = MirrorTestSupport.Locked(State())
    private let gate = MirrorTestSupport.Locked(false)

    /// How much time went by.
    var passed: Duration { state.read { $0.elapsed } - Self.start }

    /// What was slept, in order.
    var sleeps: [Duration] { state.read { $0.sleeps } }

    /// How many sleep now: none after a run.
    var sleepers: Int { state.read { $0.sleepers } }

    /// Sleeps of exactly this length last until `release()` or the end of their task.
    func hold(_ duration: Duration) { state.withLock { $0.held = duration } }

    /// Time stands still while this says so: whoever is served is ready before anybody who waits wakes up, as it is with
    /// true waits, however busy the machine is.
    func stand(while isBusy: @escaping @Sendable () -> Bool) { state.withLock { $0.isBusy = isBusy } }

    /// Time goes by while others work.
    func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }

    func release() { gate.withLock { $0 = true } }

    /// Chance is always one half: the first delay of a retry is 0.25 s.
    var runClock: RunClock {
        RunClock(
            elapsed: { self.state.read { $0.elapsed } },
            date: { MirrorCore.HTTPDate(seconds: Int64(Self.startDate) + self.passed.components.seconds) },
            sleep: { await self.sleep($0) }, random: { 0.5 })
    }

    private func sleep(_ duration: Duration) async {
        state.withLock { $0.sleepers += 1 }
        defer { state.withLock { $0.sleepers -= 1 } }
        if state.read({ $0.held == duration }) {
            let wakeUp = state.read { $0.elapsed } + duration
            while !Task.isCancelled, !gate.read({ $0 }) { await Task.yield() }
            if !Task.isCancelled { state.withLock { $0.elapsed = max($0.elapsed, wakeUp) } }
            return
        }
        let (id, wakeUp) = state.withLock { state in
            state.sleeps.append(duration)
            let sleep = (id: state.sleeps.count, wakeUp: state.elapsed + duration)
            state.wakeUps[sleep.id] = sleep.wakeUp
            return sleep
        }
        await standStill()
        // Whoever begins to sleep at the same moment gets the chance to do so before time goes on.
        for _ in 0..<20 { await Task.yield() }
        while !Task.isCancelled, state.read({ $0.wakeUps.values.contains { $0 < wakeUp } }) { await Task.yield() }
        state.withLock { state in
            if !Task.isCancelled { state.elapsed = max(state.elapsed, wakeUp) }
            state.wakeUps[id] = nil
        }
    }

    /// Until nobody has been served for some looks in a row: between two requests of one file nobody is for a moment.
    private func standStill() async {
        guard let isBusy = state.read({ $0.isBusy }) else { return }
        var idleLooks = 0
        while !Task.isCancelled, idleLooks < 5 {
            try? await Task.sleep(for: .milliseconds(1))
            idleLooks = isBusy() ? 0 : idleLooks + 1
        }
    }
}
