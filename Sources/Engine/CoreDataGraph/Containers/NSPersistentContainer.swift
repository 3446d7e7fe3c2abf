import CoreDataStore
import Synchronization

/// A model, a coordinator and a main-queue context, set up together.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Shop")
/// container.loadPersistentStores { description, error in
///     if let error { print(description, "cannot be opened:", error) }
/// }
/// let customer = Customer(context: container.viewContext)
/// customer.name = "Ann"
/// try container.viewContext.save()
/// ```
open class NSPersistentContainer: AssociationHolder, @unchecked Sendable {
    /// The objects that programs associate with the container.
    final package var associatedObjects: AssociatedObjects?

    /// The name of the container, which is that of the model and of the store file unless specified otherwise.
    open private(set) var name: String

    /// The model.
    open private(set) var managedObjectModel: NSManagedObjectModel

    /// The coordinator of the stores.
    open private(set) var persistentStoreCoordinator: NSPersistentStoreCoordinator

    /// The context of the main queue.
    open private(set) var viewContext: NSManagedObjectContext

    /// The stores to load; by default one SQLite store, named like the container, in the default directory.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get { descriptionsLock.withLock { _ in chosenDescriptions } ?? chooseDefaultDescriptions() }
        set {
            // The former descriptions are released after the lock.
            let former = descriptionsLock.withLock { _ in
                defer { chosenDescriptions = newValue }
                return chosenDescriptions
            }
            withExtendedLifetime(former) {}
        }
    }
    private let descriptionsLock = Mutex(())
    /// The descriptions, once they were set or read: finding the default directory takes as long as opening a small store.
    private var chosenDescriptions: [NSPersistentStoreDescription]?

    /// The descriptions without a loaded store, and their errors.
    let loading = StoreLoading()

    /// Makes a container with the model of its name, found in a bundle or beside the executable.
    ///
    /// If no model is found, a line on standard error states it and the model is empty.
    public convenience init(name: String) {
        self.init(name: name, managedObjectModel: ModelFinder.model(named: name))
    }

    /// Makes a container with a model.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        managedObjectModel = model
        // Overrides of a subclass are not called before its initialization is complete.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.name = "viewContext"
        context.tracksObservation = true
        (persistentStoreCoordinator, viewContext) = (coordinator, context)
    }

    /// Makes the default description, without the lock: a subclass may override what it is made of. Another thread may
    /// have set descriptions by then, which stay.
    private func chooseDefaultDescriptions() -> [NSPersistentStoreDescription] {
        let url = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
        let made = [NSPersistentStoreDescription(url: url)]
        descriptionsLock.withLock { _ in
            if chosenDescriptions == nil { chosenDescriptions = made }
        }
        return descriptionsLock.withLock { _ in chosenDescriptions } ?? made
    }

    /// The folder for stores without a given place: the program's own in the user's application support folder.
    ///
    /// The folder is named after the main bundle's identifier, or else after the executable, so that programs do not
    /// share it. `loadPersistentStores` creates the folder when it loads a store there.
    open class func defaultDirectoryURL() -> URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return base.appendingPathComponent(programName, isDirectory: true)
    }

    private static var programName: String {
        if let identifier = Bundle.main.bundleIdentifier, isFolderName(identifier) { return identifier }
        let executable = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
        return isFolderName(executable) ? executable : "CoreData"
    }

    private static func isFolderName(_ name: String) -> Bool {
        !name.isEmpty && ![".", ".."].contains(name) && !name.contains("/")
    }

    /// Loads the stores of the descriptions and passes the outcome of each to `block`.
    ///
    /// Loads the stores in the order of the descriptions, on the calling thread, before this returns; a store whose
    /// description has `shouldAddStoreAsynchronously` is loaded on the coordinator's queue, maybe after this has
    /// returned. When one store fails, the others are still loaded. A store that has been loaded already fails with
    /// 134081.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            // Finding the default directory takes longer than seeing that a folder is there.
            if let folder = description.url?.deletingLastPathComponent(),
                !FileManager.default.fileExists(atPath: folder.path),
                folder.standardizedFileURL.path == Self.defaultDirectoryURL().standardizedFileURL.path
            {
                // If this fails, opening the store fails too, with the store's name in the message.
                try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            description.isOfContainer = true
            loading.note(description, CoreDataError.notLoaded())
            persistentStoreCoordinator.addPersistentStore(with: description) { [loading] description, error in
                loading.note(description, error)
                block(description, error)
            }
        }
    }

    /// A new context with its own queue.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new context on the context's queue; returns at once.
    open func performBackgroundTask(_ block: @escaping BackgroundBlock<Void, Never>) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }
}

extension NSPersistentContainer {
    /// Runs a block with a new context on the context's queue and returns the block's result, or throws its error.
    ///
    /// The context is released after the block, so its objects must not leave the block.
    nonisolated(nonsending) public func performBackgroundTask<Result: PerformedResult, Failure: Error>(
        _ block: @escaping BackgroundBlock<Result, Failure>
    ) async throws(Failure) -> Result {
        let context = newBackgroundContext()
        return try await context.perform { () throws(Failure) -> Result in try block(context) }
    }
}
