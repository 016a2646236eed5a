// The query of a URL as parameters, for listings that come in pages: the next page is asked for like this one, but for
// the place where it starts.

import MirrorCore

extension Address {
    /// The value of a query parameter, decoded as forms are (`+` is a blank); nil where there is none.
    package func queryValue(of name: String) -> [UInt8]? {
        for parameter in parameters where Self.name(of: parameter).elementsEqual(name.utf8) {
            return parameter.drop { $0 != Self.equals }.dropFirst().formDecoded()
        }
        return nil
    }

    /// The address with some query parameters set, at the end, or taken out; all others stay as they are.
    package func settingQuery(_ changes: [(name: String, value: [UInt8]?)]) -> Address {
        var kept = parameters.filter { parameter in
            let name = Self.name(of: parameter)
            return !changes.contains { name.elementsEqual($0.name.utf8) }
        }
        for case (let name, let value?) in changes {
            kept.append(Array(name.utf8) + [Self.equals] + value.percentEncoded())
        }
        var bytes = Array(text.utf8.prefix(pathRange.upperBound))
        for (index, parameter) in kept.enumerated() {
            bytes.append(index == 0 ? UInt8(ascii: "?") : Self.ampersand)
            bytes += parameter
        }
        return Address(
            text: String(decoding: bytes, as: UTF8.self), origin: origin, pathStart: pathRange.lowerBound,
            pathEnd: pathRange.upperBound)
    }

    private static let equals = UInt8(ascii: "=")
    private static let ampersand = UInt8(ascii: "&")

    /// The parameters as they are requested, without empty ones.
    private var parameters: [[UInt8]] {
        text.utf8.dropFirst(pathRange.upperBound + 1).split(separator: Self.ampersand).map { Array($0) }
    }

    private static func name(of parameter: [UInt8]) -> [UInt8] { parameter.prefix { $0 != equals }.formDecoded() }
}

extension Collection<UInt8> {
    /// The bytes percent-decoded, with a blank for each `+` that is not escaped.
    package func formDecoded() -> [UInt8] {
        map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }.percentDecoded()
    }
}
