/// A position in a collection by a keyword in brackets, as in `names[FIRST]`.
package enum CollectionIndex: String, Hashable, Sendable {
    case first = "FIRST"
    case last = "LAST"
    /// The number of elements rather than an element.
    case size = "SIZE"
}
