// One file of a Metalink while its elements are read.

import MirrorCore
import MirrorURL

/// The file of a Metalink, of version 3 or 4.
struct MetalinkFile {
    /// What version 4 takes for a URL without priority (RFC 5854 section 4.2.17), and we for one without preference.
    private static let lastPriority = 999_999
    /// More URLs than any mirror list has.
    private static let urlLimit = 1_000

    var name: [UInt8] = []
    var size: Int64?
    var checksum: Checksum?
    var pieces: PieceSums?
    private var urls: [(priority: Int, address: Address)] = []

    /// Keeps the strongest checksum of a known type.
    mutating func take(_ found: Checksum?) {
        guard let found else { return }
        let order = ChecksumAlgorithm.allCases
        guard let rank = order.firstIndex(of: found.algorithm) else { return }
        if let checksum, let held = order.firstIndex(of: checksum.algorithm), held <= rank { return }
        checksum = found
    }

    /// - Parameters:
    ///   - priority: version 4: 1 is best.
    ///   - preference: version 3: 100 is best.
    mutating func take(_ address: Address, priority: [UInt8]?, preference: [UInt8]?) {
        guard urls.count < Self.urlLimit, ["http", "https", "ftp", "ftps"].contains(address.origin.scheme) else {
            return
        }
        guard !urls.contains(where: { $0.address == address }) else { return }
        urls.append((Self.rank(priority: priority, preference: preference), address))
    }

    private static func rank(priority: [UInt8]?, preference: [UInt8]?) -> Int {
        if let number = priority?.listedSize, (1...Int64(lastPriority)).contains(number) { return Int(number) }
        if let number = preference?.listedSize, number <= 100 { return 101 - Int(number) }
        return lastPriority
    }

    /// The addresses, best first; those that are equally good in document order.
    var addresses: [Address] {
        urls.enumerated().sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
            .map(\.element.address)
    }

    var options: EntryOptions {
        EntryOptions(checksum: checksum, size: size, namesPath: true, pieces: pieces)
    }

    /// The path that the name stands for. A name that leaves the folder where `\` separates folders, too, is refused.
    var path: Result<LocalPath?, Failure> {
        let segments = name.split(omittingEmptySubsequences: false) { "/\\".utf8.contains($0) }
        if segments.contains(where: { $0.elementsEqual("..".utf8) }) {
            return .failure(.path(.dotSegment))
        }
        let isDrive = name.count > 1 && name[0].isASCIILetter && name[1] == UInt8(ascii: ":")
        if name.first == UInt8(ascii: "\\") || isDrive && name.count > 2 && name[2] == UInt8(ascii: "\\") {
            return .failure(.path(.absolute))
        }
        return name.withUnsafeBytes { raw in
            do throws(Failure) {
                return .success(try NameResolver.path(of: raw[...]))
            } catch {
                return .failure(error)
            }
        }
    }
}
