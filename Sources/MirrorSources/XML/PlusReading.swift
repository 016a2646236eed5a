// What a bare `+` in a key of `encoding-type=url` stands for. AWS writes a blank so and a plus always as `%2B`; others
// write a blank as `%20` and leave a plus alone. A page that has one of the two escapes has said which server it is of.

import MirrorCore
import MirrorURL

/// How a page writes a plus.
enum PlusReading {
    /// `+` is a blank.
    case blank
    /// `+` is itself.
    case plus
    /// The page has no escape that tells: a blank, as AWS does, and where there is no such key, a plus.
    case unknown

    /// - Parameter keys: all that the page writes in that form.
    init(of keys: [UInt8]) {
        let marks = keys.indices.lazy.filter { keys[$0] == UInt8(ascii: "%") && $0 + 2 < keys.count }
        if marks.contains(where: { keys[$0 + 1] == UInt8(ascii: "2") && keys[$0 + 2] | 0x20 == UInt8(ascii: "b") }) {
            self = .blank
        } else if marks.contains(where: { keys[($0 + 1)...].starts(with: "20".utf8) }) {
            self = .plus
        } else {
            self = .unknown
        }
    }

    /// What the text stands for.
    func decode(_ text: some Collection<UInt8>) -> [UInt8] {
        self == .plus ? text.percentDecoded() : text.formDecoded()
    }

    /// What else it may stand for; nil for nothing.
    func decodeOtherwise(_ text: some Collection<UInt8>) -> [UInt8]? {
        self == .unknown && text.contains(UInt8(ascii: "+")) ? text.percentDecoded() : nil
    }
}
