import CoreDataStore

extension RowAddress {
    /// The identifier of the record.
    package var objectID: NSManagedObjectID {
        NSManagedObjectID(binding: binding, key: key, isTemporary: binding.isTemporary)
    }
}
