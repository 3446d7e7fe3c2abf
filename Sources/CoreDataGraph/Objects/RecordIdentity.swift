import CoreDataStore

extension NSManagedObjectID: RecordIdentifier {
    package var recordIdentity: AnyHashable { self }

    package var namedRow: NamedRow? {
        guard !isTemporaryID, let store = persistentStore?.identifier else { return nil }
        return NamedRow(storeIdentifier: store, entity: entity, key: key)
    }
}

extension NSManagedObject: RecordNaming {
    package var recordIdentity: AnyHashable { objectID }

    package var namedRow: NamedRow? { objectID.namedRow }
}

extension BatchOutcome {
    /// The identifiers of the rows that were asked for.
    var objectIDs: [NSManagedObjectID] {
        addresses.map { NSManagedObjectID(binding: $0.binding, key: $0.key, isTemporary: false) }
    }
}
