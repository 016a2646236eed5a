// libFuzzer at one of the doors. Built only where MIRROR_FUZZ is set, with the flags that Tests/Fuzz/fuzz.sh gives.
// The door is named by MIRROR_FUZZ_TARGET; the arguments are libFuzzer's.

import CFuzzer
import FuzzTargets
import Glibc

@main
enum Fuzzer {
    static let target = getenv("MIRROR_FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

    static func main() {
        guard target != nil else {
            print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
            return
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, checkInput))
    }
}

/// libFuzzer takes the end of the process for a find, and keeps the input.
private func checkInput(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    do {
        _ = try Fuzzer.target?.check(Array(UnsafeBufferPointer(start: start, count: size)))
    } catch {
        let message = "broken promise: \(error)\n"
        _ = write(STDERR_FILENO, message, message.utf8.count)
        abort()
    }
    return 0
}
