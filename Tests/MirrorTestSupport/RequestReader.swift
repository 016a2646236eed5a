// Reads the requests of one connection. What the origin cannot read, it answers by closing.

/// The incoming half of a connection.
struct RequestReader {
    private static let largestHead = 8 << 20

    private let socket: Socket
    private var buffer: [UInt8] = []

    init(_ socket: Socket) { self.socket = socket }

    /// The next request, its ordinals not yet known; nil at the end of the connection.
    mutating func next(connection: Int) -> Request? {
        guard let head = readHead(), var request = Self.parsed(head, connection: connection) else { return nil }
        guard let length = Int(request.headers["Content-Length"] ?? "0"), length >= 0, let body = read(length) else {
            return nil
        }
        request.body = body
        return request
    }

    private mutating func readHead() -> [UInt8]? {
        let mark = Array("\r\n\r\n".utf8)
        var searched = 0
        while true {
            if let end = buffer[searched...].firstRange(of: mark) { return take(end.upperBound) }
            searched = max(0, buffer.count - 3)
            guard buffer.count < Self.largestHead, receive() else { return nil }
        }
    }

    private mutating func read(_ count: Int) -> [UInt8]? {
        while buffer.count < count {
            guard receive() else { return nil }
        }
        return take(count)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private mutating func receive() -> Bool {
        let bytes = [UInt8](unsafeUninitializedCapacity: 16 * 1024) { target, count in
            count = socket.receive(into: UnsafeMutableRawBufferPointer(target))
        }
        buffer += bytes
        return !bytes.isEmpty
    }

    private static func parsed(_ head: [UInt8], connection: Int) -> Request? {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
        let fields = lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            return Headers.Field(String(name), String(line.dropFirst(name.count + 1).drop { $0 == " " }))
        }
        return Request(
            method: String(words[0]), target: String(words[1]), version: String(words[2]), headers: Headers(fields),
            connection: connection)
    }
}
