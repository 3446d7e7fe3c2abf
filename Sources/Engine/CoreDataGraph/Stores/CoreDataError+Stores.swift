import CoreDataStore

extension CoreDataError {
    static func foreignStore() -> NSError {
        make(
            NSPersistentStoreOperationError, "The store is not among the coordinator's.",
            hint: "Add it first; a store that was removed cannot be used any more.")
    }

    static func otherStore(_ key: String, _ entity: String) -> NSError {
        make(
            NSManagedObjectExternalRelationshipError,
            "The relationship '\(key)' of entity '\(entity)' leads to an object of another store.",
            hint: "Keep related entities in one store, or use a fetched property.")
    }
}
