// How long tests wait before they call a wait endless. The limits are generous for a program as it is built for tests;
// under a sanitizer, or on a machine that does much else, everything takes many times as long.

import Glibc

/// The one place where limits of tests grow.
package enum Allowance {
    /// How many times as long as usual a test may take: `MIRROR_TEST_ALLOWANCE`, 1 without.
    package static let factor = getenv("MIRROR_TEST_ALLOWANCE").flatMap { Int(String(cString: $0)) } ?? 1

    /// Of many repetitions that are alike, every so many is played. Where everything takes many times as long, that is
    /// every eighth: a sanitizer looks at the same code each time, and the plain run plays them all.
    package static let interval = factor > 1 ? 8 : 1

    /// How long a test waits for something that is sure to come.
    package static let wait = Duration.seconds(120) * factor
}
