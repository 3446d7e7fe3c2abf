import CoreDataModeling
import Synchronization

/// Describes the class of an entity's objects; implemented by the object graph, which knows the class.
package protocol ClassDescription: AnyObject, Sendable {
    /// The identity of the class.
    var identifier: ObjectIdentifier { get }
    /// The name of the class without its module.
    var name: String { get }
    /// The module that declares the class; nil for the base class `NSManagedObject`.
    var module: String? { get }
    /// The names of the properties that the class declares, in the order of their numbers.
    var keys: [String] { get }
    /// The name of the property of a Swift key path; nil if the class's property table does not contain it.
    func key(of keyPath: AnyKeyPath) -> String?
}

/// Implemented by entity layouts, so that a description can find its class through its run-time data.
package protocol ClassDescribed: AnyObject {
    var classes: any ClassDescription { get }
}

extension NSEntityDescription {
    /// The description of the class of the entity's objects; nil before the entity's model is used.
    var knownClass: (any ClassDescription)? { (runtime.load()?.layout as? any ClassDescribed)?.classes }
}
