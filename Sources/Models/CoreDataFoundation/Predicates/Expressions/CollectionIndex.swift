/// A place in a collection that has a name: what stands in the brackets of `names[FIRST]`.
package enum CollectionIndex: String, Hashable, Sendable {
    case first = "FIRST"
    case last = "LAST"
    /// Not an element but their number.
    case size = "SIZE"
}
