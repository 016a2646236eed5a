// What the decoders of all compressed forms have in common.

/// Makes the bytes of a document of compressed ones, in pieces.
protocol StreamDecoder: AnyObject {
    /// Whether what was read so far is a whole: a document that ends anywhere else was cut.
    var isAtEnd: Bool { get }

    /// Hands on what the next bytes stand for.
    /// - Parameter sink: takes bytes; false ends the work.
    /// - Returns: whether the bytes were what they should be.
    func decode(_ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool) -> Bool
}

/// How many bytes a decoder hands on at once.
let decoderPortion = 65_536
