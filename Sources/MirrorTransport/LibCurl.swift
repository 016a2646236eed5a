// Which libcurl this is, for `--version`.

import CCurl

/// libcurl and the libraries it was built with, in its own words.
package var libcurlVersion: String { String(cString: curl_version()) }
