import CoreDataStore

extension CoreDataError {
    static func noPastStates(_ store: NSPersistentStore) -> NSError {
        make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "The store '\(store.url?.path ?? store.identifier ?? "")' cannot be read as it was.",
            reason: "Past states are kept by SQLite stores in files with a write-ahead log.",
            hint: "Add the store as an SQLite store with CoreDataHistoryKeepsOldValuesOption.",
            userInfo: [NSAffectedStoresErrorKey: [store]])
    }

    /// The error for a save of a context that is pinned to a past state.
    static func savingThePast() -> NSError {
        make(
            NSPersistentStoreSaveError, "A context that is pinned to a past state of its stores cannot save.",
            hint: "Make the change in a context that reads the present, or call setQueryGenerationFrom(nil) first.")
    }
}
