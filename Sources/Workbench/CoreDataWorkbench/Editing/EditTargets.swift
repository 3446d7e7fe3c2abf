import CoreData

/// Finds the objects that values name. Each type that conforms has its own names: addresses, names in a tab, labels of
/// an import.
package protocol EditTargets {
    /// The object of a name; the editor checks whether it can be a member of the relationship.
    ///
    /// - Throws: An error of the conforming type if there is no such object.
    func object(_ name: String, for relationship: NSRelationshipDescription) throws -> NSManagedObject
}
