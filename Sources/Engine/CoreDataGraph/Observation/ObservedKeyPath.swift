import CoreDataStore
import Observation

/// What stands for every managed object where the Observation module asks for a subject: it knows objects by their registrars.
final class ObservedSubject: Observable, Sendable {
    static let shared = ObservedSubject()

    /// Nothing; what its key path names is the property at a place of the object's layout.
    fileprivate subscript(observedPlace place: Int) -> Void { get {} }
}

/// The key paths by which the Observation module knows the properties of managed objects.
enum ObservedKeyPath {
    /// Making a key path costs far more than using one that is made.
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
