// What object stores answer in place of a listing.

import MirrorCore

/// An error document of S3, Google or Azure: never an empty listing.
final class ErrorForm: XMLForm {
    private var code = "unknown"

    func start(_ element: XMLElement) {}

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) {
        guard depth == 2, name.is("Code"), text.count <= 80 else { return }
        code = String(decoding: text.filter { $0.isASCIILetter || $0.isASCIIDigit }, as: UTF8.self)
    }

    func listing() -> Listing { Listing(state: .failed("the server answered with the error «\(code)»")) }
}
