/// A type whose Swift key paths have names, so that predicates and sort descriptors made of them can reach a store.
///
/// Nothing finds a property's name at run time here; managed objects answer from the property table of their class.
public protocol KeyPathNaming {
    /// The key of the property that a key path leads to; nil for a key path that has no name.
    static func key(of keyPath: AnyKeyPath) -> String?
}

/// The key of a Swift key path, if the type that it starts from names it.
package func namedKey(of keyPath: AnyKeyPath) -> String? {
    (type(of: keyPath).rootType as? any KeyPathNaming.Type)?.key(of: keyPath)
}

extension AnyKeyPath {
    /// The key of a Swift key path, for code that asks the standard library for it; nil for one that has no name.
    ///
    /// The library's own property of this name, which knows keys of Objective-C alone, is hidden by this one.
    public var _kvcKeyPathString: String? { namedKey(of: self) }
}
