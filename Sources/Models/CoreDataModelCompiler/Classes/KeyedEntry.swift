/// A member of a class's sources that access by key calls.
package enum KeyedEntry: Hashable, Sendable {
    /// A property with custom accessors.
    case property(String)
    /// A method that checks the values of a key.
    case validator(key: String, method: String)
    /// A call in a source that returns the keys that a key depends on.
    case dependencies(key: String, call: String)
}
