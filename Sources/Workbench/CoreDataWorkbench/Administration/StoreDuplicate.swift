import CoreData

/// A copy of a store as it is at one moment, with its large values, though others may be writing to it.
package struct StoreDuplicate {
    private let facts: StoreFacts
    private let place: URL

    /// - Throws: `InspectionError` where the place is taken.
    package init(of facts: StoreFacts, at place: URL) throws {
        self.facts = facts
        self.place = place
        try NewStorePlace.requireFree(place)
    }

    /// Makes the copy, completely or not at all.
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

/// Where something new is to be.
package enum NewStorePlace {
    /// Servers look themselves.
    ///
    /// - Throws: `InspectionError` where there is something already, if only a link that leads nowhere.
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
