import CoreData

/// Copies a store to a file of the same type, with its large values, as it is at one moment, even while others write to
/// it.
package struct StoreFileCopy {
    private let facts: StoreFacts
    private let place: URL

    /// - Throws: `InspectionError` if a file exists at `place`.
    package init(of facts: StoreFacts, at place: URL) throws {
        self.facts = facts
        self.place = place
        try NewStorePlace.requireFree(place)
    }

    /// Makes the copy; leaves nothing at `place` if that fails.
    ///
    /// - Throws: `InspectionError`.
    package func run() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        do {
            try coordinator.replacePersistentStore(
                at: place, withPersistentStoreFrom: facts.url, type: facts.type)
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }
}

/// Checks the place for a new file.
package enum NewStorePlace {
    /// Checks that nothing exists at the path of a file. The URL of a store on a server is not checked: the server does
    /// that.
    ///
    /// - Throws: `InspectionError` if anything exists there, even a dangling symbolic link.
    package static func requireFree(_ place: URL) throws {
        guard place.isFileURL else { return }
        var status = stat()
        guard lstat(place.path, &status) != 0 else {
            throw InspectionError(
                .unreadable, subject: place.path, cause: "it exists already",
                hint: "choose another place, or remove it first")
        }
    }
}
