// Names and attributes of XML elements as the parser hands them over: pointers that are valid for the length of one
// call, or, for names, as long as the parser lives.

/// The name of an element: local name and namespace, never a prefix.
struct XMLName {
    let local: UnsafePointer<UInt8>
    let space: UnsafePointer<UInt8>?

    /// Whether that is the local name.
    @inline(__always)
    func `is`(_ text: StaticString) -> Bool { Self.same(local, text) }

    /// Whether the name is in a namespace.
    func isIn(_ uri: StaticString) -> Bool { space.map { Self.same($0, uri) } ?? false }

    var text: String { String(decodingCString: local, as: UTF8.self) }

    @inline(__always)
    fileprivate static func same(_ left: UnsafePointer<UInt8>, _ right: StaticString) -> Bool {
        // Most names differ in their first byte. What is compared ends in NUL on both sides.
        var index = 0
        while left[index] == right.utf8Start[index] {
            if left[index] == 0 { return true }
            index += 1
        }
        return false
    }
}

/// An element that begins.
struct XMLElement {
    let name: XMLName
    /// The element that it stands in; nil for the root.
    let parent: XMLName?
    /// 1 for the root.
    let depth: Int
    private let attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    private let attributeCount: Int
    private let isMapped: Bool

    init(
        name: XMLName, parent: XMLName?, depth: Int, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        count: Int32, isMapped: Bool
    ) {
        self.name = name
        self.parent = parent
        self.depth = depth
        self.attributes = attributes
        attributeCount = Int(count)
        self.isMapped = isMapped
    }

    /// The value of an attribute, nil where there is none.
    /// - Parameter space: the attribute's namespace; nil for one without.
    func attribute(_ local: StaticString, in space: StaticString? = nil) -> [UInt8]? {
        guard let raw = rawAttribute(local, in: space) else { return nil }
        var value = Array(raw)
        Self.restoreAmpersands(&value)
        if isMapped { XMLByteFilter.restore(&value) }
        return value
    }

    /// The value of an attribute as the parser has it, for numbers and dates; valid during the call alone.
    func rawAttribute(_ local: StaticString, in space: StaticString? = nil) -> UnsafeBufferPointer<UInt8>? {
        guard let attributes else { return nil }
        for index in 0..<attributeCount {
            // Five pointers each: local name, prefix, namespace, start and end of the value.
            let item = attributes + 5 * index
            guard let name = item[0], let start = item[3], let end = item[4], XMLName.same(name, local)
            else { continue }
            let isInSpace = space.map { uri in item[2].map { XMLName.same($0, uri) } ?? false } ?? (item[2] == nil)
            guard isInSpace else { continue }
            return UnsafeBufferPointer(start: start, count: end - start)
        }
        return nil
    }

    /// libxml2 leaves each `&` of an attribute as `&#38;` as long as it does not replace entities, which it must not.
    private static func restoreAmpersands(_ value: inout [UInt8]) {
        guard value.contains(UInt8(ascii: "&")) else { return }
        let mark = Array("&#38;".utf8)
        var restored: [UInt8] = []
        var index = 0
        while index < value.count {
            restored.append(value[index])
            index += value[index...].starts(with: mark) ? mark.count : 1
        }
        value = restored
    }
}
