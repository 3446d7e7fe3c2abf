/// A position in a model's source: the line, and the byte in the line, both from 1.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
    private let storedLine: Int32
    private let storedColumn: Int32

    /// The line, from 1.
    public var line: Int { Int(storedLine) }
    /// The position in the line in bytes, from 1.
    public var column: Int { Int(storedColumn) }

    // The size of a source is bounded far below 2 GB, so the numbers always fit.
    package init(line: Int, column: Int) {
        storedLine = Int32(clamping: line)
        storedColumn = Int32(clamping: column)
    }

    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}

/// An attribute or element of a model's source that is not known, and is kept when the source is written.
package struct SourceNote: Hashable, Sendable, CustomStringConvertible {
    package let place: SourcePlace
    /// The attribute as `name=value`, or the element as `<name>`.
    package let text: String

    /// `line:column: text`.
    package var description: String { "\(place): \(text)" }
}
