import CoreDataStore

/// The key paths by which the Observation module knows the properties of managed objects.
enum ObservedKeyPath {
    /// Making a key path costs far more than using one that is made.
    private static let first: [any KeyPath<NSManagedObject, Void> & Sendable] = (0..<256).map(made)

    static func of(_ place: Int) -> KeyPath<NSManagedObject, Void> {
        if place < first.count { return first[place] }
        return made(place)
    }

    private static func made(_ place: Int) -> any KeyPath<NSManagedObject, Void> & Sendable {
        let keyPath: any KeyPath<NSManagedObject, Void> & Sendable = \.[observedPlace: place]
        return keyPath
    }
}

extension NSManagedObject {
    /// Nothing; what its key path names is the property at a place of the object's layout.
    fileprivate subscript(observedPlace place: Int) -> Void { get {} }
}
