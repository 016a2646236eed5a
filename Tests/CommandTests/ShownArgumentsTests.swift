// What others see of the command line.

import Testing

@testable import mirror

@Suite struct ShownArgumentsTests {
    @Test(
        arguments: [
            (["sync", "list.txt", "-d", "/srv"], ["sync", "list.txt", "-d", "/srv"]),
            (["-u", "me:secret", "x"], ["-u", "***", "x"]), (["-ume:secret"], ["-u***"]),
            (["-qu", "me:secret"], ["-qu", "***"]),
            (["--user", "me:secret"], ["--user", "***"]), (["--user=me:secret"], ["--user=***"]),
            (["--user-agent", "me"], ["--user-agent", "me"]), (["-H", "X: y"], ["-H", "***"]),
            (["-u", "a"], ["-u", "*"]),
            (["-d", "-u", "x"], ["-d", "-u", "*"]), (["-j4", "-u"], ["-j4", "-u"]), (["-du", "x"], ["-du", "x"]),
            (["--", "--user", "x"], ["--", "--user", "x"]),
            (["http://me:word@h/p/a?token=1234&b=c#d"], ["http://***@h/p/a?***"]), (["http://h/p"], ["http://h/p"]),
            (["--proxy=http://me:word@h"], ["--proxy=***"]), (["--report=http://me:word@h"], ["--report=http://***@h"]),
            (["http://a@h?x"], ["http://*@h?*"]), (["http://me:p@ss/w@h/"], ["http://***@h/"]),
            (["me:word@h"], ["me:word@h"]),
            ([""], [""]), (["-"], ["-"]), ([], []),
        ] as [([String], [String])])
    func arguments(_ given: [String], _ shown: [String]) {
        let result = ShownArguments.of(given)
        #expect(result.map { String(decoding: $0, as: UTF8.self) } == shown)
        #expect(zip(given, result).allSatisfy { $0.utf8.count >= $1.count })
    }
}
