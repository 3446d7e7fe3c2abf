/// A string that equals only strings of the same bytes in UTF-8, as a database compares them.
///
/// Swift's `String` treats composed and decomposed characters as equal. As keys of stored values, two such strings
/// would collide: use this type as the key.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        TextComparison.areEqual(left.text, right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
