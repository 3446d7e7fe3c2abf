/// An object whose properties can be read by name, in predicates, sort descriptors and key paths.
///
/// A conforming type implements `codedValue(forKey:)`; the rest has default implementations. Reflection is not used: a
/// key for which the type returns no value is unknown, even if a stored property has that name.
///
/// ```swift
/// struct City: KeyValueCoding {
///     let name: String
///
///     func codedValue(forKey key: String) throws -> Any? {
///         guard key == "name" else { throw undefinedKey(key) }
///         return name
///     }
/// }
/// let cities = [City(name: "Oslo"), City(name: "Rome")]
/// print(cities.filtered(using: NSPredicate(format: "name BEGINSWITH %@", "O")))
/// ```
public protocol KeyValueCoding {
    /// The value of a property by name.
    ///
    /// - Throws: `UnknownKeyError` for a key that the object does not have, or the error of a value that cannot be
    ///   read.
    func codedValue(forKey key: String) throws -> Any?

    /// The value of a property by name; stops the process for a key that the object does not have, as Apple's does.
    func value(forKey key: String) -> Any?

    /// The keys that the object has, for suggestions in error messages; empty if they cannot be listed.
    var codedKeys: [String] { get }
}

/// An object whose properties can also be set by name.
public protocol MutableKeyValueCoding: KeyValueCoding, AnyObject {
    /// Sets a property by name.
    ///
    /// - Throws: `UnknownKeyError` for a key that cannot be set, or the error of a rule that the value breaks.
    func setCodedValue(_ value: Any?, forKey key: String) throws

    /// Sets a property by name; stops the process for a key or a value that the object does not accept.
    func setValue(_ value: Any?, forKey key: String)
}

extension KeyValueCoding {
    /// Empty, unless the conforming type lists its keys.
    public var codedKeys: [String] { [] }

    /// The value of a property by name; stops the process for a key that the object does not have.
    public func value(forKey key: String) -> Any? {
        orStop { try codedValue(forKey: key) }
    }

    /// The error for a key that this object does not have, with the nearest of its keys.
    public func undefinedKey(_ key: String) -> UnknownKeyError { unknownKey(key) }

    /// The error for a key that this object does not have, with the nearest of its keys.
    package func unknownKey(_ key: String) -> UnknownKeyError {
        UnknownKeyError(key: key, owner: String(describing: type(of: self)), knownKeys: codedKeys)
    }
}

extension MutableKeyValueCoding {
    /// Sets a property by name; stops the process for a key or a value that the object does not accept.
    public func setValue(_ value: Any?, forKey key: String) {
        orStop { try setCodedValue(value, forKey: key) }
    }
}
