// What the system knows of the terminal behind standard error.

import Glibc

/// Questions to a terminal.
enum Terminal {
    static var isStandardError: Bool { isatty(STDERR_FILENO) == 1 }

    /// 80 where nobody knows.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether the terminal is this job's at the moment.
    static var isForeground: Bool {
        let group = tcgetpgrp(STDERR_FILENO)
        // A terminal that is not the controlling one has no jobs.
        return group == -1 || group == getpgrp()
    }
}
