// How many files and connections the process may have open. A run that asks for more than the system grants does the
// same work with less at once; it never fails for it.

import Glibc

/// What a limit on open descriptors leaves for transfers.
struct DescriptorBudget {
    /// What connections may have, what files in progress may have, and what finished files may have that wait for
    /// their seal: these may each need a folder as well, hence a quarter.
    let share: Int

    /// Standard streams, the loop, names being looked up, state, lock, partial files' folder.
    private static let reserve = 32

    /// - Parameter limit: descriptors that the process may have open.
    init(limit: Int) { share = max((limit - Self.reserve) / 4, 1) }

    /// What the system grants now.
    static var current: DescriptorBudget {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return DescriptorBudget(limit: 1024)
        }
        return DescriptorBudget(limit: Int(clamping: limit.rlim_cur))
    }

    /// The same options, with no more at once than fits.
    func fitting(_ options: SyncOptions) -> SyncOptions {
        var options = options
        options.jobs = min(options.jobs, share)
        options.transport.connectionsPerHost = min(options.transport.connectionsPerHost, share)
        return options
    }
}
