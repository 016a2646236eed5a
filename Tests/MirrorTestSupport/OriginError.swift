// The one thing that can go wrong in a server on loopback: a system call while it starts.

/// A system call failed.
package struct OriginError: Error, Sendable {
    /// The name of the call.
    package let call: String
    /// The errno it left; 0 when there is none.
    package let errno: Int32
}
