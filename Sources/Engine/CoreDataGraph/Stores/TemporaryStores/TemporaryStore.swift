import CoreDataStore

/// A store that is made under a temporary name beside its final URL, and renamed when it is complete.
///
/// The name is `.<UUID>.migrating`, or `.<UUID>.copying` for a backup. Beside the lock file of its owner, this is all
/// that a crash can leave.
package struct TemporaryStore {
    package var url: URL { owner.temporary }
    private let owner: TemporaryStoreOwner
    private let place: URL
    private let storeClass: any StoreClass.Type

    /// - Throws: `NSPersistentStoreInvalidTypeError` for a type that the program does not have.
    package init(for place: URL, type: String) throws {
        self.place = place
        storeClass = try StoreTypeRegistry.storeClass(ofType: type)
        owner = TemporaryStoreOwner(for: place, purpose: "migrating")
    }

    /// Makes the temporary file of a backup beside a store. What a killed process leaves of it is removed when the
    /// store is next opened or backed up.
    package init(ofBackup place: URL, of store: URL, storeClass: any StoreClass.Type) {
        self.place = place
        self.storeClass = storeClass
        owner = TemporaryStoreOwner(for: store, purpose: "copying", place: place)
    }

    /// Whether a file exists at the store's final URL.
    package var isPlaceTaken: Bool { PlainFile.exists(place) }

    /// Atomically renames the store, which must be closed, to its final URL.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain`, also if a store exists there.
    package func publish() throws {
        if let administering = storeClass.administration {
            try administering.publishStore(at: url, as: place)
        } else {
            try PlainFile.publish(url, as: place)
        }
        owner.release()
    }

    /// Removes the temporary file, if it exists.
    package func discard() {
        defer { owner.discard() }
        if let administering = storeClass.administration { return administering.discardStore(at: url) }
        // An error here is ignored: the caller reports the error because of which the store is discarded.
        try? PlainFile.destroy(url)
    }
}
