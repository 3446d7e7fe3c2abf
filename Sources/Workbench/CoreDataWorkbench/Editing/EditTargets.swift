import CoreData

/// Finds the objects that values name, each by the names of its own: addresses, names of a tab, labels of an import.
package protocol EditTargets {
    /// The object of a name; the editor checks whether the relationship can lead to it.
    ///
    /// - Throws: an error of the kind's own where there is no such object.
    func object(_ name: String, for relationship: NSRelationshipDescription) throws -> NSManagedObject
}
