// Header fields as they stand on the wire: order, case and repetitions are kept, since misbehaviour lives there.

/// An ordered list of header fields with case-insensitive lookup; nothing is checked or escaped.
package struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    /// One line of a head.
    package struct Field: Sendable, Equatable {
        /// The name in its own case.
        package var name: String
        /// The value, without the blanks around it when it was received.
        package var value: String

        /// A field with that name and value.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields, in order.
    package var fields: [Field]

    /// The given fields, in their order.
    package init(_ fields: [Field] = []) { self.fields = fields }

    /// A literal keeps order and repetitions: `["Via": "a", "Via": "b"]`.
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }

    /// The first field of that name.
    package subscript(_ name: String) -> String? { fields.first { $0.isNamed(name) }?.value }

    /// All fields of that name, in order.
    package func all(_ name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }

    /// Appends a field, whether or not the name is there already.
    package mutating func append(_ name: String, _ value: String) { fields.append(Field(name, value)) }

    /// Appends a field unless the value is nil.
    package mutating func append(_ name: String, ifPresent value: String?) {
        if let value { append(name, value) }
    }

    /// Replaces all fields of that name by one.
    package mutating func set(_ name: String, _ value: String) {
        remove(name)
        append(name, value)
    }

    /// Removes all fields of that name.
    package mutating func remove(_ name: String) { fields.removeAll { $0.isNamed(name) } }
}

extension Headers.Field {
    /// Equal names but for ASCII case (RFC 9110 section 5.1).
    func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { Self.lower($0) == Self.lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
