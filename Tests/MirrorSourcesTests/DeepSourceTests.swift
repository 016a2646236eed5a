import MirrorCore
import MirrorSources
import Testing

/// Sources without a bottom.
struct DeepSourceTests {
    @Test func `deep nesting in a report is a fault`() {
        let text = "{ \"schema\": \"mirror-report/1\", \"files\": " + String(repeating: "[", count: 200_000)
        #expect(SourceReader.read(Array(text.utf8), layout: .name).problems.count == 1)
    }
}
