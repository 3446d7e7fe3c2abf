import CoreDataFoundation

extension NSManagedObjectModel {
    /// A copy with which a migration reads or writes: its version hashes are the same, its objects are plain.
    ///
    /// - Parameter keepsStoredForm: whether the values of a transformable attribute are the bytes in the store.
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
