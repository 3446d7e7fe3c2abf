import CoreDataStore
import Synchronization

/// Brings a model and stores together, and serves contexts from them.
///
/// May be used from any thread; each store is used by one thread at a time.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    private struct Stores {
        var stores: [NSPersistentStore] = []
        var lastNumber = 0
    }

    final package let modelLayout: ModelLayout
    /// The reference that stores have to the coordinator.
    let zeroingReference = ZeroingReference<NSPersistentStoreCoordinator>()
    private let stores = Mutex(Stores())
    let queue = ContextQueue(isMain: false, label: "CoreData.coordinator")
    /// The contexts that take over every save of another one.
    let mergingContexts = WeakList<NSManagedObjectContext>()

    /// The model; it cannot be changed any more.
    public let managedObjectModel: NSManagedObjectModel

    /// A name for messages.
    open var name: String?

    /// Makes a coordinator without stores and freezes the model.
    ///
    /// Required, so that `self.init(managedObjectModel:)` serves class methods of extensions; an override says so too.
    public required init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        modelLayout = ModelLayout.of(model)
        super.init()
        zeroingReference.point(to: self)
        KnownEntities.add(model)
        InstrumentLaunch.heed()
    }

    deinit {
        zeroingReference.empty()
        // Who watches or trims a store uses it without keeping the coordinator.
        for store in persistentStores {
            store.serialized {
                store.willRemove(from: nil)
                store.endServing()
            }
        }
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
        let storeClass = try StoreTypeRegistry.storeClass(ofType: storeType)
        guard let url = storeURL ?? Self.placeholder(storeType) else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "A store of kind '\(storeType)' needs a URL.",
                hint: "Give a file URL; only stores in memory need none.")
        }
        let store = try open(storeClass, configuration: configurationName, at: url, options: options)
        try register(store, at: url)
        store.didAdd(to: self)
        store.remoteChanges.update(store)
        announce([NSAddedPersistentStoresKey: [store]])
        return store
    }

    /// A store that is open and not yet among the coordinator's.
    func open(
        _ storeClass: NSPersistentStore.Type, configuration: String?, at url: URL, options: [AnyHashable: Any]?
    ) throws -> NSPersistentStore {
        try checkConfiguration(configuration)
        if options?[CoreDataStrictModelOption] as? Bool == true {
            try ModelDemands.require(managedObjectModel, of: url)
        } else {
            ModelDemands.report(managedObjectModel)
        }
        let opening = StoreToOpen(
            storeClass: storeClass, type: StoreTypeRegistry.type(of: storeClass), url: url,
            configuration: configuration, options: options ?? [:],
            model: managedObjectModel)
        if options?[NSReadOnlyPersistentStoreOption] as? Bool != true { AbandonedDrafts.remove(of: url) }
        try opening.migrateIfWanted()
        let store = storeClass.init(
            persistentStoreCoordinator: self, configurationName: configuration, at: url, options: options)
        let number = stores.withLock { stores in
            stores.lastNumber += 1
            return stores.lastNumber
        }
        store.attach(number: number, model: modelLayout)
        try opening.explaining {
            try store.loadMetadata()
            try store.finishLoading()
        }
        store.hasUnsavedMetadata = false
        if persistentStores.contains(where: { $0.identifier == store.identifier }) { throw refusal(of: store, at: url) }
        return store
    }

    /// Puts an open store among the coordinator's, unless another thread has added the same one meanwhile.
    private func register(_ store: NSPersistentStore, at url: URL) throws {
        let isNew = stores.withLock { stores in
            if stores.stores.contains(where: { $0.identifier == store.identifier }) { return false }
            stores.stores.append(store)
            return true
        }
        if !isNew { throw refusal(of: store, at: url) }
    }

    /// Closes a store that is among the coordinator's already, and gives the error that says so.
    private func refusal(of store: NSPersistentStore, at url: URL) -> any Error {
        store.willRemove(from: self)
        store.endServing()
        // The code and the words are those that Apple's framework gives; it has no name for the code.
        return CoreDataError.make(
            134_081, "The store '\(url.path)' has been added to the coordinator already.",
            reason: "Can't add the same store twice",
            hint: "Use the store that is there, or remove it first; a copy needs an identity of its own.",
            userInfo: [NSFilePathErrorKey: url.path])
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

    /// Adds the store that a description names, and hands the outcome to `block`, later if the description says so.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let work = Transferred { [self] in
            do {
                try addPersistentStore(
                    ofType: storeDescription.type, configurationName: storeDescription.configuration,
                    at: storeDescription.url, options: storeDescription.openingOptions)
                block(storeDescription, nil)
            } catch {
                block(storeDescription, error)
            }
        }
        guard storeDescription.shouldAddStoreAsynchronously else { return work.value() }
        queue.async { work.value() }
    }

    /// Removes a store; its objects can no longer be read.
    ///
    /// - Throws: 134070 for a store that is not among the coordinator's.
    open func remove(_ store: NSPersistentStore) throws {
        guard persistentStores.contains(where: { $0 === store }) else { throw CoreDataError.foreignStore() }
        announceRemoval(of: store)
        let isKnown = stores.withLock { stores in
            let before = stores.stores.count
            stores.stores.removeAll { $0 === store }
            return stores.stores.count < before
        }
        guard isKnown else { throw CoreDataError.foreignStore() }
        close(store)
        announce([NSRemovedPersistentStoresKey: [store]])
    }

    /// Puts a store in the place of another, which is removed.
    func exchange(_ old: NSPersistentStore, for new: NSPersistentStore) {
        announceRemoval(of: old)
        stores.withLock { stores in
            guard let index = stores.stores.firstIndex(where: { $0 === old }) else { return stores.stores.append(new) }
            stores.stores[index] = new
        }
        close(old)
        new.didAdd(to: self)
        new.remoteChanges.update(new)
        announce([
            NSAddedPersistentStoresKey: [new], NSRemovedPersistentStoresKey: [old],
            NSUUIDChangedPersistentStoresKey: [old, new],
        ])
    }

    private func close(_ store: NSPersistentStore) {
        store.serialized {
            store.willRemove(from: self)
            store.endServing()
        }
        store.persistentStoreCoordinator = nil
    }

    /// Carries out a request in a context: an array of what a fetch finds, an empty one for a save, the result of a batch.
    ///
    /// Call it on the context's queue.
    /// - Throws: what `fetch(_:)`, `save()` and the context's `execute(_:)` throw, and 134091 for another kind of request.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        try context.operations.answer(request, from: self)
    }

    /// What a store says of itself.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// The classes of stores by the name of their kind.
    open class var registeredStoreTypes: [String: NSPersistentStore.Type] { StoreTypeRegistry.all }

    /// Registers a class for a kind of store; nil takes it out.
    open class func registerStoreClass(_ storeClass: NSPersistentStore.Type?, forStoreType storeType: String) {
        StoreTypeRegistry.register(storeClass, for: storeType)
    }

    /// The stores that keep an entity's objects, among those that a request is for.
    func stores(keeping entity: NSEntityDescription, for request: NSPersistentStoreRequest) -> [NSPersistentStore] {
        persistentStores.filter { request.concerns($0) && $0.keeps(entity, of: managedObjectModel) }
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

    private func announceRemoval(of store: NSPersistentStore) {
        NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    }

    private static func placeholder(_ type: String) -> URL? {
        type == NSInMemoryStoreType ? MemoryPlace.url : nil
    }
}
