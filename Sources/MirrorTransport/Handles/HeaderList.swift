// Header lines in libcurl's form. libcurl keeps the pointer, so the list lives as long as the handle that uses it.

import CCurl

/// Owns one curl_slist.
final class HeaderList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) {
        for line in lines {
            // NULL means no memory; the list so far stays valid.
            if let longer = curl_slist_append(pointer, line) { pointer = longer }
        }
    }

    deinit { curl_slist_free_all(pointer) }
}
