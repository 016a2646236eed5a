// The help names all there is and nothing else.

import Testing

@testable import mirror

@Suite struct HelpTests {
    @Test(arguments: OptionTable.sync.map(\.name)) func `every option is in the help`(name: String) throws {
        let option = try #require(OptionTable.sync.first { $0.name == name })
        let line = HelpText.sync.split(separator: "\n").first {
            $0.contains(" --\(name)\(option.takesValue ? " " : "")")
        }
        #expect(line != nil)
        if let letter = option.letter { #expect(line?.contains("  -\(letter), --\(name)") == true) }
    }

    @Test(arguments: [
        ".csv", "json|", "mirror verify", "mirror status", "mirror report",
    ])
    func `nothing is in the help that does not exist`(text: String) {
        #expect(!HelpText.sync.contains(text))
        #expect(!HelpText.command.contains(text))
    }

    @Test(arguments: [HelpText.command, HelpText.sync, HelpText.list, HelpText.usage])
    func `the help fits a terminal and ends with its line`(text: String) {
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }

    @Test func `the help explains each exit code`() {
        for code in 0...5 { #expect(HelpText.sync.contains("\n  \(code)  ")) }
    }

    @Test(arguments: OptionTable.sync.map(\.name)) func `the defaults of the help are those of the code`(name: String)
        throws
    {
        let option = try #require(OptionTable.sync.first { $0.name == name })
        guard let standard = option.standard, !["none", "here", "terminal", "all", "as it looks"].contains(standard)
        else { return }
        var settings = Settings()
        try option.apply(standard, to: &settings)
        #expect("\(settings)" == "\(Settings())")
    }
}
