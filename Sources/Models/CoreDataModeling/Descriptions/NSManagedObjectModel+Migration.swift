import CoreDataFoundation

extension NSManagedObjectModel {
    /// A copy for reading or writing in a migration: it has the same version hashes, and its objects are of plain
    /// classes.
    ///
    /// - Parameter keepsStoredForm: whether a transformable attribute's values are to be the bytes in the store.
    package func migrationCopy(keepsStoredForm: (NSAttributeDescription) -> Bool) -> NSManagedObjectModel {
        guard let copy = self.copy() as? NSManagedObjectModel else { return self }
        copy.servesMigration = true
        for entity in copy.entities {
            for case let attribute as NSAttributeDescription in entity.ownProperties
            where attribute.attributeType == .transformableAttributeType {
                attribute.keepsStoredForm = keepsStoredForm(attribute)
            }
        }
        return copy
    }
}
