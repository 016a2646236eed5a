// A web page is not a file: login pages, captive portals and error pages come with status 200.

/// What media types and names say about whether an answer can be the file.
package enum MediaType {
    package static func isWebPage(_ type: String) -> Bool { type == "text/html" || type == "application/xhtml+xml" }

    /// Whether an answer of text/html cannot be this file: its name is that of an archive, an image or other data,
    /// or an earlier answer for it had another type.
    /// - Parameter earlier: the type that HEAD or the record had, small letters.
    package static func refusesHTML(name: Substring, earlier: String?) -> Bool {
        if let earlier, !earlier.isEmpty, !isWebPage(earlier) { return true }
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return dataExtensions.contains(String(name[name.utf8.index(after: dot)...]).asciiLowercased)
    }

    /// Endings of archives, disk and other images, packages, media and signatures: never a web page.
    private static let dataExtensions: Set<String> = [
        "7z", "aac", "ace", "apk", "appimage", "ar", "arj", "asc", "avi", "bin", "bmp", "br", "bz2", "cab", "cpio",
        "crx", "deb", "dmg", "docx", "drpm", "egg", "epub", "exe", "flac", "gem", "gif", "gz", "h5", "hdf5", "heic",
        "img", "iso", "jar", "jpeg", "jpg", "lz", "lz4", "lzma", "lzo", "m4a", "m4v", "mkv", "mov", "mp3", "mp4",
        "mpeg", "mpg", "msi", "nc", "npz", "odp", "ods", "odt", "ogg", "parquet", "pdf", "pkg", "png", "pptx",
        "qcow2", "rar", "raw", "rpm", "sig", "sqlite", "squashfs", "svgz", "tar", "tbz", "tbz2", "tgz", "tif",
        "tiff", "txz", "tzst", "udeb", "vdi", "vhd", "vhdx", "vmdk", "wasm", "wav", "webm", "webp", "whl", "wim",
        "xlsx", "xpi", "xz", "z", "zip", "zst", "zstd",
    ]
}
