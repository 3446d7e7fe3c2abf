import CoreDataModeling
import Synchronization

/// The description of a class of an entity's objects; made by the layer that knows the class.
package protocol ClassDescription: AnyObject, Sendable {
    /// Which class it is.
    var identifier: ObjectIdentifier { get }
    /// The name of the class without its module.
    var name: String { get }
    /// The module of a class that the program declares; nil for the one that all others inherit from.
    var module: String? { get }
    /// The names of the properties that the class declares, by their numbers.
    var keys: [String] { get }
    /// The name of the property that a Swift key path leads to.
    func key(of keyPath: AnyKeyPath) -> String?
}

/// What an entity's run-time data has of its class.
package protocol ClassDescribed: AnyObject {
    var classes: any ClassDescription { get }
}

extension NSEntityDescription {
    /// What is known of the class of the entity's objects; nil before its model is used.
    var knownClass: (any ClassDescription)? { (runtime.load()?.layout as? any ClassDescribed)?.classes }
}
