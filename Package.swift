// swift-tools-version: 6.1
import PackageDescription

// An async function runs where its caller runs: a transfer never leaves the loop's thread unasked.
let staysWithCaller: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

// Fuzzing needs flags that no other build has: its program is only there when it is asked for.
let fuzzing: [Target] =
    Context.environment["MIRROR_FUZZ"] == nil
    ? []
    : [
        .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
        .executableTarget(name: "fuzzer", dependencies: ["FuzzTargets", "CFuzzer"], path: "Tests/Fuzzer"),
    ]

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
        // TLS servers of the tests.
        .systemLibrary(name: "CTLS", path: "Tests/CTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .target(name: "MirrorTestSupport", dependencies: ["CTLS"], path: "Tests/MirrorTestSupport"),
        .target(
            name: "FuzzTargets",
            dependencies: ["MirrorCore", "MirrorURL", "MirrorSources", "MirrorTransport", "MirrorStore", "MirrorKit"],
            path: "Tests/FuzzTargets"),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "MirrorTestSupport"]),
        .testTarget(name: "MirrorTestSupportTests", dependencies: ["MirrorTestSupport"]),
        .testTarget(
            name: "MirrorStoreTests",
            dependencies: [
                "MirrorStore", "MirrorKit", "MirrorCore", "MirrorThreads", "CXXHash", "CSQLite", "CSQLiteWatch",
                "MirrorTestSupport",
            ]),
        .target(name: "CSQLiteWatch", dependencies: ["CSQLite"], path: "Tests/CSQLiteWatch"),
        .testTarget(name: "MirrorURLTests", dependencies: ["MirrorURL", "MirrorCore", "MirrorTestSupport"]),
        .testTarget(
            name: "MirrorSourcesTests",
            dependencies: ["MirrorSources", "MirrorURL", "MirrorCore", "MirrorTestSupport"],
            // Read as files, with the very bytes that the servers sent.
            exclude: ["Listings"]),
        .testTarget(
            name: "MirrorTransportTests",
            dependencies: [
                "MirrorTransport", "MirrorCore", "MirrorURL", "MirrorThreads", "MirrorTestSupport", "CCurl",
            ],
            swiftSettings: staysWithCaller),
        .testTarget(
            name: "MirrorKitTests", dependencies: ["MirrorKit", "MirrorTestSupport"], swiftSettings: staysWithCaller),
        .testTarget(name: "CommandTests", dependencies: ["mirror", "MirrorKit", "MirrorTestSupport"]),
    ] + fuzzing,
    swiftLanguageModes: [.v6]
)
