// One JSON document as events, by yajl: no tree, strings as bytes. A call around the document (JSONP) is passed over.

import CYajl

/// What takes the events of a document.
protocol JSONReceiver: AnyObject {
    /// - Parameter depth: how many arrays and objects are open, this one included.
    func beginContainer(isArray: Bool, depth: Int)
    func endContainer(depth: Int)
    func key(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int)
    func string(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int)
    /// The digits as they are written.
    func number(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int)
    func boolean(_ value: Bool, depth: Int)
    func null(depth: Int)
}

/// The parser of one document.
final class JSONEvents {
    /// Deeper than any listing.
    private static let depthLimit = 100
    /// No name or number is longer, in bytes. yajl holds a value that is cut, and reads it again with each piece.
    private static let valueLimit = 131_072
    /// How much is given to yajl at once.
    private static let portion = 65_536

    /// Why the document is not what it should be; the first reason.
    private(set) var doubt: String?
    /// Whether the value has been read to its end.
    private(set) var isDone = false

    private let receiver: any JSONReceiver
    private var parser: yajl_handle?
    private var wrapper = JSONWrapper()
    private var depth = 0
    private var sinceEvent = 0

    init(receiver: any JSONReceiver) {
        self.receiver = receiver
        parser = yajl_alloc(Self.callbacks, nil, Unmanaged.passUnretained(self).toOpaque())
        if let parser { mirror_yajl_set_lenient(parser) }
    }

    deinit {
        if let parser { yajl_free(parser) }
    }

    func read(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        if !wrapper.isOpen { rest = wrapper.open(rest) }
        while !rest.isEmpty, doubt == nil, !isDone {
            let portion = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.portion))
            rest = rest.dropFirst(parse(portion))
        }
        if isDone, doubt == nil, !wrapper.isClosing(rest) { doubt = "something follows the list" }
        if wrapper.isBroken { doubt = doubt ?? "it is no JSON" }
    }

    func finish() {
        if !isDone { doubt = doubt ?? "it ends early" }
    }

    /// Returns how many bytes were used.
    private func parse(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let parser else { return bytes.count }
        sinceEvent += bytes.count
        let text = bytes.bindMemory(to: UInt8.self).baseAddress
        let status = yajl_parse(parser, text, bytes.count)
        if isDone { return yajl_get_bytes_consumed(parser) }
        if status != yajl_status_ok { doubt = doubt ?? "the JSON is damaged" }
        if sinceEvent > Self.valueLimit { doubt = doubt ?? "it has a value of more than \(Self.valueLimit) bytes" }
        return bytes.count
    }

    // What yajl calls. The number that is returned says whether to go on.

    private func begin(isArray: Bool) -> Int32 {
        sinceEvent = 0
        depth += 1
        guard depth <= Self.depthLimit else {
            doubt = doubt ?? "it is nested deeper than \(Self.depthLimit) levels"
            return 0
        }
        receiver.beginContainer(isArray: isArray, depth: depth)
        return 1
    }

    private func end() -> Int32 {
        sinceEvent = 0
        receiver.endContainer(depth: depth)
        depth -= 1
        isDone = depth == 0
        return 1
    }

    private func value(_ tell: (any JSONReceiver, Int) -> Void) -> Int32 {
        sinceEvent = 0
        tell(receiver, depth)
        isDone = depth == 0
        return 1
    }

    private static func events(_ context: UnsafeMutableRawPointer?) -> JSONEvents? {
        context.map { Unmanaged<JSONEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func bytes(_ start: UnsafeRawPointer?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// yajl keeps the pointer as long as the parser lives. Unsafe only by its type: it is written once, before anybody
    /// reads it, and never again.
    nonisolated(unsafe) private static let callbacks: UnsafePointer<yajl_callbacks> = {
        let callbacks = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        callbacks.initialize(
            to: yajl_callbacks(
                yajl_null: { context in JSONEvents.events(context)?.value { $0.null(depth: $1) } ?? 0 },
                yajl_boolean: { context, value in
                    JSONEvents.events(context)?.value { $0.boolean(value != 0, depth: $1) } ?? 0
                },
                yajl_integer: nil, yajl_double: nil,
                yajl_number: { context, start, count in
                    JSONEvents.events(context)?.value { $0.number(JSONEvents.bytes(start, count), depth: $1) } ?? 0
                },
                yajl_string: { context, start, count in
                    JSONEvents.events(context)?.value { $0.string(JSONEvents.bytes(start, count), depth: $1) } ?? 0
                },
                yajl_start_map: { context in JSONEvents.events(context)?.begin(isArray: false) ?? 0 },
                yajl_map_key: { context, start, count in
                    JSONEvents.events(context)?.value { $0.key(JSONEvents.bytes(start, count), depth: $1) } ?? 0
                },
                yajl_end_map: { context in JSONEvents.events(context)?.end() ?? 0 },
                yajl_start_array: { context in JSONEvents.events(context)?.begin(isArray: true) ?? 0 },
                yajl_end_array: { context in JSONEvents.events(context)?.end() ?? 0 }))
        return UnsafePointer(callbacks)
    }()
}
