// A program in a process of its own, by posix_spawn(3), with files in place of pipes, so that nothing fills up and nobody
// has to read. Foundation's Process never gives back what it holds (6.3.1: its run loop source and itself hold each
// other), which would hide what else leaks.

import Glibc

/// A program that runs.
package struct ChildProcess: Sendable {
    package enum Ending: Sendable, Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    package let id: pid_t

    /// Starts a program. It inherits no descriptor, no environment and no way to treat signals.
    /// - Parameters:
    ///   - words: the program, looked for on the path of the tests, and its arguments.
    ///   - environment: `NAME=VALUE` each.
    ///   - input, output, errors: paths; what is written is appended.
    package init(
        _ words: [String], environment: [String], input: String = "/dev/null", output: String = "/dev/null",
        errors: String = "/dev/null"
    ) throws(OriginError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let create = O_WRONLY | O_CREAT | O_APPEND
        for (descriptor, path, flags) in [(Int32(0), input, O_RDONLY), (1, output, create), (2, errors, create)] {
            posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
        }
        // What other tests have open is none of its business.
        // To close what is not open is no error here (glibc, sysdeps/unix/sysv/linux/spawni.c).
        for descriptor in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        let code = Self.withVector(words) { words in
            guard let program = words[0] else { return EINVAL }
            return Self.withVector(environment) {
                posix_spawnp(&process, program, &actions, &attributes, words, $0)
            }
        }
        guard code == 0 else { throw OriginError(call: "posix_spawnp", errno: code) }
        id = process
    }

    private static func withVector<Result>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var vector = texts.map { strdup($0) } + [nil]
        defer { for text in vector { free(text) } }
        return body(&vector)
    }

    /// Waits for the end without blocking a thread of the test runner. To be called once.
    package func ending() async -> Ending {
        await withCheckedContinuation { continuation in
            let wait: @Sendable () -> Void = {
                var status: Int32 = 0
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal))
            }
            if !startThread(wait) { wait() }
        }
    }
}
