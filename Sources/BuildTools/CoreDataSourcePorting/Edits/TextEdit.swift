/// The replacement of a byte range of a UTF-8 text.
package struct TextEdit: Sendable, Equatable {
    /// The bytes to remove; empty for an insertion.
    package let range: Range<Int>
    package let replacement: String

    package init(_ range: Range<Int>, _ replacement: String) { (self.range, self.replacement) = (range, replacement) }
}

extension [TextEdit] {
    /// The edits sorted by their ranges: at one offset insertions come first, and edits of equal ranges keep their
    /// order.
    package var inOrder: [TextEdit] {
        enumerated().sorted { one, other in
            let (a, b) = (one.element.range, other.element.range)
            return (a.lowerBound, a.upperBound, one.offset) < (b.lowerBound, b.upperBound, other.offset)
        }.map(\.element)
    }

    /// Returns the text with all edits applied; bytes outside their ranges stay. The edits must not overlap.
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
