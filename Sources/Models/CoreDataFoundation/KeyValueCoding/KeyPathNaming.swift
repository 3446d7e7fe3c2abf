/// A type that names its Swift key paths, so that a store can evaluate predicates and sort descriptors made of them.
///
/// The names of properties are not looked up by reflection; managed objects use the property table of their class.
public protocol KeyPathNaming {
    /// The key of the property that a key path leads to; nil for a key path without a key.
    static func key(of keyPath: AnyKeyPath) -> String?
}

/// The key of a Swift key path, if the type that it starts from names it.
package func namedKey(of keyPath: AnyKeyPath) -> String? {
    (type(of: keyPath).rootType as? any KeyPathNaming.Type)?.key(of: keyPath)
}

extension AnyKeyPath {
    /// The key of a Swift key path, for code that uses the standard library's property; nil for one without a key.
    ///
    /// It hides the standard library's property of this name, which supports keys of Objective-C only.
    public var _kvcKeyPathString: String? { namedKey(of: self) }
}
