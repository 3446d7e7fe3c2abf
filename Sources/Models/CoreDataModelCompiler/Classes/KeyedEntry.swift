/// A member of a class's sources that access by key goes through.
package enum KeyedEntry: Hashable, Sendable {
    /// A property with accessors of its own.
    case property(String)
    /// A method that checks the values of a key.
    case validator(key: String, method: String)
    /// What tells the keys that a key depends on, as a source asks for it.
    case dependencies(key: String, call: String)
}
