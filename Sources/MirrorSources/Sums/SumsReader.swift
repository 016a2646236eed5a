// Lists of checksums: SHA256SUMS and its like, of GNU, BSD, OpenSSL, perl and busybox, and sidecars of one file. The
// names are relative to the list's own URL.

import MirrorCore
import MirrorURL

/// Reads checksum lists.
package final class SumsReader: DocumentReader {
    /// The longest line; no digest with a path is longer.
    private static let longestLine = 65_536

    private var draft: ListingDraft
    private let names: NameResolver?
    private let listName: [UInt8]
    private var line: [UInt8] = []
    private var number = 0
    private var isStarted = false
    private var isOver = false
    private var terminator: UInt8?
    private var separator: SumsLine.Separator?
    private var signature = Signature.none
    /// The line number and the beginning of an entry that goes on in the next line.
    private var opened: (number: Int, text: [UInt8])?
    private var bare: (number: Int, digest: [UInt8])?
    // Lists of several algorithms name each file once for each of them.
    private var positions: [Address: Int] = [:]

    /// Where a line stands in a message that PGP has signed in clear.
    private enum Signature { case none, header, text, signature }

    package init(context: DocumentContext) {
        draft = ListingDraft(context)
        names = context.address.map { NameResolver(page: $0) }
        listName = context.address.map { Array($0.lastSegment.utf8).percentDecoded() } ?? []
        if names == nil { draft.fail(NamedFile.noBase) }
    }

    package func read(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes where !isOver {
            // `sha256sum -z` ends lines with NUL, and then a line feed is part of a name.
            if byte == terminator ?? 0x0A || (terminator == nil && byte == 0) {
                terminator = terminator ?? (line.isEmpty ? nil : byte)
                endLine()
            } else if line.count < Self.longestLine {
                line.append(byte)
            } else {
                stop("line \(number + 1) is longer than \(Self.longestLine) bytes")
            }
        }
    }

    package func finish(isWhole: Bool) -> Listing {
        if !line.isEmpty, !isOver { endLine() }
        if let opened { doubt(opened.number) }
        if let bare { endBare(bare.number, bare.digest) }
        if draft.listing.entries.isEmpty {
            if case .incomplete(let why) = draft.listing.state { draft.listing.state = .failed(why) }
            draft.fail("it is no list of checksums")
        }
        if !isWhole { draft.doubt("it ends early") }
        return draft.listing
    }

    private func endLine() {
        number += 1
        var text = line[...]
        line = []
        if !isStarted {
            isStarted = true
            if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        }
        if terminator != 0, text.last == 0x0D { text = text.dropLast() }
        if let opened {
            self.opened = nil
            return take(opened.text + [0x0A] + text, opened.number)
        }
        guard passSignature(&text) else { return }
        if text.isEmpty || text.first == UInt8(ascii: "#") { return }
        take(Array(text), number)
    }

    /// Follows the marks of a signed message; returns whether the line is part of the list.
    private func passSignature(_ text: inout ArraySlice<UInt8>) -> Bool {
        if text.starts(with: "-----BEGIN PGP SIGNED MESSAGE-----".utf8) {
            signature = .header
            return false
        }
        switch signature {
        case .none: return true
        case .header:
            if text.isEmpty { signature = .text }
            return false
        case .text:
            if text.starts(with: "-----BEGIN PGP SIGNATURE-----".utf8) {
                signature = .signature
                return false
            }
            if text.starts(with: "- ".utf8) { text = text.dropFirst(2) }
            return true
        case .signature:
            if text.starts(with: "-----END PGP SIGNATURE-----".utf8) { signature = .none }
            return false
        }
    }

    private func take(_ text: [UInt8], _ number: Int) {
        if separator == nil, text.first?.hexValue != nil || text.first == UInt8(ascii: "\\") {
            separator = SumsLine.separator(of: text[...])
        }
        switch SumsLine(text[...], separator ?? .marked, isNULTerminated: terminator == 0) {
        case .sum(let digest, let name, let tag): add(digest, name, tag, number)
        case .bare(let digest):
            if bare != nil { return doubt(number) }
            bare = (number, digest)
        case .crc: stop("line \(number) is of cksum or sum, whose short numbers prove nothing")
        case .open where text.count < Self.longestLine: opened = (number, text)
        case .open, .unknown: doubt(number)
        }
    }

    private func doubt(_ number: Int) { draft.doubt("line \(number) is no line of a checksum list") }

    /// Refuses the whole list.
    private func stop(_ why: String) {
        isOver = true
        draft.listing.entries = []
        draft.fail(why)
    }

    private func add(_ digest: [UInt8], _ name: [UInt8], _ tag: [UInt8]?, _ number: Int) {
        guard let names, let checksum = checksum(digest, tag, number) else { return }
        var name = name[...]
        while name.starts(with: "./".utf8) { name = name.dropFirst(2) }
        let (address, path) = name.withUnsafeBytes { raw -> (Address, Result<LocalPath?, Failure>) in
            do throws(Failure) {
                return (names.address(of: raw[...]), .success(try NameResolver.path(of: raw[...])))
            } catch {
                return (names.address(of: raw[...]), .failure(error))
            }
        }
        if let position = positions[address] { return merge(checksum, at: position, number) }
        positions[address] = draft.listing.entries.count
        draft.add(
            address, path: path, name: Array(name), line: number,
            options: EntryOptions(checksum: checksum, namesPath: true))
    }

    /// Of several checksums of one file the strongest one is kept.
    private func merge(_ checksum: Checksum, at position: Int, _ number: Int) {
        guard let held = draft.listing.entries[position].options?.checksum else { return }
        let order = ChecksumAlgorithm.allCases
        if held.algorithm == checksum.algorithm {
            if held != checksum { draft.doubt("line \(number) has another checksum for a file that was named before") }
        } else if let rank = order.firstIndex(of: checksum.algorithm),
            let heldRank = order.firstIndex(of: held.algorithm),
            rank < heldRank
        {
            draft.listing.entries[position].options = EntryOptions(checksum: checksum, namesPath: true)
        }
    }

    private func checksum(_ digest: [UInt8], _ tag: [UInt8]?, _ number: Int) -> Checksum? {
        let algorithm: ChecksumAlgorithm
        if let tag {
            guard let found = SumsAlgorithm.tagged(tag) else {
                stop(
                    "line \(number) has a checksum of the type «\(String(decoding: tag, as: UTF8.self))», which is not known"
                )
                return nil
            }
            algorithm = found
        } else {
            if let unknown = SumsAlgorithm.unknown(inName: listName) {
                stop("its name says that it has checksums of the type «\(unknown)», which is not known")
                return nil
            }
            guard let found = SumsAlgorithm.untagged(digits: digest.count) else {
                stop("line \(number) has a digest of \(digest.count) digits, which no known type has")
                return nil
            }
            algorithm = found
        }
        guard let checksum = try? Checksum(algorithm: algorithm, hex: String(decoding: digest, as: UTF8.self)) else {
            doubt(number)
            return nil
        }
        return checksum
    }

    /// A digest alone is of the file whose name the list has, but for the suffix: `a.iso.sha256`.
    private func endBare(_ number: Int, _ digest: [UInt8]) {
        guard draft.listing.entries.isEmpty else { return doubt(number) }
        guard let dot = listName.lastIndex(of: UInt8(ascii: ".")), dot > 0 else {
            return stop("it has a digest without a name, and its own name does not say of which file")
        }
        add(digest, Array(listName[..<dot]), nil, number)
    }
}
