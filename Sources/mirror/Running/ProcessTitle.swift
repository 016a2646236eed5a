// What the system shows of this process to others, in `ps` and /proc: written over in the memory where the kernel put
// the arguments, which Swift hands out a copy of. Nothing fails when that cannot be done.

import Glibc

/// The words that the system shows of this process.
enum ProcessTitle {
    /// Replaces the arguments behind the program's name.
    /// - Parameter arguments: as many as there are, none longer than its own.
    static func show(_ arguments: [[UInt8]]) {
        // glibc keeps where the first argument lies (misc/init-misc.c); the others follow it directly.
        guard let symbol = dlsym(nil, "program_invocation_name"),
            var place = symbol.load(as: UnsafeMutablePointer<CChar>?.self)
        else { return }
        place += strlen(place) + 1
        for (index, argument) in arguments.enumerated() {
            // Only what is known to lie there is written over.
            guard let own = CommandLine.unsafeArgv[index + 1], strcmp(own, place) == 0 else { return }
            let length = strlen(place)
            for offset in 0..<length {
                place[offset] = CChar(bitPattern: offset < argument.count ? argument[offset] : UInt8(ascii: " "))
            }
            place += length + 1
        }
    }
}
