import CoreDataStore

extension NSManagedObjectID: RecordIdentifier {
    package var recordIdentity: AnyHashable { self }

    package var recordAddress: RecordAddress? {
        guard !isTemporaryID, let store = persistentStore?.identifier else { return nil }
        return RecordAddress(storeIdentifier: store, entity: entity, key: key)
    }
}

extension NSManagedObject: RecordIdentifying {
    package var recordIdentity: AnyHashable { objectID }

    package var recordAddress: RecordAddress? { objectID.recordAddress }
}

extension BatchOutcome {
    /// The identifiers of the requested rows.
    var objectIDs: [NSManagedObjectID] {
        addresses.map { NSManagedObjectID(binding: $0.binding, key: $0.key, isTemporary: false) }
    }
}

extension RowKey {
    init(_ object: NSManagedObject) { self.init(table: object.binding.table, key: object.key) }
}
