/// A part of a text to be replaced, by its place in UTF-8.
package struct TextEdit: Sendable, Equatable {
    /// The bytes that go; empty where text is only added.
    package let range: Range<Int>
    package let replacement: String

    package init(_ range: Range<Int>, _ replacement: String) { (self.range, self.replacement) = (range, replacement) }
}

extension [TextEdit] {
    /// In the order of their places: at one place what is only added comes first, and edits alike keep their order.
    package var inOrder: [TextEdit] {
        enumerated().sorted { one, other in
            let (a, b) = (one.element.range, other.element.range)
            return (a.lowerBound, a.upperBound, one.offset) < (b.lowerBound, b.upperBound, other.offset)
        }.map(\.element)
    }

    /// The text with all edits made; every byte outside them stays. The edits must not overlap.
    package func applied(to text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var done = 0
        for edit in inOrder {
            result += text[done..<edit.range.lowerBound]
            result += edit.replacement.utf8
            done = edit.range.upperBound
        }
        return result + text[done...]
    }
}
