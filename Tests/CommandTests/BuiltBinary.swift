// The tests that run mirror against servers, one after the other: each has processes of its own, and a machine that
// is busy with ten of them at once shows none of them at the point that the test wants to see.

import Testing

import enum MirrorTestSupport.Allowance

/// All suites of the built binary against servers.
@Suite(.serialized, .timeLimit(.minutes(3 * Allowance.factor))) enum BuiltBinary {}
