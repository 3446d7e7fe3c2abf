import CoreDataStore
import Observation

/// The subject that represents every managed object in the Observation module, which distinguishes objects by
/// registrar.
final class ObservedSubject: Observable, Sendable {
    static let shared = ObservedSubject()

    /// Has no value; its key path represents the property with a number in the object's layout.
    fileprivate subscript(observedPlace place: Int) -> Void { get {} }
}

/// The key paths that represent the properties of managed objects in the Observation module.
enum ObservedKeyPath {
    /// The key paths of the first properties, since making a key path takes far longer than using one.
    private static let first: [any KeyPath<ObservedSubject, Void> & Sendable] = (0..<256).map(made)

    static func of(_ place: Int) -> KeyPath<ObservedSubject, Void> {
        if place < first.count { return first[place] }
        return made(place)
    }

    private static func made(_ place: Int) -> any KeyPath<ObservedSubject, Void> & Sendable {
        let keyPath: any KeyPath<ObservedSubject, Void> & Sendable = \.[observedPlace: place]
        return keyPath
    }
}
