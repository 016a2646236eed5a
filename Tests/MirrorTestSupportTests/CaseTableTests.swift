// The table of failure cases in Tests/README.md: it names every case, and every test that it names is there.

import Foundation
import Testing

@Suite struct CaseTableTests {
    /// The cases of all classes.
    private static let cases = """
        C001 C003 C004 C007 C008 C009 C010 C011 C012 C013 C014 C016 C017 C018 C019 C021 C022 C023 C024 C025 C026 C030 C031
        C032 C033 C034 C035 C036 C038 C039 C040 C041 C044 C045 C047 C048 C049 C050 C051 C052 C054 C056 C057 C058 C059 C060
        C061 C063 C064 C065 C067 C068 C069 C070 C071 C073 C075 C076 C077 C079 C081 C082 C083 C084 C086 C087 C088 C089 C090
        C091 C092 C093 C094 C097 C098 C103 C104 C105 C106 C107 C108 C109 C111 C112 C113 C114 C115 C116 C118 C121 C122 C123
        C124 C125 C126 C129 C131 C132 C133 C134 C135 C136 C137 C138 C140 C142 C143 C144 C145 C148 C150 C151 C152 C153 C154
        C155 C156 C158 C160 C161 C163 C164 C165 C166 C168 C169 C170 C172 C174 C175 C177 C178
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private struct Row {
        let number: String
        /// File and function, as in `ResumeCaseTests.stall`.
        let tests: [(file: String, name: String)]
        let verdict: String
    }

    private func rows() throws -> [Row] {
        let text = try String(contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[0].range(of: "^C[0-9]{3} ", options: .regularExpression) != nil else {
                return nil
            }
            let tests = cells[1].split(separator: "`").filter { $0.contains(".") }.map { test in
                let dot = test.firstIndex(of: ".") ?? test.endIndex
                return (file: String(test[..<dot]), name: String(test[dot...].dropFirst()))
            }
            return Row(number: String(cells[0].prefix(4)), tests: tests, verdict: cells[2])
        }
    }

    /// The sources of the tests, by the name of their file.
    private func sources() throws -> [String: String] {
        var sources: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path) where name.hasSuffix(".swift")
        {
            let url = Self.folder.appendingPathComponent(name)
            sources[url.deletingPathExtension().lastPathComponent, default: ""] += try String(
                contentsOf: url, encoding: .utf8)
        }
        return sources
    }

    /// The reasons there are for a row without tests; what follows says more.
    private static let reasons = ["not in this version: ", "not on one machine: "]

    @Test func `every case has one row, with tests or a reason`() throws {
        let rows = try rows()
        #expect(rows.map(\.number) == Self.cases)
        for row in rows {
            #expect(!row.verdict.isEmpty, "\(row.number)")
            let isReason = Self.reasons.contains { row.verdict.hasPrefix($0) && row.verdict != $0 }
            #expect(row.tests.isEmpty == isReason, "\(row.number)")
        }
    }

    @Test func `every test in the table exists, and one of each row has its number`() throws {
        let sources = try sources()
        for row in try rows() {
            var names: [String] = []
            for test in row.tests {
                let name = Self.fullName(test.name, in: sources[test.file] ?? "")
                #expect(name != nil, "\(row.number): \(test.file).\(test.name)")
                names.append(name ?? "")
            }
            guard !row.tests.isEmpty else { continue }
            #expect(names.contains { $0.contains(row.number) }, "\(row.number) is in no name")
        }
    }

    /// The name of a test as it is shown and as it is declared: all from its attribute to its function.
    private static func fullName(_ name: String, in source: String) -> String? {
        guard let function = ["func \(name)(", "func `\(name)"].lazy.compactMap({ source.range(of: $0) }).first,
            let attribute = source.range(
                of: "@Test", options: .backwards, range: source.startIndex..<function.lowerBound)
        else { return nil }
        // A comment of the test before it is no name of this one.
        let text = source[attribute.lowerBound..<function.upperBound]
        return text.contains("\n    }\n") ? nil : String(text)
    }
}
