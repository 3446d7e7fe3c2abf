import CoreDataStore
import Synchronization

/// Connects a model with stores, from which contexts read and to which they save.
///
/// May be used from any thread; each store is used by one thread at a time.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
/// try coordinator.addPersistentStore(type: .sqlite, at: url)
/// let context = NSManagedObjectContext(.privateQueue)
/// context.persistentStoreCoordinator = coordinator
/// ```
open class NSPersistentStoreCoordinator: NSObject, AssociationHolder, QueuePerforming, @unchecked Sendable {
    /// The values that programs associate with the coordinator.
    final package var associatedObjects: AssociatedObjects?

    private struct Stores {
        var stores: [NSPersistentStore] = []
        var lastNumber = 0
    }

    final package let modelLayout: ModelLayout
    /// The reference by which stores refer to the coordinator.
    let zeroingReference = ZeroingReference<NSPersistentStoreCoordinator>()
    private let stores = Mutex(Stores())
    let queue = ContextQueue(isMain: false, label: "CoreData.coordinator")
    /// The queue of asynchronous fetches, of which at most four read at the same time.
    let readingQueue = ReadingQueue(limit: 4)
    /// The contexts that automatically merge the saves of other contexts.
    let mergingContexts = WeakList<NSManagedObjectContext>()
    /// The contexts without a parent.
    let contexts = WeakList<NSManagedObjectContext>()
    /// The state of shutting down.
    let shutdown = CoordinatorShutdown()

    /// The model, which the coordinator has frozen: it cannot be changed any more.
    open private(set) var managedObjectModel: NSManagedObjectModel

    /// The name of the coordinator, which the program can set for messages.
    open var name: String?

