import CoreDataStore

/// The identifiers of the records that a save inserted, updated and deleted; permanent ones if written to stores.
package typealias SavedChanges = ChangeLists<NSManagedObjectID>

extension RowAddress {
    /// The identifier of the record.
    package var objectID: NSManagedObjectID {
        NSManagedObjectID(binding: binding, key: key, isTemporary: binding.isTemporary)
    }
}
