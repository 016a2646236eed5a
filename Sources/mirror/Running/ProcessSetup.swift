// What must hold before anything else is done in the process.

import Glibc

/// Prepares the process.
enum ProcessSetup {
    static func prepare() {
        fillStandardStreams()
        // A reader that goes away shows as an error of write, also on sockets.
        signal(SIGPIPE, SIG_IGN)
        // So does a file that is larger than the user allows.
        signal(SIGXFSZ, SIG_IGN)
        raiseFileLimit()
    }

    /// A stream that was closed by the caller would give its number to the next file that is opened, and the report
    /// would go into that one. The wrong direction makes its use an error, as it would have been.
    private static func fillStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Every file in progress and every connection needs a descriptor, and 1024 is the usual soft limit.
    private static func raiseFileLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
