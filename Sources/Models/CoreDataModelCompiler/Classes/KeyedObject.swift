/// A subclass of `NSObject`, other than managed objects, with its properties that are accessed by key.
package struct KeyedObject: Hashable, Sendable {
    /// The name in sources of the module: `Outer.Inner`.
    package let name: String
    /// The topmost superclass with such properties, which may be the class itself.
    package let root: String
    /// The properties that the class itself declares.
    package let keys: [String]

    package init(name: String, root: String, keys: [String]) { (self.name, self.root, self.keys) = (name, root, keys) }
}
