import CoreDataStore

/// A store that is made under a temporary name beside its place, and moved there when it is complete.
///
/// The name is `.<UUID>.migrating`, or `.<UUID>.copying` for a backup, which is all that a crash can leave beside the file of its
/// owner.
package struct TemporaryStore {
    package var url: URL { owner.temporary }
    private let owner: TemporaryStoreOwner
    private let place: URL
    private let storeClass: any StoreClass.Type

    /// - Throws: `NSPersistentStoreInvalidTypeError` for a kind of store that the program does not have.
    package init(for place: URL, type: String) throws {
        self.place = place
        storeClass = try StoreTypeRegistry.storeClass(ofType: type)
        owner = TemporaryStoreOwner(for: place, purpose: "migrating")
    }

    /// A temporary file of a backup beside a store: the next who opens the store, or backs it up, removes what a killed process has left of it.
    package init(ofBackup place: URL, of store: URL, storeClass: any StoreClass.Type) {
        self.place = place
        self.storeClass = storeClass
        owner = TemporaryStoreOwner(for: store, purpose: "copying", place: place)
    }

    /// Whether there is something at the store's place.
    package var isPlaceTaken: Bool { PlainFile.exists(place) }

    /// Moves the store, which is no longer open, to its place atomically.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain`, also if something is there.
    package func publish() throws {
        if let administering = storeClass.administration {
            try administering.publishStore(at: url, as: place)
        } else {
            try PlainFile.publish(url, as: place)
        }
        owner.release()
    }

    /// Removes what there is of the temporary file.
    package func discard() {
        defer { owner.discard() }
        if let administering = storeClass.administration { return administering.discardStore(at: url) }
        // The error that led here is the one to report.
        try? PlainFile.destroy(url)
    }
}
