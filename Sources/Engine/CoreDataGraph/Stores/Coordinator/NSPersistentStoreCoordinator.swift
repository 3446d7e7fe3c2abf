import CoreDataStore
import Synchronization

/// Brings a model and stores together, and serves contexts from them.
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
    /// What programs associate with it.
    final package var associatedObjects: AssociatedObjects?

    private struct Stores {
        var stores: [NSPersistentStore] = []
        var lastNumber = 0
    }

    final package let modelLayout: ModelLayout
    /// The reference that stores have to the coordinator.
    let zeroingReference = ZeroingReference<NSPersistentStoreCoordinator>()
    private let stores = Mutex(Stores())
    let queue = ContextQueue(isMain: false, label: "CoreData.coordinator")
    /// Where asynchronous fetches read, as many at once as a store has readers unless its options say otherwise.
    let readingQueue = ReadingQueue(limit: 4)
    /// The contexts that take over every save of another one.
    let mergingContexts = WeakList<NSManagedObjectContext>()
    /// The contexts that work on the stores themselves.
    let contexts = WeakList<NSManagedObjectContext>()
    /// How far shutting down is.
    let shutdown = CoordinatorShutdown()

    /// The model; it cannot be changed any more.
    open private(set) var managedObjectModel: NSManagedObjectModel

    /// A name for messages.
    open var name: String?

    /// Makes a coordinator without stores and freezes the model.
    ///
    /// Required, so that class methods of extensions can call `self.init(managedObjectModel:)`; overrides are also `required`.
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

    /// The coordinator's store at a URL; nil without one.
    open func persistentStore(for url: URL) -> NSPersistentStore? { operations.knownStore(at: url) }

    /// Where a store is.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? MemoryPlace.url }

    /// Moves a store to another place; false if that fails, and then it stays where it was.
    ///
    /// A SQLite store must be there already: the same one, by its identity, after its file was moved, say.
    /// A store of one plain file is written there at its next save.
    @discardableResult
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { operations.relocate(store, to: url) }

    /// The identifier of the record that a URI names; nil when none of the stores can have it.
    ///
    /// Takes the form that `uriRepresentation()` gives and no other; only the letter case of the store's UUID is free.
    /// A temporary identifier is known to the process that made it.
    open func managedObjectID(forURIRepresentation uri: URL) -> NSManagedObjectID? {
        operations.identifier(named: uri)
    }

    /// Destroys all that a store has; the next one who adds a store there gets a new one.
    ///
    /// A SQLite file is emptied and not removed, since others may have it open; the files of large values are removed. If no
    /// file exists, an empty one is created, as in Apple's framework.
    /// - Throws: `NSPersistentStoreTimeoutError` when another connection locks the file longer than `NSPersistentStoreTimeoutOption`
    ///   allows, unless `NSPersistentStoreForceDestroyOption` is set; others of `NSCocoaErrorDomain` for what is not a store.
    open func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws { try operations.destroyStore(at: url, storeType, options) }

    /// Puts a copy of one store in another's place, or where no store exists.
    ///
    /// What is in the source's log and its files of large values is copied too; the source stays as it is. If the
    /// process ends before it is done, either the old store is there or the new one. The copy has the source's identity, so
    /// remove the old store from its coordinators first and add the new one afterwards.
    /// - Throws: an error of `NSCocoaErrorDomain` saying why not; the destination is then as before.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        try operations.replaceStore(
            at: destinationURL, destinationOptions, withStoreAt: sourceURL, sourceOptions: sourceOptions,
            storeType: storeType)
    }

    /// Sets the program's own metadata of a store, which the next save of a context writes, even one without changes.
    ///
    /// Visible at once in `metadata(for:)`. The store's own entries, such as its identity and the version hashes, are not
    /// changed, whether `metadata` has them or not. A value that a property list cannot contain makes the save fail. Of the
    /// entries that another process has written since, the save replaces and removes only those that were changed here.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        operations.take(metadata, for: store)
    }

    /// Reads the metadata of a store without adding it.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why it cannot be read.
    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try StoreTypeRegistry.storeClass(ofType: storeType).metadataForPersistentStore(with: url)
    }

    /// Writes the program's own metadata of a store that is not added; all else in the store stays as it is.
    ///
    /// A valid `NSStoreUUIDKey` gives the store that identity; the other keys of the store's own are kept as they are.
    /// - Throws: an error of `NSCocoaErrorDomain` saying why it cannot be written; the store is as before.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try StoreTypeRegistry.storeClass(ofType: storeType).setMetadata(metadata, forPersistentStoreAt: url)
    }

    /// Runs a block on the coordinator's queue later; does not wait.
    open func perform(_ block: @escaping PerformedBlock<Void, Never>) {
        let block = Transferred(block)
        queue.async { block.value() }
    }

    /// Waits until no other thread has the lock, and takes it; a thread may take it several times.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func lock() { queue.explicitLock.lock() }

    /// Releases the lock; call it as often as it was taken, on the thread that took it.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func unlock() { queue.explicitLock.unlock() }

    /// Takes the lock unless another thread has it; whether it was taken.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func tryLock() -> Bool { queue.explicitLock.try() }

    /// Runs a block on the coordinator's queue and waits for it; see the form that gives a result.
    open func performAndWait(_ block: () -> Void) { queue.sync(block) }

    /// Adds a store; one that does not exist is created.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` saying why the store cannot be used; the file is left as it was.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName: String?, at storeURL: URL?, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try shutdown.requireOpen()
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

    /// A store that is open and not yet among the coordinator's; `former` is the one in whose place it comes with all keys.
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

    /// Puts an open store among the coordinator's, unless another thread has added the same one meanwhile.
    private func register(_ store: NSPersistentStore, at url: URL) throws {
        let isNew = stores.withLock { stores in
            if stores.stores.contains(where: { $0.identifier == store.identifier }) { return false }
            stores.stores.append(store)
            return true
        }
        if !isNew { throw refusal(of: store, at: url) }
        // Shutting down may have begun while the store was opened, and have found it missing.
        if shutdown.isBegun {
            try? remove(store)
            throw CoreDataError.shutDown()
        }
    }

    /// Closes a store that the coordinator already has, and returns the error for it.
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
    /// - Throws: an error of `NSCocoaErrorDomain` saying why the store cannot be used; the file is left as it was.
    @discardableResult
    open func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Adds the store that a description names, and passes the outcome to `block`, later if the description requests that.
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

    /// Copies a store to another place or kind, and puts the copy in its place in the coordinator.
    ///
    /// The copy has its own identity, so object identifiers change. The objects of contexts continue under the copy, with
    /// their unsaved changes, since records keep their keys; where a store numbers all records together or names them
    /// itself, as XML stores and custom stores may, they become invalid, and must be fetched again. The program's own
    /// metadata is copied. The old store's file is not changed, and the old store can no longer be used. Takes the rows in
    /// portions; saves of others wait until it is done. There must be nothing at `storeURL`, where the copy appears complete or not
    /// at all: it is made beside it as `.<UUID>.migrating`, which is all that a crash can leave. A store of
    /// a subclass of `NSAtomicStore` or `NSIncrementalStore` is given all objects at once, in one save, and opened again.
    /// - Throws: an error of `NSCocoaErrorDomain` saying why not; the coordinator is then as before.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        try operations.move(store, to: storeURL, options: options, storeType: storeType)
    }

    /// The token of what is in the stores now: a request after it gives what is committed from here on.
    ///
    /// `stores` are some of the coordinator's stores; all of them if it is nil or empty. Those without a history are left
    /// out; nil where none has one or it cannot be read. A store without transactions has the number 0.
    open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        operations.newestToken(of: stores)
    }

    /// Removes a store; its objects can no longer be read.
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

    /// Replaces a store by another; call `announceExchange` once the store is no longer locked.
    func exchange(_ old: NSPersistentStore, for new: NSPersistentStore) {
        announceRemoval(of: old)
        stores.withLock { stores in
            guard let index = stores.stores.firstIndex(where: { $0 === old }) else { return stores.stores.append(new) }
            stores.stores[index] = new
        }
        close(old)
        new.takeObjects(of: old)
    }

    /// Notifies observers of a store that was exchanged.
    func announceExchange(of old: NSPersistentStore, for new: NSPersistentStore) {
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
    /// - Throws: what `fetch(_:)`, `save()` and the context's `execute(_:)` throw, and `NSPersistentStoreUnsupportedRequestTypeError` for
    ///   another kind of request.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        try context.operations.answer(request, from: self)
    }

    /// The metadata of a store.
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
