import CoreDataModeling
import Synchronization

/// Brings a model and stores together, and serves contexts from them.
///
/// May be used from any thread; each store is used by one thread at a time.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    private struct Stores {
        var stores: [NSPersistentStore] = []
        var lastNumber = 0
    }

    let modelLayout: ModelLayout
    private let stores = Mutex(Stores())
    private let queue = DispatchQueue(label: "CoreData.coordinator")

    /// The model; it cannot be changed any more.
    public let managedObjectModel: NSManagedObjectModel

    /// A name for messages.
    open var name: String?

    /// Makes a coordinator without stores and freezes the model.
    public init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        modelLayout = ModelLayout.of(model)
        super.init()
        KnownEntities.add(model)
    }

    deinit {
        for store in persistentStores { store.willRemove(from: nil) }
    }

    /// The stores, in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { stores.withLock { $0.stores } }

    /// Adds a store; one that does not exist is created.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why the store cannot be used; the file is left as it was.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName: String?, at storeURL: URL?, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        guard let storeClass = StoreTypeRegistry.storeClass(for: storeType) else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError, "There is no kind of store named '\(storeType)'.",
                hint: "Known kinds: \(StoreTypeRegistry.all.keys.sorted().joined(separator: ", ")).")
        }
        guard let url = storeURL ?? Self.placeholder(storeType) else {
            throw CoreDataError.make(NSPersistentStoreOpenError, "A store of kind '\(storeType)' needs a URL.")
        }
        try checkConfiguration(configurationName)
        let store = storeClass.init(
            persistentStoreCoordinator: self, configurationName: configurationName, at: url, options: options)
        let number = stores.withLock { stores in
            stores.lastNumber += 1
            return stores.lastNumber
        }
        store.attach(number: number, model: modelLayout)
        try store.loadMetadata()
        stores.withLock { $0.stores.append(store) }
        store.didAdd(to: self)
        announce([NSAddedPersistentStoresKey: [store]])
        return store
    }

    /// Adds a store; one that does not exist is created.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why the store cannot be used; the file is left as it was.
    @discardableResult
    open func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Adds the store that a description tells of, and hands the outcome to `block`, later if the description says so.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let work = Transferred { [self] in
            do {
                try addPersistentStore(
                    ofType: storeDescription.type, configurationName: storeDescription.configuration,
                    at: storeDescription.url, options: storeDescription.options)
                block(storeDescription, nil)
            } catch {
                block(storeDescription, error)
            }
        }
        guard storeDescription.shouldAddStoreAsynchronously else { return work.value() }
        queue.async { work.value() }
    }

    /// Removes a store; its objects can no longer be read.
    open func remove(_ store: NSPersistentStore) throws {
        let isKnown = stores.withLock { stores in
            let before = stores.stores.count
            stores.stores.removeAll { $0 === store }
            return stores.stores.count < before
        }
        guard isKnown else {
            throw CoreDataError.make(NSPersistentStoreOperationError, "The store is not among the coordinator's.")
        }
        store.serialized { store.willRemove(from: self) }
        store.persistentStoreCoordinator = nil
        announce([NSRemovedPersistentStoresKey: [store]])
    }

    /// The store at a URL.
    open func persistentStore(for url: URL) -> NSPersistentStore? {
        persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
    }

    /// Where a store is.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

    /// What a store says of itself.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// The identifier of the record that a URI names; nil when none of the stores can have it.
    open func managedObjectID(forURIRepresentation uri: URL) -> NSManagedObjectID? {
        guard uri.scheme == "x-coredata", let host = uri.host,
            let store = persistentStores.first(where: { $0.identifier.lowercased() == host.lowercased() })
        else { return nil }
        let parts = uri.path.split(separator: "/")
        guard parts.count == 2, let layout = modelLayout.layout(named: String(parts[0])), parts[1].first == "p",
            let key = Int64(parts[1].dropFirst())
        else { return nil }
        return NSManagedObjectID(binding: store.binding(for: layout), key: key, isTemporary: false)
    }

    /// Runs a block later, one after another.
    open func perform(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }

    /// Runs a block after those before it, and waits.
    open func performAndWait(_ block: () -> Void) { queue.sync(execute: block) }

    /// The classes of stores by the name of their kind.
    open class var registeredStoreTypes: [String: NSPersistentStore.Type] { StoreTypeRegistry.all }

    /// Registers a class for a kind of store; nil takes it out.
    open class func registerStoreClass(_ storeClass: NSPersistentStore.Type?, forStoreType storeType: String) {
        StoreTypeRegistry.register(storeClass, for: storeType)
    }

    /// Reads the metadata of a store without adding it.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why it cannot be read.
    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        guard let storeClass = StoreTypeRegistry.storeClass(for: storeType) else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError, "There is no kind of store named '\(storeType)'.")
        }
        return try storeClass.metadataForPersistentStore(with: url)
    }

    /// Reads the metadata of a store without adding it.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why it cannot be read.
    open class func metadataForPersistentStore(
        type: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: storeURL, options: options)
    }

    /// The store that new objects of an entity go to: the first that keeps the entity and can be written.
    func store(forInserting layout: EntityLayout) -> NSPersistentStore? {
        let keeping = persistentStores.filter { $0.keeps(layout.entity, of: managedObjectModel) }
        return keeping.first { !$0.isReadOnly } ?? keeping.first
    }

    private func checkConfiguration(_ name: String?) throws {
        guard let name, managedObjectModel.entities(forConfigurationName: name) == nil else { return }
        throw CoreDataError.make(
            NSPersistentStoreOpenError, "The model has no configuration named '\(name)'.",
            hint: "Its configurations: \(managedObjectModel.configurations.sorted().joined(separator: ", ")).")
    }

    private func announce(_ userInfo: [String: Any]) {
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: userInfo)
    }

    private static func placeholder(_ type: String) -> URL? {
        type == NSInMemoryStoreType ? URL(fileURLWithPath: "/dev/null") : nil
    }
}

extension NSNotification.Name {
    /// Posted by a coordinator when stores were added or removed.
    public static let NSPersistentStoreCoordinatorStoresDidChange =
        NSNotification.Name("NSPersistentStoreCoordinatorStoresDidChangeNotification")
}
