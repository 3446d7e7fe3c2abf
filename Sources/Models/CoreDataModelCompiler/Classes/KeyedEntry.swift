/// A member in a class's source code that key-value coding uses.
package enum KeyedEntry: Hashable, Sendable {
    /// A property with custom accessors.
    case property(String)
    /// A method that validates the values of a key.
    case validator(key: String, method: String)
    /// A call, as source text, that returns the keys on which a key depends.
    case dependencies(key: String, call: String)
}
