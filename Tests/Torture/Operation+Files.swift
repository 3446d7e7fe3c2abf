import CoreData
import StoreContract

/// Operations on whole stores.
extension Operation {
    @Sendable static func migrate(_ folder: URL) throws -> String {
        let scene = try Scene(
            Library.url(folder), Library.newModel(),
            [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ])
        defer { scene.close() }
        return "\(try scene.context.all("Document").count)"
    }

    /// Copies a store that is open to another file.
    @Sendable static func copy(_ folder: URL) throws {
        try Library.with(folder) { scene in
            // A copy that was made before an error came is made anew, as a program would.
            let target = Library.url(folder, "Copy")
            _ = try scene.coordinator.migratePersistentStore(
                scene.coordinator.persistentStores[0], to: target, options: Scene.options(), type: .sqlite)
        }
    }

    @Sendable static func replace(_ folder: URL) throws {
        try NSPersistentStoreCoordinator(managedObjectModel: Library.model()).replacePersistentStore(
            at: Library.url(folder), withPersistentStoreFrom: Library.url(folder, "Source"), type: .sqlite)
    }

    @Sendable static func destroy(_ folder: URL) throws {
        try NSPersistentStoreCoordinator(managedObjectModel: Library.model()).destroyPersistentStore(
            at: Library.url(folder), type: .sqlite)
    }
}
