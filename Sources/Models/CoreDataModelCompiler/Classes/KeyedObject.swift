/// A class below `NSObject`, not of managed objects, with the properties that are found by their names.
package struct KeyedObject: Hashable, Sendable {
    /// The name as sources of the module write it: `Outer.Inner`.
    package let name: String
    /// The uppermost class above it that has such properties, itself included.
    package let root: String
    /// Its own properties.
    package let keys: [String]

    package init(name: String, root: String, keys: [String]) { (self.name, self.root, self.keys) = (name, root, keys) }
}
