import CoreDataModeling
import Synchronization

/// A model, a coordinator and a main-queue context, set up together.
open class NSPersistentContainer: @unchecked Sendable {
    /// The name of the container, which is that of the model and of the store file unless told otherwise.
    public let name: String

    /// The model.
    public let managedObjectModel: NSManagedObjectModel

    /// The coordinator of the stores.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator

    /// The context of the main queue.
    public let viewContext: NSManagedObjectContext

    /// The stores to load; at first one of SQLite, named like the container, in the default directory.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]

    /// Makes a container with the model of its name, found in the main bundle or beside the program.
    ///
    /// Where there is none, a line says so and the model is empty.
    public convenience init(name: String) {
        self.init(name: name, managedObjectModel: ModelFinder.model(named: name))
    }

    /// Makes a container with a model.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        managedObjectModel = model
        persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        viewContext.persistentStoreCoordinator = persistentStoreCoordinator
        viewContext.name = "viewContext"
        let url = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
        persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    }

    /// The folder of the stores that are given no place: the program's own in the user's application support folder.
    open class func defaultDirectoryURL() -> URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        let program = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "CoreData"
        return base.appendingPathComponent(program, isDirectory: true)
    }

    /// Loads the stores of the descriptions and hands the outcome of each to `block`.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            if let folder = description.url?.deletingLastPathComponent(), folder == Self.defaultDirectoryURL() {
                // Its failure shows when the store is opened, with the store's name in the message.
                try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
        }
    }

    /// A new context with a queue of its own.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block in a new context on its queue; does not wait.
    open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block in a new context on its queue and returns its result, or throws its error.
    open func performBackgroundTask<Result, Failure: Error>(
        _ block: @escaping (NSManagedObjectContext) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let context = newBackgroundContext()
        return try await context.perform { () throws(Failure) -> Result in try block(context) }
    }
}

/// Finds the model that a container names.
enum ModelFinder {
    static func model(named name: String) -> NSManagedObjectModel {
        for bundle in [Bundle.main] + Bundle.allBundles {
            for kind in ["momd", "mom", "xcdatamodeld", "xcdatamodel"] {
                if let url = bundle.url(forResource: name, withExtension: kind),
                    let model = NSManagedObjectModel(contentsOf: url)
                {
                    return model
                }
            }
        }
        Diagnostics.report("CoreData: error: Failed to load model named \(name)")
        return NSManagedObjectModel()
    }
}
