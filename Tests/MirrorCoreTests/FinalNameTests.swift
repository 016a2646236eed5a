import MirrorCore
import Testing

@Suite struct FinalNameTests {
    private static let file = LocalFile(size: 10, modified: 5)

    @Test(
        arguments: [
            (file, file, nil), (file, nil, .nameTaken),
            (LocalFile(size: 11, modified: 5), file, .localFileChanged),
            (LocalFile(size: 10, modified: 6), file, .localFileChanged),
            (LocalFile(size: 0, modified: 0), nil, .nameTaken),
        ] as [(LocalFile, LocalFile?, Failure?)])
    func onlyWhatThePlanSawIsReplaced(_ row: (found: LocalFile, planned: LocalFile?, refusal: Failure?)) {
        #expect(FinalName.refusal(toReplace: row.found, planned: row.planned) == row.refusal)
    }

    /// C175: what is under the name at the end decides.
    @Test(
        arguments: [
            (file, true, nil), (nil, false, .goneAtOnce),
            (LocalFile(size: 9, modified: 5), true, .changedAtOnce(placed: 10, found: 9)),
            (LocalFile(size: 11, modified: 5), false, .changedAtOnce(placed: 10, found: 11)),
            // The same file, touched.
            (LocalFile(size: 10, modified: 6), true, nil),
            // A file system that has no lasting numbers.
            (file, false, nil),
            (LocalFile(size: 10, modified: 6), false, .replacedAtOnce),
        ] as [(LocalFile?, Bool, Failure?)])
    func whatWasPutThereIsThere(_ row: (found: LocalFile?, isSame: Bool, fault: Failure?)) {
        #expect(FinalName.fault(row.found, placed: Self.file, isSame: row.isSame) == row.fault)
    }

    @Test(
        arguments: [
            (0, 0, 0), (1, 5, 1_000_000_005), (-1, 5, -999_999_995), (Int64.max, 0, Int64.max),
            (Int64.min, 999, Int64.min), (9_223_372_036, 999_999_999, Int64.max),
        ] as [(Int64, Int64, Int64)])
    func nanosecondsEndWhereTheyEnd(_ row: (seconds: Int64, fraction: Int64, nanoseconds: Int64)) {
        #expect(LocalFile.nanoseconds(seconds: row.seconds, fraction: row.fraction) == row.nanoseconds)
    }
}
