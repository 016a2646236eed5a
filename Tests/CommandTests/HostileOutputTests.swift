// Names, addresses and messages from servers and lists on their way to a terminal: shown, and never obeyed.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct HostileOutputTests {
        /// Clears the screen, sets the title, turns the direction of writing round, and more of that kind.
        private static let tricks = [
            "\u{1B}[2J", "\u{1B}]0;x\u{7}", "\u{9B}31m", "\u{202E}cod.exe", "\u{2066}", "\r\n", "\u{8}",
        ]

        private func isHarmless(_ text: String) -> Bool {
            text.unicodeScalars.allSatisfy { scalar in
                scalar == "\n"
                    || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.properties.isBidiControl)
            }
        }

        @Test(arguments: [[], ["-v"], ["-q"], ["-n"], ["-v", "--progress", "plain"]])
        func `nothing from outside steers the terminal`(more: [String]) async throws {
            let origin = try WickedOrigin()
            let name = Self.tricks.joined().utf8.map { "%" + String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
            origin.serve("/suggested/") { request in
                var resource = Resource(body: .text("abc"))
                resource.headers.append("Content-Disposition", "attachment; filename*=UTF-8''\(name)")
                return resource.answer(to: request)
            }
            origin.serve("/moved") { _ in .redirect(to: "/\(Self.tricks[0])") }
            origin.serve("/strange") { _ in
                Answer(
                    status: 206, reason: Self.tricks[1],
                    headers: [
                        "Content-Range": "bytes \(Self.tricks[0])", "ETag": "\"\(Self.tricks[2])\"",
                        "Content-Type": Self.tricks[3],
                    ], content: Content("abc"))
            }
            let place = try Workplace(origin)
            try place.write(
                "manifest.txt",
                lines: [
                    origin.url("/\(name)"), origin.url("/moved"), origin.url("/strange"), origin.url("/u") + "?\(name)",
                    origin.url("/v"), "  out=\(Self.tricks[0])\(Self.tricks[3])/\(Self.tricks[2])",
                ])
            let arguments = ["manifest.txt", "--report", "a.json", "--report", "a.txt", "--retries", "0"] + more
            let result = await (try place.start(arguments)).result()
            #expect(result.ending == .exit(1))
            let saved = ["a.json", "a.txt"].compactMap {
                try? String(contentsOfFile: "\(place.path)/\($0)", encoding: .utf8)
            }
            #expect(saved.count == 2)
            for text in [result.output, result.errors] + saved {
                #expect(isHarmless(text), "\(text.debugDescription)")
            }
            // The report still says exactly which file it means.
            let path = try #require(Self.tricks.joined().removingPercentEncoding)
            #expect(try place.report("a.json").files.contains { Array($0.path.utf8) == Array(path.utf8) })
        }

        @Test(arguments: [
            "https://h/a\n  \u{1B}[2J=x\n", "\u{1B}[2J://h/a\n", "https://h/\u{1B}[2J\n",
            "https://h/a\n  out=\u{1B}/../x\n",
            "https://h/%1b%5b2J\nhttps://g/%1b%5b2J\n", "https://h/a\n  checksum=\u{9B}=x\n",
            "https://h/%e2%80%ae\nhttps://g/%e2%80%ae\n",
        ])
        func `faults of a list are shown and not obeyed`(manifest: String) async throws {
            let place = try Workplace()
            try place.write("\u{1B}[2Jlist.txt", Array(manifest.utf8))
            let result = try await place.sync("\u{1B}[2Jlist.txt")
            #expect(result.ending == .exit(2))
            #expect(!result.errors.isEmpty && isHarmless(result.errors), "\(result.errors.debugDescription)")
        }

        @Test(arguments: [
            ["\u{1B}[2J"], ["sync", "--\u{1B}[2J"], ["sync", "-\u{1B}"], ["sync", "-j", "\u{9B}1"],
            ["sync", "-d", "/\u{1B}[2J/\u{202E}x", "/dev/null"], ["sync", "\u{202E}no-list"],
            ["sync", "-d", "/proc/\u{1B}[2J", "manifest"], ["sync", "--report", "\u{1B}.x", "m"],
        ])
        func `words of the command line are shown and not obeyed`(arguments: [String]) async throws {
            let result = await (try RunningCommand(arguments)).result()
            #expect(result.ending == .exit(2))
            #expect(!result.errors.isEmpty && isHarmless(result.errors), "\(result.errors.debugDescription)")
        }
    }
}
