// An open file or folder that is closed when nobody needs it any more.

/// The owner of one file descriptor.
package final class Descriptor: Sendable {
    package let number: Int32
    private let calls: SystemCalls

    package init(_ number: Int32, calls: SystemCalls) {
        self.number = number
        self.calls = calls
    }

    deinit { calls.close(number) }
}
