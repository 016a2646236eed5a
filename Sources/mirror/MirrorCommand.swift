// Where the process begins and ends. A plain function on the main thread: signals must be blocked before Swift starts
// the first of its threads.

import Glibc
import MirrorKit

/// The command.
@main
enum MirrorCommand {
    static func main() {
        ProcessSetup.prepare()
        exit(run())
    }

    /// - Returns: the exit code.
    private static func run() -> Int32 {
        do throws(UsageError) {
            switch try Invocation.parse(try RawArguments.read()) {
            case .help: return show(HelpText.command)
            case .syncHelp: return show(HelpText.sync)
            case .listHelp: return show(HelpText.list)
            case .version: return show(VersionText.text)
            case .sync(let settings):
                var command = SyncCommand(settings)
                return command.run()
            case .list(let settings): return ListCommand(settings).run()
            }
        } catch {
            var standardError = Output(descriptor: STDERR_FILENO)
            standardError.append(Wording.usage(error))
            standardError.flush()
            return ExitCode.badUsage.rawValue
        }
    }

    /// - Returns: 0, or 1 when the text that was asked for did not get out.
    private static func show(_ text: String) -> Int32 {
        var output = Output(descriptor: STDOUT_FILENO)
        output.append(text)
        output.flush()
        return output.hasFailed ? ExitCode.someFailed.rawValue : ExitCode.inLine.rawValue
    }
}
