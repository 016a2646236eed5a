// xml:base (W3C): what the references below an element are relative to.

import MirrorCore

/// The bases of the elements that are open.
struct BaseStack {
    private var bases: [(depth: Int, address: Address)] = []

    /// The base that holds now; nil for the document's own URL.
    var current: Address? { bases.last?.address }

    mutating func enter(_ element: XMLElement, _ frame: ReferenceFrame) {
        guard let text = element.attribute("base", in: "http://www.w3.org/XML/1998/namespace") else { return }
        guard let base = frame.resolve(text, base: current) else { return }
        bases.append((element.depth, base))
    }

    mutating func leave(depth: Int) {
        if bases.last?.depth == depth { bases.removeLast() }
    }
}
