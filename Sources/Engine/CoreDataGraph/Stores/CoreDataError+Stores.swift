import CoreDataStore

extension CoreDataError {
    static func foreignStore() -> NSError {
        make(
            NSPersistentStoreOperationError, "The store is not among the coordinator's.",
            hint: "Add it first; a store that was removed cannot be used any more.")
    }

    static func closedStore() -> NSError {
        make(NSPersistentStoreOperationError, "The store is not open.", hint: "Add it to a coordinator.")
    }

    static func notLoaded() -> NSError {
        make(
            NSPersistentStoreOperationError, "The store is not loaded.",
            hint: "Call loadPersistentStores(completionHandler:), and wait for a store that is loaded asynchronously.")
    }

    static func shutDown() -> NSError {
        make(
            NSPersistentStoreOperationError, "The coordinator has been shut down: nothing is read or saved any more.",
            hint: "Finish what saves before shutDown(within:), or make a new container.")
    }

    static func otherStore(_ key: String, _ entity: String) -> NSError {
        make(
            NSManagedObjectExternalRelationshipError,
            "The relationship '\(key)' of entity '\(entity)' leads to an object of another store.",
            hint: "Keep related entities in one store, or use a fetched property.")
    }
}
