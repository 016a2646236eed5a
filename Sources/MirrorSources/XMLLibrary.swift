// The XML and HTML parser that index pages are read with.

import CLibXML2

/// The version of libxml2 that is loaded, such as `2.9.14`.
package var xmlLibraryVersion: String {
    guard let text = mirror_xml_parser_version() else { return LIBXML_DOTTED_VERSION }
    // 20914, or 20914-GITv2.9.14: two digits each for the last two numbers.
    guard let number = Int(String(cString: text).prefix { $0.isNumber && $0.isASCII }) else {
        return LIBXML_DOTTED_VERSION
    }
    return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
}
