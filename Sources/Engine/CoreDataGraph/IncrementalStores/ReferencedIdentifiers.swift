import CoreDataStore

/// Converts the reference objects of a store's records to identifiers, and back.
struct ReferencedIdentifiers {
    private let store: NSPersistentStore
    private let keys: ReferenceKeys

    init(_ store: NSPersistentStore) {
        self.store = store
        let identity: String = store.identifier ?? ""
        if let known = store.referenceKeys, known.storeIdentifier == identity {
            keys = known
        } else {
            // Stored at the first use, which may be before the store is open.
            keys = ReferenceKeys.of(storeIdentifier: identity)
            store.referenceKeys = keys
        }
    }

    /// The identifier of the record with a reference object.
    ///
    /// Stops the program for an entity that belongs to no model, whose objects cannot be stored.
    func identifier(_ entity: NSEntityDescription, _ reference: Any) -> NSManagedObjectID {
        let layout = store.persistentStoreCoordinator?.modelLayout.layout(of: entity) ?? EntityLayout.of(entity)
        guard let layout else {
            stop("The entity '\(entity.name ?? "")' belongs to no model: nothing of it can be stored.")
        }
        let known = ReferenceKeys.Reference(reference)
        if known == nil {
            CoreDataLogging.report(
                .warning,
                "a reference object must be a string or a number, not a \(type(of: reference)): "
                    + "its description stands for it.")
        }
        let key = keys.key(of: known ?? .text(ExactText(String(describing: reference))), in: layout.entity)
        return NSManagedObjectID(
            binding: store.binding(for: layout), key: key, isTemporary: false, mayNameAncestor: true)
    }

    /// The reference object of an identifier; an empty string, after logging an error, for an identifier of another
    /// store.
    func reference(_ identifier: NSManagedObjectID) -> Any {
        if !identifier.isTemporaryID, identifier.storeIdentifier == store.identifier,
            let reference = keys.reference(of: identifier.key, in: identifier.entity)
        {
            return reference.object
        }
        CoreDataLogging.report(
            .error,
            "the identifier '\(identifier)' is none of the store '\(store.identifier ?? "")': "
                + "it has no reference object here.")
        return ""
    }
}
