// Decides which entry is next. Entries wait by origin, so that a slow or held origin never keeps the others idle.

import MirrorCore

/// Works through entries, so many at once.
actor Dispatcher {
    private struct Line {
        let origin: Origin
        var indices: [Int]
        var next = 0
        var running = 0
    }

    private let courier: Courier
    private var jobs: Int
    private var lines: [Line] = []
    private var nextLine = 0
    private var running = 0
    private var unfinished = 0
    private var lastTask = 0
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var change: UnsafeContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { courier.unownedExecutor }

    /// - Parameter jobs: entries in progress at once.
    init(courier: Courier, jobs: Int) {
        self.courier = courier
        self.jobs = max(jobs, 1)
    }

    /// Calls `body` for every index, with a place that it may leave early. Returns when all calls have returned; after
    /// a cancellation no further ones are made.
    func run(
        _ indices: [(index: Int, origin: Origin)],
        body: nonisolated(nonsending) @escaping @Sendable (Int, Place) async -> Void
    ) async {
        arrange(indices)
        await courier.notifyOfRoom { self.assumeIsolated { $0.changed() } }
        await withTaskCancellationHandler {
            while !Task.isCancelled {
                if running < jobs, let line = readyLine() {
                    start(line, body)
                } else if lines.contains(where: { $0.next < $0.indices.count }) {
                    await nextChange()
                } else {
                    break
                }
            }
            while unfinished > 0 { await nextChange() }
        } onCancel: {
            Task(executorPreference: self.courier.loop) { await self.cancelAll() }
        }
        await courier.notifyOfRoom(nil)
    }

    private func arrange(_ indices: [(index: Int, origin: Origin)]) {
        var places: [Origin: Int] = [:]
        lines = []
        nextLine = 0
        for (index, origin) in indices {
            let place = places[origin] ?? lines.count
            if place == lines.count {
                places[origin] = place
                lines.append(Line(origin: origin, indices: []))
            }
            lines[place].indices.append(index)
        }
    }

    /// The next line in turn that has an entry waiting and room at its origin.
    private func readyLine() -> Int? {
        for step in 0..<lines.count {
            let index = (nextLine + step) % lines.count
            let line = lines[index]
            guard line.next < line.indices.count else { continue }
            if line.running < courier.assumeIsolated({ $0.room(at: line.origin) }) {
                nextLine = index + 1
                return index
            }
        }
        return nil
    }

    private func start(_ line: Int, _ body: nonisolated(nonsending) @escaping @Sendable (Int, Place) async -> Void) {
        let index = lines[line].indices[lines[line].next]
        lines[line].next += 1
        unfinished += 1
        lastTask += 1
        let id = lastTask
        let place = Place(dispatcher: self, line: line)
        take(line)
        tasks[id] = Task(executorPreference: courier.loop) {
            await body(index, place)
            await self.finish(id, place)
        }
    }

    private func finish(_ id: Int, _ place: Place) {
        place.leave()
        tasks[id] = nil
        unfinished -= 1
        changed()
    }

    fileprivate func take(_ line: Int) {
        running += 1
        lines[line].running += 1
    }

    fileprivate func leave(_ line: Int) {
        running -= 1
        lines[line].running -= 1
        changed()
    }

    /// Half of what is in progress was too much.
    fileprivate func lowerJobs() { jobs = max(min(jobs, running) / 2, 1) }

    private func nextChange() async {
        await withUnsafeContinuation { change = $0 }
    }

    private func changed() {
        change?.resume()
        change = nil
    }

    private func cancelAll() {
        for task in tasks.values { task.cancel() }
        changed()
    }
}

/// An entry's place among those in progress.
// @unchecked: `isTaken` is only touched in the isolation of the dispatcher.
final class Place: @unchecked Sendable {
    private let dispatcher: Dispatcher
    private let line: Int
    private var isTaken = true

    init(dispatcher: Dispatcher, line: Int) {
        self.dispatcher = dispatcher
        self.line = line
    }

    /// Lets another entry begin. To be called on the loop's thread, like `retake()`.
    func leave() {
        dispatcher.assumeIsolated { dispatcher in
            guard isTaken else { return }
            isTaken = false
            dispatcher.leave(line)
        }
    }

    /// The system has no room for so much at once: from here on, less begins. To be called on the loop's thread.
    func lowerJobs() { dispatcher.assumeIsolated { $0.lowerJobs() } }

    /// Counts again after a wait, even when others have begun in the meantime.
    func retake() {
        dispatcher.assumeIsolated { dispatcher in
            guard !isTaken else { return }
            isTaken = true
            dispatcher.take(line)
        }
    }
}
