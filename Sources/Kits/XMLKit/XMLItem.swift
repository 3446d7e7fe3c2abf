/// An element that lies at one of the paths of a reader.
package struct XMLItem: Sendable {
    /// What one element may have at most, with all in it, in bytes.
    package static let greatestSize = 256 << 20
    /// How many elements may lie in one another.
    package static let greatestDepth = 256

    /// The number of the path.
    package let path: Int
    /// The element, without the elements in it that are handed out by themselves.
    package let node: XMLNode
    /// The line at which the element begins, from 1.
    package let line: Int
    /// About how many bytes the element is.
    package let size: Int
    /// The attributes `xml:base` of the elements around it and of its own, from the outermost one.
    package let bases: [String]
}
