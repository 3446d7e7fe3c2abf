import CoreData

/// A store that is there already, in a coordinator of its own.
package enum Opened {
    /// A context on the store at a path.
    package static func context(
        _ path: String, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: options)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}
