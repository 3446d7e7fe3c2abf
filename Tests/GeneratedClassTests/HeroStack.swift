import CoreData
import GeneratedModel

/// A store in memory for the model that the plugin compiled, found by its name.
struct HeroStack {
    let container: NSPersistentContainer
    /// On a private queue, so that nothing happens in it but what a test does from its own thread.
    let context: NSManagedObjectContext

    init() throws {
        container = NSPersistentContainer(name: "Heroes")
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        context = container.newBackgroundContext()
    }
}
