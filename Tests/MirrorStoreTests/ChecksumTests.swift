import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct ChecksumTests {
    /// Of the three bytes «abc» (FIPS 180-2 appendices, RFC 1321 appendix A.5; Adler-32 by hand).
    private static let known: [(ChecksumAlgorithm, String)] = [
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            .sha384,
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.md5, "900150983cd24fb0d6963f7d28e17f72"),
        (.adler32, "024d0127"),
    ]

    @Test(arguments: known) func ofAFile(_ algorithm: ChecksumAlgorithm, _ hex: String) async throws {
        let folder = TestFolder()
        folder.write("a", Array("abc".utf8))
        let store = try await Store.open(directory: folder.path)
        #expect(try await store.checksum(of: LocalPath("a"), algorithm).get().hex == hex)
        let partial = try store.makePartial(for: LocalPath("b"))
        try partial.write("abc".utf8, at: 0)
        #expect(try await store.checksum(of: partial, algorithm).get().hex == hex)
        await #expect(throws: Failure.self) { try await store.checksum(of: LocalPath("missing"), algorithm).get() }
        await store.close()
    }

    @Test func adlerOfManyBytes() {
        // The highest sums there are, over several reductions, against the definition.
        let bytes = [UInt8](repeating: 255, count: 20_000) + pattern(5_000)
        var low = 1
        var high = 0
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        var sum = Adler32()
        bytes[..<7_000].withUnsafeBytes { sum.update($0) }
        bytes[7_000...].withUnsafeBytes { sum.update($0) }
        #expect(sum.bytes == [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (high << 16 | low) >> $0) })
        #expect(Adler32().bytes == [0, 0, 0, 1])
    }

    @Test func longFileInSteps() async throws {
        let folder = TestFolder()
        let bytes = pattern((2 << 20) + 17)
        folder.write("a", bytes)
        let store = try await Store.open(directory: folder.path)
        var sum = Adler32()
        bytes.withUnsafeBytes { sum.update($0) }
        #expect(try await store.checksum(of: LocalPath("a"), .adler32).get().value == sum.bytes)
        await store.close()
    }
}
