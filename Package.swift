// swift-tools-version: 6.1
import PackageDescription

// An async function runs where its caller runs: a transfer never leaves the loop's thread unasked.
let staysWithCaller: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

// Seven targets with one question each, the threads they share, and one system-library target for each C library.
// The order below is the order in which data walks through them.
let package = Package(
    name: "mirror",
    products: [
        .executable(name: "mirror", targets: ["mirror"]),
        .library(name: "MirrorKit", targets: ["MirrorKit"]),
    ],
    targets: [
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CLZMA", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
        .systemLibrary(name: "CYajl", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"])]),
        .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
        // No library: system calls that Swift cannot name.
        .systemLibrary(name: "CLinux"),

        .target(name: "MirrorCore"),
        .target(name: "MirrorThreads"),
        .target(name: "MirrorURL", dependencies: ["MirrorCore", "CCurl"]),
        .target(
            name: "MirrorSources",
            dependencies: ["MirrorCore", "MirrorURL", "CLibXML2", "CYajl", "CZlib", "CZstd", "CLZMA"]),
        .target(
            name: "MirrorTransport", dependencies: ["MirrorCore", "MirrorThreads", "CCurl"],
            swiftSettings: staysWithCaller),
        .target(
            name: "MirrorStore",
            dependencies: ["MirrorCore", "MirrorThreads", "CLinux", "CSQLite", "CCrypto", "CXXHash"],
            swiftSettings: staysWithCaller),
        .target(
            name: "MirrorKit",
            dependencies: [
                "MirrorCore", "MirrorThreads", "MirrorURL", "MirrorSources", "MirrorTransport", "MirrorStore",
            ],
            swiftSettings: staysWithCaller),
        .executableTarget(name: "mirror", dependencies: ["MirrorKit", "MirrorThreads"]),

        .testTarget(name: "MirrorCoreTests", dependencies: ["MirrorCore", "MirrorTestSupport"]),
        .target(name: "MirrorTestSupport", path: "Tests/MirrorTestSupport"),
        .testTarget(name: "MirrorTestSupportTests", dependencies: ["MirrorTestSupport"]),
        .testTarget(
            name: "MirrorStoreTests",
            dependencies: ["MirrorStore", "MirrorCore", "MirrorThreads", "CXXHash", "CSQLite"]),
        .testTarget(name: "MirrorURLTests", dependencies: ["MirrorURL", "MirrorCore", "MirrorTestSupport"]),
        .testTarget(
            name: "MirrorSourcesTests",
            dependencies: ["MirrorSources", "MirrorURL", "MirrorCore", "MirrorTestSupport"],
            // Answers of real servers, which tests read by their paths.
            exclude: ["Listings"]),
        .testTarget(
            name: "MirrorTransportTests",
            dependencies: ["MirrorTransport", "MirrorCore", "MirrorURL", "MirrorThreads", "MirrorTestSupport"],
            swiftSettings: staysWithCaller),
        .testTarget(
            name: "MirrorKitTests", dependencies: ["MirrorKit", "MirrorTestSupport"], swiftSettings: staysWithCaller),
        .testTarget(name: "CommandTests", dependencies: ["mirror", "MirrorKit", "MirrorTestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