    /// Makes a coordinator without stores and freezes the model.
    ///
    /// Required, so that class methods of extensions can call `self.init(managedObjectModel:)`; overrides are also
    /// `required`.
    public required init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        modelLayout = ModelLayout.of(model)
        super.init()
        zeroingReference.point(to: self)
        KnownEntities.add(model)
        InstrumentLaunch.offerIfRequested()
    }

    deinit {
        zeroingReference.empty()
        // Monitors and history trimmers use a store without retaining the coordinator, so the stores are closed here.
        for store in persistentStores {
            UbiquityOptions.end(store)
            store.serialized {
                store.willRemove(from: nil)
                store.endServing()
            }
        }
    }

    /// The stores, in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { stores.withLock { $0.stores } }

    /// The coordinator's store at a URL; nil without one.
    open func persistentStore(for url: URL) -> NSPersistentStore? { operations.knownStore(at: url) }

    /// Returns the URL of a store.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? MemoryPlace.url }

    /// Continues a store at another URL; returns false if that fails, and then the store remains at its URL.
    ///
    /// A SQLite store must already be at the URL: the same store, by its identifier, for example after its file was
    /// moved. A store in a plain file is written to the URL at its next save.
    @discardableResult
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { operations.relocate(store, to: url) }

    /// Returns the identifier of the record that a URI names; nil if none of the stores can have the record.
    ///
    /// Accepts only URIs in the form of `uriRepresentation()`; only the letter case of the store's UUID may differ. A
    /// temporary identifier is known only in the process that made it.
    open func managedObjectID(forURIRepresentation uri: URL) -> NSManagedObjectID? {
        operations.identifier(named: uri)
    }

    /// Destroys the contents of a store; adding a store at the URL afterwards creates a new one.
    ///
    /// A SQLite file is emptied and not removed, since other connections may have it open; the files of large values
    /// are removed. If no file exists, an empty one is created, as in Apple's framework.
    /// - Throws: `NSPersistentStoreTimeoutError` if another connection locks the file longer than
    ///   `NSPersistentStoreTimeoutOption` allows, unless `NSPersistentStoreForceDestroyOption` is set; other errors of
    ///   `NSCocoaErrorDomain` if it is not a store.
    open func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws { try operations.destroyStore(at: url, storeType, options) }

    /// Replaces the store at the destination, if there is one, by a copy of another store.
    ///
    /// The contents of the source's write-ahead log and its files of large values are copied too; the source remains
    /// unchanged. If the process ends meanwhile, either the old store or the copy is at the destination. The copy has
    /// the source's identifier, so remove the old store from its coordinators before, and add the new one afterwards.
    /// - Throws: an error of `NSCocoaErrorDomain`; the destination is then unchanged.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        try operations.replaceStore(
            at: destinationURL, destinationOptions, withStoreAt: sourceURL, sourceOptions: sourceOptions,
            storeType: storeType)
    }

    /// Sets the program's own metadata of a store. The next save of a context writes them, even one without changes.
    ///
    /// `metadata(for:)` returns the new metadata immediately. The store's own entries, such as its UUID and the version
    /// hashes, are not changed, even if `metadata` contains them. A value that a property list cannot contain makes the
    /// save fail. If another process has written metadata since, the save replaces and removes only the entries that
    /// were changed here.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        operations.take(metadata, for: store)
    }

    /// Reads the metadata of a store without adding it.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` that states why it cannot be read.
    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try StoreTypeRegistry.storeClass(ofType: storeType).metadataForPersistentStore(with: url)
    }

    /// Writes the program's own metadata of a store that is not added; everything else in the store remains unchanged.
    ///
    /// A valid `NSStoreUUIDKey` changes the store's UUID; the other entries of the store's own remain unchanged.
    /// - Throws: an error of `NSCocoaErrorDomain` that states why it cannot be written; the store is then unchanged.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try StoreTypeRegistry.storeClass(ofType: storeType).setMetadata(metadata, forPersistentStoreAt: url)
    }

    /// Runs a block asynchronously on the coordinator's queue.
    open func perform(_ block: @escaping PerformedBlock<Void, Never>) {
        let block = Transferred(block)
        queue.async { block.value() }
    }

    /// Acquires the lock, and waits for that while another thread has it; a thread may acquire it several times.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func lock() { queue.explicitLock.lock() }

    /// Releases the lock; call it once for each acquisition, on the same thread.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func unlock() { queue.explicitLock.unlock() }

    /// Acquires the lock unless another thread has it; returns whether it was acquired.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func tryLock() -> Bool { queue.explicitLock.try() }

    /// Runs a block on the coordinator's queue and waits until it has finished.
    open func performAndWait(_ block: () -> Void) { queue.sync(block) }

    /// Adds a store; one that does not exist is created.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` that states why the store cannot be used; its file is then unchanged.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName: String?, at storeURL: URL?, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try shutdown.requireOpen()
        let storeClass = try StoreTypeRegistry.storeClass(ofType: storeType)
        guard var url = storeURL ?? Self.placeholder(storeType) else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "A store of kind '\(storeType)' needs a URL.",
                hint: "Give a file URL; only stores in memory need none.")
        }
        let ubiquity = try UbiquityOptions(options)
        if let ubiquity { url = try ubiquity.prepare(url, type: storeType) }
        let store = try open(storeClass, configuration: configurationName, at: url, options: options)
        try register(store, at: url)
        store.didAdd(to: self)
        store.remoteChanges.update(store)
        do {
            try ubiquity?.begin(store)
        } catch {
            try? remove(store)
            throw error
        }
        announce([NSAddedPersistentStoresKey: [store]])
        return store
    }

    /// Opens a store without adding it to the coordinator's stores. `former` is the store that it will replace, whose
    /// records it has under the same keys.
    func open(
        _ storeClass: NSPersistentStore.Type, configuration: String?, at url: URL, options: [AnyHashable: Any]?,
        succeeding former: NSPersistentStore? = nil
    ) throws -> NSPersistentStore {
        try checkConfiguration(configuration)
        try operations.checkDemands(of: url, strictly: options?[CoreDataStrictModelOption] as? Bool == true)
        let opening = StoreToOpen(
            storeClass: storeClass, type: StoreTypeRegistry.type(of: storeClass), url: url,
            configuration: configuration, options: options ?? [:],
            model: managedObjectModel)
        if options?[NSReadOnlyPersistentStoreOption] as? Bool != true { AbandonedStores.remove(of: url) }
        try opening.migrateIfWanted()
        let store = storeClass.init(
            persistentStoreCoordinator: self, configurationName: configuration, at: url, options: options)
        if let former {
            store.attach(succeeding: former, model: modelLayout)
        } else {
            let number = stores.withLock { stores in
                stores.lastNumber += 1
                return stores.lastNumber
            }
            store.attach(number: number, model: modelLayout)
        }
        try opening.explaining {
            try store.loadMetadata()
            try store.finishLoading()
        }
        store.hasUnsavedMetadata = false
        if persistentStores.contains(where: { $0.identifier == store.identifier }) { throw refusal(of: store, at: url) }
        return store
    }

    /// Adds an open store to the coordinator's stores, unless another thread has added the same store meanwhile.
    private func register(_ store: NSPersistentStore, at url: URL) throws {
        let isNew = stores.withLock { stores in
            if stores.stores.contains(where: { $0.identifier == store.identifier }) { return false }
            stores.stores.append(store)
            return true
        }
        if !isNew { throw refusal(of: store, at: url) }
        // If shutting down began while the store was opened, the shutdown did not close it.
        if shutdown.isBegun {
            try? remove(store)
            throw CoreDataError.shutDown()
        }
    }

    /// Closes a store of which the coordinator already has another instance, and returns the error for it.
    private func refusal(of store: NSPersistentStore, at url: URL) -> any Error {
        store.willRemove(from: self)
        store.endServing()
        // Code and text are those of Apple's framework, which does not name the code.
        return CoreDataError.make(
            134_081, "The store '\(url.path)' has been added to the coordinator already.",
            reason: "Can't add the same store twice",
            hint: "Use the store that is there, or remove it first; a copy needs an identity of its own.",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    /// Adds a store; one that does not exist is created.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` that states why the store cannot be used; its file is then unchanged.
    @discardableResult
    open func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Adds the store of a description, and passes the outcome to `block`; asynchronously if the description says so.
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

    /// Copies a store to another URL or type, and replaces the store in the coordinator with the copy.
    ///
    /// The copy has its own UUID, so object identifiers change. Contexts' objects continue under the copy with their
    /// unsaved changes: those whose keys differ in the copy, as in a store that numbers all records together or
    /// identifies them itself, are refreshed on their context's queue. The program's own metadata is copied. The old
    /// store's file is not changed, and the old store can no longer be used. The rows are copied in portions, and saves
    /// of others wait until the copy is complete. There must be nothing at `storeURL`, where the copy appears complete
    /// or not at all: it is made beside that URL as `.<UUID>.migrating`, which is all that a crash can leave. A store
    /// of a subclass of `NSAtomicStore` or `NSIncrementalStore` receives all objects in one save, and is opened again.
    /// - Throws: an error of `NSCocoaErrorDomain`; the coordinator is then unchanged.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        try operations.move(store, to: storeURL, options: options, storeType: storeType)
    }

    /// Returns the present history token of stores: a history request after it returns what is committed from now on.
    ///
    /// `stores` are some of the coordinator's stores; nil or an empty array means all. Stores without history are left
    /// out; nil if no store has history or it cannot be read. The number of a store without transactions is 0.
    open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        operations.newestToken(of: stores)
    }

    /// Removes a store from the coordinator and closes it; its objects can no longer be read.
    ///
    /// - Throws: `NSPersistentStoreOperationError` for a store that is not among the coordinator's.
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

    /// Replaces a store by another and closes it; the caller must call `announceExchange` after the store is unlocked.
    func exchange(_ old: NSPersistentStore, for new: NSPersistentStore) {
        announceRemoval(of: old)
        stores.withLock { stores in
            guard let index = stores.stores.firstIndex(where: { $0 === old }) else { return stores.stores.append(new) }
            stores.stores[index] = new
        }
        close(old)
        new.takeObjects(of: old)
    }

    /// Posts that a store was replaced.
    func announceExchange(of old: NSPersistentStore, for new: NSPersistentStore) {
        new.didAdd(to: self)
        new.remoteChanges.update(new)
        announce([
            NSAddedPersistentStoresKey: [new], NSRemovedPersistentStoresKey: [old],
            NSUUIDChangedPersistentStoresKey: [old, new],
        ])
    }

    private func close(_ store: NSPersistentStore) {
        UbiquityOptions.end(store)
        store.serialized {
            store.willRemove(from: self)
            store.endServing()
        }
        store.persistentStoreCoordinator = nil
    }

    /// Executes a request in a context. Returns an array of the results of a fetch, an empty array for a save, or the
    /// result of a batch request.
    ///
    /// Call it on the context's queue.
    /// - Throws: what `fetch(_:)`, `save()` and the context's `execute(_:)` throw, and
    ///   `NSPersistentStoreUnsupportedRequestTypeError` for another class of request.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        try context.operations.answer(request, from: self)
    }

    /// The metadata of a store.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// The store classes by store type.
    open class var registeredStoreTypes: [String: NSPersistentStore.Type] { StoreTypeRegistry.all }

    /// Registers a class for a store type; nil removes the registration.
    open class func registerStoreClass(_ storeClass: NSPersistentStore.Type?, forStoreType storeType: String) {
        StoreTypeRegistry.register(storeClass, for: storeType)
    }

    /// Returns those of a request's stores that keep objects of an entity.
    func stores(keeping entity: NSEntityDescription, for request: NSPersistentStoreRequest) -> [NSPersistentStore] {
        persistentStores.filter { request.concerns($0) && $0.keeps(entity, of: managedObjectModel) }
    }

    /// Returns the store to which new objects of an entity are saved: the first writable one that keeps the entity, or
    /// else the first that keeps it.
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

extension NSPersistentStore: SyncableStore {}
