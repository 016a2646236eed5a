// What lies below an index and what does not. Servers escape the same name in many ways, so segments are compared
// percent-decoded; they are split before they are decoded, so that an escaped slash is never a separator.

import Glibc
import MirrorCore

/// The folder that an index lists.
package struct IndexScope: Sendable {
    /// Where an address lies.
    package enum Position: Sendable {
        /// On another origin, or in another folder.
        case outside
        /// The folder itself, or one that it lies in.
        case atOrAbove
        /// Below the folder. The path is relative to it; a failure where it is not safe.
        case below(Result<LocalPath, Failure>, isFolder: Bool)
    }

    /// The folder, with its final `/` and without query.
    package let folder: Address
    private let folderText: [UInt8]
    private let segments: [[UInt8]]

    /// - Parameter page: the URL of the index page; what follows its last `/` is the page's own name.
    package init(page: Address) {
        folder = page.folder
        folderText = Array(folder.text.utf8)
        segments = folder.path.utf8.split(separator: Self.slash).map { $0.percentDecoded() }
    }

    private static let slash = UInt8(ascii: "/")

    /// Where an address lies; its query is not looked at.
    package func position(of address: Address) -> Position {
        address.text.withBytes { text in
            let path = text[address.pathRange]
            // Nearly every link of an index starts with the very bytes of the folder.
            if path.endIndex >= folderText.count, text[..<folderText.count].hasSameBytes(as: folderText) {
                return position(ofRest: text[folderText.count..<path.endIndex])
            }
            guard address.origin == folder.origin else { return .outside }
            return position(ofPath: path)
        }
    }

    private func position(ofPath path: Slice<UnsafeRawBufferPointer>) -> Position {
        var rest = path
        for segment in segments {
            rest = rest.drop { $0 == Self.slash }
            if rest.isEmpty { return .atOrAbove }
            let end = rest.position(of: Self.slash) ?? rest.endIndex
            guard rest[..<end].percentDecoded() == segment else { return .outside }
            rest = rest[end...]
        }
        return position(ofRest: rest)
    }

    private func position(ofRest rest: Slice<UnsafeRawBufferPointer>) -> Position {
        guard rest.contains(where: { $0 != Self.slash }) else { return .atOrAbove }
        return .below(Self.path(rest), isFolder: rest.last == Self.slash)
    }

    private static func path(_ rest: Slice<UnsafeRawBufferPointer>) -> Result<LocalPath, Failure> {
        do throws(Failure) {
            return .success(try LocalName.path(ofSegments: rest))
        } catch {
            return .failure(error)
        }
    }
}

extension Address {
    /// The folder that holds what the address names, with its final `/` and without query.
    package var folder: Address {
        if isIndex { return self }
        let end = pathRange.upperBound - lastSegment.utf8.count
        return Address(
            text: String(decoding: Array(text.utf8.prefix(end)), as: UTF8.self), origin: origin,
            pathStart: pathRange.lowerBound, pathEnd: end)
    }

    /// The address of the folder of that name; nil where a query follows the name.
    package var withSlash: Address? {
        guard pathRange.upperBound == text.utf8.count, !isIndex else { return nil }
        return Address(
            text: text + "/", origin: origin, pathStart: pathRange.lowerBound, pathEnd: pathRange.upperBound + 1)
    }
}
