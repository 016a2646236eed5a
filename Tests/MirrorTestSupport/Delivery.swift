// How the bytes of an answer go out in time, and where they stop. Framing says what is announced, delivery what
// happens on the wire.

/// Pace, pauses and the premature end of an answer.
package struct Delivery: Sendable {
    /// A place in an answer.
    package enum Point: Sendable {
        /// After so many bytes of status line and headers; 0 is before the first byte.
        case head(Int)
        /// After so many bytes of the body of this answer.
        case body(Int64)
        /// At an offset of the resource, whatever range is asked for; an answer that does not cross it is untouched.
        case offset(Int64)
    }

    /// How fast a body goes out.
    package enum Pace: Sendable {
        case bytesPerSecond(Int)
        /// A few bytes at a time, with a pause after each lot.
        case trickle(bytes: Int, every: Duration)
    }

    /// A silence with the connection open.
    package struct Hold: Sendable {
        /// Where it happens.
        package var point: Point
        /// Ends the silence; nil: only the client or the end of the origin do.
        package var gate: Gate?

        /// A silence at `point`, until `gate` opens.
        package init(at point: Point, gate: Gate? = nil) {
            self.point = point
            self.gate = gate
        }
    }

    /// A premature end.
    package struct Cut: Sendable {
        /// Where it happens.
        package var point: Point
        /// What the client sees then.
        package var ending: Ending

        /// An end at `point`.
        package init(at point: Point, _ ending: Ending = .fin) {
            self.point = point
            self.ending = ending
        }
    }

    /// Silence before the first byte.
    package var delay: Duration = .zero
    /// The pace of the body; nil leaves it to the limits of the origin.
    package var pace: Pace?
    /// A silence on the way.
    package var hold: Hold?
    /// The end before the end.
    package var cut: Cut?

    /// All switches at once.
    package init(delay: Duration = .zero, pace: Pace? = nil, hold: Hold? = nil, cut: Cut? = nil) {
        self.delay = delay
        self.pace = pace
        self.hold = hold
        self.cut = cut
    }

    /// As fast as the socket takes it.
    package static let plain = Delivery()
    /// Never a byte, connection open.
    package static let hang = Delivery(hold: Hold(at: .head(0)))

    /// Closed without a byte of an answer.
    package static func closed(_ ending: Ending) -> Delivery { Delivery(cut: Cut(at: .head(0), ending)) }

    /// Ends after `bytes` of the body, if it has so many.
    package static func cut(after bytes: Int64, _ ending: Ending = .fin) -> Delivery {
        Delivery(cut: Cut(at: .body(bytes), ending))
    }

    /// Ends each time at the same offset of the resource.
    package static func cut(atOffset offset: Int64, _ ending: Ending = .fin) -> Delivery {
        Delivery(cut: Cut(at: .offset(offset), ending))
    }

    /// Goes silent after `bytes` of the body, until `gate` opens.
    package static func stall(after bytes: Int64, gate: Gate? = nil) -> Delivery {
        Delivery(hold: Hold(at: .body(bytes), gate: gate))
    }

    /// A steady pace.
    package static func rate(bytesPerSecond: Int) -> Delivery { Delivery(pace: .bytesPerSecond(bytesPerSecond)) }

    /// `bytes` at a time, with a pause after each lot.
    package static func trickle(bytes: Int, every pause: Duration) -> Delivery {
        Delivery(pace: .trickle(bytes: bytes, every: pause))
    }
}

extension Delivery.Point {
    /// The position in `content` that is meant; nil when the content does not reach it or it lies in the head.
    func position(in content: Content) -> Int64? {
        switch self {
        case .head: return nil
        case .body(let bytes): return bytes <= content.length ? bytes : nil
        case .offset(let offset):
            let position = offset - content.firstOffset
            return position > 0 && position < content.length ? position : nil
        }
    }

    /// The number of head bytes meant, if the point lies in the head.
    var headBytes: Int? { if case .head(let bytes) = self { bytes } else { nil } }
}

extension Delivery.Pace {
    /// Bytes of one write: about twenty writes a second, so that a rate looks steady.
    var lot: Int {
        switch self {
        case .bytesPerSecond(let rate): max(1, rate / 20)
        case .trickle(let bytes, _): max(1, bytes)
        }
    }

    /// When, after the start of the body, the byte after `sent` bytes is due.
    func due(after sent: Int64) -> Duration {
        switch self {
        case .bytesPerSecond(let rate): .nanoseconds(Int64(Double(sent) / Double(max(1, rate)) * 1e9))
        case .trickle(let bytes, let pause): pause * Int(sent / Int64(max(1, bytes)))
        }
    }
}
