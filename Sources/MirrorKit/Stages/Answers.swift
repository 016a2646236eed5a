// What servers said, collected from many tasks.

import MirrorCore
import MirrorThreads

/// Facts by the index of their entry.
final class Answers: Sendable {
    private let facts = Locked<[(index: Int, facts: RemoteFacts)]>([])

    func add(_ facts: RemoteFacts, _ index: Int) { self.facts.withLock { $0.append((index, facts)) } }

    var all: [(index: Int, facts: RemoteFacts)] { facts.withLock { $0 } }
}
