import CoreData

/// What objects are called in answers where some are not saved.
package protocol ObjectNames {
    func name(of object: NSManagedObject) -> String
    /// The object of a name that was given to one that is not saved; nil for any other.
    func object(named name: String) -> NSManagedObject?
}
