import CoreDataStore

extension NSManagedObject: KeyPathNaming {
    /// Returns the key of the property that a Swift key path leads to, by the class's property table; nil if unknown.
    public static func key(of keyPath: AnyKeyPath) -> String? { PropertyTable.of(self).key(of: keyPath) }
}
