import CoreData

/// The stack of the template: one container, named after the project, which finds its model by that name.
public struct PersistenceController: Sendable {
    public let container: NSPersistentContainer

    /// Opens the store, at a place or where containers keep theirs; in memory nothing stays behind.
    ///
    /// - Throws: what loading the store throws.
    public init(inMemory: Bool = false, at url: URL? = nil) throws {
        container = NSPersistentContainer(name: "TemplateProject")
        if inMemory {
            container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
        } else if let url {
            container.persistentStoreDescriptions.first?.url = url
        }
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        container.viewContext.automaticallyMergesChangesFromParent = true
    }
}
