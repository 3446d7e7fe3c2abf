import CoreData

/// Names objects in answers that may contain unsaved objects.
package protocol ObjectNames {
    func name(of object: NSManagedObject) -> String
    /// The unsaved object to which a name was assigned; nil for any other name.
    func object(named name: String) -> NSManagedObject?
}
