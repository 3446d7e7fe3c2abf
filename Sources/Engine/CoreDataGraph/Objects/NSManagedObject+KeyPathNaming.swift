import CoreDataStore

extension NSManagedObject: KeyPathNaming {
    /// The key of a property by its Swift key path, as the class's property table names it.
    public static func key(of keyPath: AnyKeyPath) -> String? { PropertyTable.of(self).key(of: keyPath) }
}
