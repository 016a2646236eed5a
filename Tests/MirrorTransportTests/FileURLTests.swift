import Testing

@testable import MirrorTransport
