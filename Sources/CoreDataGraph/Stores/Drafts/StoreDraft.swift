import CoreDataStore

/// A store that is made under a name of its own beside its place, and put there when it is whole.
///
/// The name is `.<UUID>.migrating`, which is all that a crash can leave beside the file of its owner.
package struct StoreDraft {
    package var url: URL { owner.draft }
    private let owner: StoreDraftOwner
    private let place: URL
    let storeClass: NSPersistentStore.Type

    /// - Throws: 134000 for a kind of store that the program does not have.
    package init(for place: URL, type: String) throws {
        self.place = place
        storeClass = try StoreTypeRegistry.storeClass(ofType: type)
        owner = StoreDraftOwner(for: place, purpose: "migrating")
    }

    /// Whether there is something at the store's place.
    package var isPlaceTaken: Bool { PlainFile.exists(place) }

    /// Puts the store, which nobody has open any more, in its place, wholly or not at all.
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

    /// Removes what there is of the draft.
    package func discard() {
        defer { owner.discard() }
        if let administering = storeClass.administration { return administering.discardStore(at: url) }
        // The error that led here is the one to report.
        try? PlainFile.destroy(url)
    }
}
