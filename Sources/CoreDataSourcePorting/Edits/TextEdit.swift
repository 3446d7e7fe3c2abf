/// A part of a text to be replaced, by its place in UTF-8.
package struct TextEdit: Sendable, Equatable {
    /// The bytes that go; empty where text is only added.
    package let range: Range<Int>
    package let replacement: String

    package init(_ range: Range<Int>, _ replacement: String) { (self.range, self.replacement) = (range, replacement) }
}

extension [TextEdit] {
    /// In the order of their places; edits at one place keep theirs.
    package var inOrder: [TextEdit] {
        enumerated().sorted { ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset) }
            .map(\.element)
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
