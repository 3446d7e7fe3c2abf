import CoreDataStore

/// A space in which objects are made, changed and deleted, until they are saved together.
///
/// A context and its objects are used on the context's queue only: inside `perform` or `performAndWait`, or, for a
/// main-queue context, on the main thread.
///
/// Invariants:
/// 1. `registry` has at most one object for each record, and one for each unsaved object.
/// 2. `pending` has each object with the flag `.pending`, once; it retains every changed object.
/// 3. `unannounced` has each object with the flag `.unannounced`: those changed since the last notification.
///
/// ```swift
/// let context = container.newBackgroundContext()
/// try await context.perform {
///     let order = Order(context: context)
///     order.number = 4711
///     order.placed = Date()
///     try context.save()
/// }
/// ```
open class NSManagedObjectContext: NSObject, AssociationHolder, QueuePerforming, @unchecked Sendable {
    /// What programs associate with it.
    final package var associatedObjects: AssociatedObjects?

    let queue: ContextQueue
    let registry: ObjectRegistry
    /// The reference that the context's objects have to it.
    let zeroingReference = ZeroingReference<NSManagedObjectContext>()
    // Confined to the context's queue, and no access outlasts its statement: each change of an object comes here.
    @exclusivity(unchecked) final var pending: [NSManagedObject] = []
    @exclusivity(unchecked) final var unannounced: [NSManagedObject] = []
    /// Objects refreshed since the last notification.
    var refreshed: [NSManagedObject] = []
    /// The objects that merges have marked as deleted since the last save, and some already released; referenced weakly,
    /// since a context need never be saved.
    var mergedDeletions: [WeakReference<NSManagedObject>] = []
    /// Objects whose records the next save compares though they are not changed.
    var watchedForConflicts: [NSManagedObject] = []
    @exclusivity(unchecked) private var temporaryBindings: [EntityBinding?] = []
    /// The scope of new objects of the entity that was inserted last.
    @exclusivity(unchecked) private var recentScope: ObjectScope?
    var isEndOfEventScheduled = false
    /// Whether a save is calling `willSave` and the rules.
    var isPreparingSave = false
    /// The results of a validating save's queries to the stores.
    var memberCounts: MemberCounts?
    /// The common entries of the current save's notifications; empty without one.
    var sharedSets = SharedSets<NSManagedObject>()
    /// The registered objects; nil unless the context retains them.
    @exclusivity(unchecked) private var strong: [ObjectIdentifier: NSManagedObject]?
    /// The faults that were made together of late.
    var faultBatches = FaultBatches()

    /// The kind of the context's queue.
    open private(set) var concurrencyType: NSManagedObjectContextConcurrencyType

    private var chosenCoordinator: NSPersistentStoreCoordinator?
    /// The model of the chosen coordinator.
    @exclusivity(unchecked) private var chosenModel: ModelLayout?

    /// The coordinator of the stores that the context works on, that of its parent if it has one.
    ///
    /// Set once, before the context is used. Stops when it is set in a context that has a parent.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { chosenCoordinator ?? parent?.persistentStoreCoordinator }
        set {
            if parent != nil { stop("Context already has a parent; cannot set a coordinator.") }
            let former = chosenCoordinator
            chosenCoordinator = newValue
            chosenModel = newValue?.modelLayout
            recentScope = nil
            if former !== newValue {
                former?.contexts.remove(self)
                newValue?.contexts.add(self)
            }
            if automaticallyMergesChangesFromParent { operations.updateAutomaticMerging(former: former) }
        }
    }

    /// The context that this one reads from and saves to instead of the stores; nil at first.
    ///
    /// Set once, before the context is used; retained as long as the context lives. Stops when the context has a coordinator of
    /// its own, or is among the ancestors of the new parent. See `save()` for what a child's save does.
    open var parent: NSManagedObjectContext? {
        willSet { checkParent(newValue) }
        didSet {
            recentScope = nil
            parent?.family.add(self)
            dataSource = operations.makeDataSource()
            if automaticallyMergesChangesFromParent {
                operations.updateAutomaticMerging(former: persistentStoreCoordinator)
            }
        }
    }

    /// Where the context reads from.
    private(set) lazy var dataSource = operations.makeDataSource()

    /// The lists that follow the changes here.
    let liveResults = LiveResults()

    /// The child contexts of this one, and the changes that they are to be notified of.
    let family = ContextFamily()
    /// The permanent places of the parent's objects by their former temporary keys; used on the context's queue.
    var knownIdentities: [Int64: RowAddress] = [:]

    /// Whether the context takes over every save of another context of its coordinator, or by its parent; false at first.
    ///
    /// What another child has saved into the parent comes once the parent has saved it, as in Apple's framework.
    /// It does so on its queue, soon after the save, in the order of the saves: a save to several stores as one for
    /// each. What was saved before it was set is not made up for; `refreshAllObjects()` does that.
    open var automaticallyMergesChangesFromParent = false {
        didSet {
            guard automaticallyMergesChangesFromParent != oldValue else { return }
            operations.updateAutomaticMerging(former: persistentStoreCoordinator)
        }
    }

    /// A name for messages.
    open var name: String?

    /// Records the changes so that they can be undone; nil at first, when nothing is recorded.
    ///
    /// Every event is one step, registered with the manager at the event's first change. On a private queue the group of
    /// steps that `undo()` reverts ends with the block given to `perform`. Setting another manager processes the pending
    /// changes and forgets the steps of the former one.
    open var undoManager: UndoManager? {
        didSet { if undoManager !== oldValue { operations.takeUndoManager(insteadOf: oldValue) } }
    }

    var undoObserver: (any NSObjectProtocol)?

    /// Values of the program's own.
    open private(set) lazy var userInfo = NSMutableDictionary()

    /// The author of the changes of this context, for the persistent history.
    open var transactionAuthor: String?

    /// What to do when a record was changed by another context or process since it was read; refuses to save by default.
    open var mergePolicy: Any {
        get { chosenMergePolicy ?? operations.defaultMergePolicy }
        set { chosenMergePolicy = newValue }
    }

    private var chosenMergePolicy: Any?

    /// Whether objects stay registered although the program holds no reference to them; false by default.
    open var retainsRegisteredObjects = false {
        didSet {
            strong = retainsRegisteredObjects ? [:] : nil
            if retainsRegisteredObjects { registry.allObjects().forEach(retainIfAsked) }
        }
    }

    /// Whether an object whose record is gone reads as nil and counts as deleted; true at first.
    open var shouldDeleteInaccessibleFaults = true

    /// Called when the record of a fault no longer exists: returns whether the object counts as deleted.
    ///
    /// Gives `shouldDeleteInaccessibleFaults` unless it is overridden. In either case the object's values read as nil and
    /// `dataErrorHandler` is called; Apple's framework raises an exception if the result is false. `property` is the property
    /// being read if that is an attribute or a to-one relationship.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool { shouldDeleteInaccessibleFaults }

    /// Whether delete rules are followed at the end of the event rather than at the save; true at first.
    open var propagatesDeletesAtEndOfEvent = true

    /// How old a row in the cache may be, in seconds, to fill a fault; any age when negative, as at first.
    ///
    /// With 0 every fault that fires asks the store. What `refresh(_:mergeChanges:)` makes of it is said there.
    open var stalenessInterval: TimeInterval = -1

    /// Called for data that cannot be read: a deleted record, or a value whose type is not that of its attribute.
    ///
    /// Without a handler a line goes to standard error. Called on the context's queue.
    public var dataErrorHandler: ((any Error, NSManagedObject?) -> Void)?

    /// Whether a save checks the rules of the model; migrations check them when all objects are complete.
    final package var validatesOnSave = true

    /// Why an object or the members of a relationship could not be read, since this was last read.
    var readingFailure: (any Error)?

    /// Makes a context with a queue of the given kind.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        self.concurrencyType = concurrencyType
        queue = ContextQueue(
            isMain: concurrencyType == .mainQueueConcurrencyType,
            isWatched: concurrencyType != .confinementConcurrencyType)
        registry = ObjectRegistry(context: zeroingReference)
        super.init()
        zeroingReference.point(to: self)
    }

    /// Makes a context of the kind `confinementConcurrencyType`, for sources that are older than contexts with queues.
    override public convenience init() { self.init(concurrencyType: .confinementConcurrencyType) }

    /// Makes a context with a queue of the given kind.
    public convenience init(_ type: ConcurrencyType) {
        self.init(concurrencyType: type == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
    }

    deinit {
        zeroingReference.empty()
        // What the objects hold of each other would keep them alive in circles.
        let objects = registry.allObjects()
        operations.closeUndo()
        registry.close()
        for object in objects {
            object.working = nil
            if object.flags.contains(.observed) { object.operations.endObservation() }
        }
    }

    // MARK: What programs override

    /// Writes all changes to the stores, each store in one transaction.
    ///
    /// First `willSave` is called and everything validated; see `NSManagedObject.validateForInsert()`. A context with a
    /// parent saves into that one: changed attributes and to-one relationships are set there, members added and removed,
    /// property by property over whatever the parent has, as one step of its undo manager; nothing reaches a store.
    /// An object that the parent deleted meanwhile is a conflict, or is dropped, or comes back, as the merge policy says.
    /// - Throws: an error of `NSCocoaErrorDomain`: 1550–1690 when an object breaks a rule, `NSCoreDataError` when objects go on changing,
    ///   `NSManagedObjectMergeError` when a record was changed meanwhile and `NSManagedObjectConstraintMergeError` when values that must
    ///   be unique are there, unless `mergePolicy` resolves it, `NSPersistentStoreSaveError` and others when the store cannot be written.
    ///   The store is then as before, and the context keeps its changes, so that the save can be tried again.
    open func save() throws {
        checkQueue()
        try operations.saveChanges()
    }

    /// Gives inserted objects the identifiers that they keep, before they are saved.
    ///
    /// - Throws: the store's error.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        checkQueue()
        try operations.makePermanent(objects)
    }

    /// Follows the delete rules, then informs observers what changed since the last time.
    open func processPendingChanges() {
        checkQueue()
        operations.endChanges()
    }

    /// Forgets every change: inserted objects are gone, the others have the values of the last fetch or save.
    ///
    /// Nothing that was done here can be undone any more.
    open func rollback() {
        checkQueue()
        operations.forgetChanges()
    }

    /// Forgets every object and every change; objects that are still referenced can no longer be used.
    ///
    /// Objects with values are notified that they turn into faults. Reading one of them afterwards gives nil and reports that
    /// it has been invalidated; `codedValue(forKey:)` throws it. Nothing that was done here can be undone any more.
    open func reset() {
        checkQueue()
        operations.forgetObjects()
    }

    /// Gives an object the store's values again: as a fault, or at once with its changes kept.
    ///
    /// The store is asked even if the row is in the cache, unless the cache has a later version, or `stalenessInterval` is
    /// positive and the row younger. A fault drops its changes, transient values and related objects; merging keeps
    /// changes, transient values, and what was added to and removed from relationships. A new object becomes a fault that
    /// has the model's default values when it is read, and stays inserted; merging leaves it as it is.
    /// Stops for an object of another context.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        operations.renew(object, keepsChanges: flag)
    }

    /// The object of a record, as a fault if the context does not have it; whether the record exists is not checked.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { operations.knownOrFault(objectID) }

    /// The object of a record, with its values.
    ///
    /// - Throws: an error of code `NSManagedObjectReferentialIntegrityError` if the record does not exist, or the
    ///   identifier is a temporary one of another context.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try operations.knownOrRead(objectID)
    }

    /// Inserts an object that was made without a context.
    ///
    /// Stops when it lives in another context already.
    open func insert(_ object: NSManagedObject) {
        checkQueue()
        operations.takeIn(object)
    }

    /// Marks an object as deleted; its record is deleted by the next save, and delete rules are followed before it.
    open func delete(_ object: NSManagedObject) {
        checkQueue()
        operations.deleteLive(object)
    }

    /// Takes over what another context has saved, as its notification contains.
    ///
    /// Takes `NSManagedObjectContextDidSave` and the one with identifiers, also of a context of another coordinator on
    /// the same store. Call it on the receiver's queue. Registered objects have the saved values then, except what was
    /// changed in them here; inserted ones are registered as faults; deleted ones count as deleted, with the values they have,
    /// and leave the context with its next save, in which nothing is written of them. Faults among them leave at once.
    /// A notification of the receiver's own does nothing; entries of a user info other than records are ignored.
    open func mergeChanges(fromContextDidSave notification: Notification) {
        checkQueue()
        operations.merge(notification)
    }

    /// Hands a request to the stores; the context's own objects and changes stay as they are.
    ///
    /// A batch request gives the result of its kind. What a fetch request finds is in the context afterwards; to be given
    /// it, use `fetch(_:)`. Call it on the context's queue.
    /// - Throws: an error of `NSCocoaErrorDomain`: `NSPersistentStoreUnsupportedRequestTypeError` for a request that a store does not
    ///   execute, `NSCoreDataError` for one that does not fit the model, 1600 where a delete rule forbids it,
    ///   `NSManagedObjectConstraintMergeError` for values that must be unique, `NSPersistentStoreSaveError` and others when a store
    ///   cannot be written.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue()
        return try operations.carryOut(request)
    }

    /// Runs a block on the context's queue later and processes its changes afterwards; does not wait.
    ///
    /// What the block uses of other queues is the caller's to see to; see the form that gives a result.
    open func perform(_ block: @escaping PerformedBlock<Void, Never>) { enqueue(block) }

    /// Runs a block on the context's queue and waits for it; see the form that gives a result.
    open func performAndWait(_ block: () -> Void) { finish(block) }

    /// Takes back what was done last: one event with all its side effects, or a group of them.
    ///
    /// Objects whose values are those of the last save again no longer count as changed. Without an undo manager it does
    /// nothing.
    open func undo() {
        checkQueue()
        operations.undoLast()
    }

    /// Does again what was undone last.
    open func redo() {
        checkQueue()
        operations.redoLast()
    }

    /// Whether there is something to save.
    open var hasChanges: Bool { hasPendingChanges }

    /// The objects inserted since the last save.
    open var insertedObjects: Set<NSManagedObject> { operations.objectsInserted }

    /// The saved objects changed since the last save.
    open var updatedObjects: Set<NSManagedObject> { operations.objectsUpdated }

    /// The saved objects deleted since the last save, here or, as merges have shown, elsewhere.
    open var deletedObjects: Set<NSManagedObject> { operations.objectsDeleted }

    /// The object of a record if the context has it already; asks no store.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        operations.knownObject(objectID)
    }

    /// All objects that the context has, in no order.
    open var registeredObjects: Set<NSManagedObject> { operations.knownObjects }

    /// The snapshot of the stores that the context reads; nil when it reads them as they are.
    ///
    /// `NSQueryGenerationToken.current` until the context has read something since it was pinned.
    open var queryGenerationToken: NSQueryGenerationToken? { operations.generation }

    /// Pins the context to a snapshot of its stores, or with nil lets it read them as they are.
    ///
    /// Objects keep the values that they have. In a past state
    /// (`NSPersistentStoreCoordinator.queryGeneration(asOf:)`) the context stays, and cannot save. Else a save, a merge and
    /// a reset pin the context to what is current by then. Stores other than SQLite ones with a write-ahead log keep no
    /// snapshot and are read as they are. External large values that were replaced or deleted since cannot be read any
    /// more.
    /// - Throws: `NSCoreDataError` in a context with a parent, which is where it reads, and for a token of another coordinator.
    open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        try operations.pin(to: generation)
    }

    /// Refreshes every registered object, keeping changes.
    ///
    /// Unchanged objects become faults and release the objects that they are related to. Those without another reference are
    /// gone once the context has notified its observers, at the end of the event or in `processPendingChanges()`.
    open func refreshAllObjects() { operations.renewAll() }

    /// Makes the next save check whether another context or process changed or deleted the record of an object, even if the
    /// object itself is unchanged.
    ///
    /// If so it is a conflict like that of a changed object, and the merge policy decides. A fault, which has nothing to
    /// compare, is ignored, and so is an object that was never saved. Rolling back or resetting the context, and a
    /// successful save, end it. Stops for an object of another context.
    open func detectConflicts(for object: NSManagedObject) { operations.watchForConflicts(object) }

    /// Chooses the store that an inserted object will be saved to, where several keep its entity.
    ///
    /// Without it the object goes to the first of the coordinator's stores that keeps the entity and can be written.
    /// Stops for an object of another context, one that has a store already, since it was saved or has its permanent
    /// identifier, a store that is not among the coordinator's, and one whose configuration leaves the entity out.
    open func assign(_ object: Any, to store: NSPersistentStore) { operations.choose(store, for: object) }

    /// Lets contexts take over what was changed outside of them, such as by another process or a bulk request.
    ///
    /// The dictionary has arrays or sets of identifiers, of their URIs, or of objects, under `NSInsertedObjectsKey`,
    /// `NSUpdatedObjectsKey`, `NSDeletedObjectsKey` and the other keys of the contexts' notifications. Each context
    /// merges on its own queue before the method returns. The rows are read from the stores again; entries other
    /// than records of a context's stores are ignored.
    open class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) { operations.mergeRemote(changeNotificationData, into: contexts) }

    /// Waits until no other thread has the lock, and takes it; a thread may take it several times.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func lock() { queue.explicitLock.lock() }

    /// Releases the lock; call it as often as it was taken, on the thread that took it.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func unlock() { queue.explicitLock.unlock() }

    /// Takes the lock unless another thread has it; whether it was taken.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func tryLock() -> Bool { queue.explicitLock.try() }

    /// Executes a fetch request whose type of results is not known to the compiler.
    ///
    /// A subclass may override it, as mocks do: `fetch(_:)` of a request with a type calls it in contexts of subclasses.
    ///
    /// - Throws: what `fetch(_:)` of a request with a type throws.
    open func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] { try operations.find(request) }

    /// Counts the results of a fetch request whose type of results is not known to the compiler.
    ///
    /// A subclass may override it, as mocks do: `count(for:)` of a request with a type calls it in contexts of subclasses.
    ///
    /// - Throws: what `count(for:)` of a request with a type throws.
    open func count(for request: NSFetchRequest<NSFetchRequestResult>) throws -> Int {
        try operations.findCount(request)
    }

    /// The kind of a context's queue.
    public enum ConcurrencyType: Sendable {
        /// A queue of the context's own.
        case privateQueue
        /// The main queue.
        case mainQueue
    }

    // MARK: Bindings

    var coordinator: NSPersistentStoreCoordinator {
        guard let persistentStoreCoordinator else { stop("The context has no persistent store coordinator.") }
        return persistentStoreCoordinator
    }

    var modelLayout: ModelLayout { chosenModel ?? coordinator.modelLayout }

    /// The model that the context works with; nil without a coordinator.
    var knownModel: ModelLayout? { chosenModel ?? persistentStoreCoordinator?.modelLayout }

    private func checkParent(_ candidate: NSManagedObjectContext?) {
        guard let candidate else { return }
        if chosenCoordinator != nil { stop("Context already has a coordinator; cannot replace.") }
        let ancestors = sequence(first: candidate, next: \.parent)
        if ancestors.contains(where: { $0 === self }) { stop("A context cannot be its own parent or ancestor.") }
    }

    /// The binding of objects of an entity that were never saved.
    func temporaryBinding(_ layout: EntityLayout) -> EntityBinding {
        while temporaryBindings.count <= layout.number { temporaryBindings.append(nil) }
        // A context may have been given a coordinator with another model.
        if let known = temporaryBindings[layout.number], known.layout === layout { return known }
        let made = EntityBinding(layout: layout, store: nil, storeNumber: 0)
        temporaryBindings[layout.number] = made
        return made
    }

    /// The layout of an entity of the context's model; nil for one of another.
    func layout(of entity: NSEntityDescription) -> EntityLayout? {
        if let layout = recentScope?.binding.layout, layout.entity === entity { return layout }
        return modelLayout.layout(of: entity)
    }

    /// The scope of objects of an entity that were never saved.
    func temporaryScope(_ layout: EntityLayout) -> ObjectScope {
        if let recentScope, recentScope.binding.layout === layout { return recentScope }
        let scope = registry.scope(of: temporaryBinding(layout))
        recentScope = scope
        return scope
    }

    func retainIfAsked(_ object: NSManagedObject) {
        if strong == nil {
            // A class of the program's may give the answer itself.
            guard type(of: self) != NSManagedObjectContext.self, retainsRegisteredObjects else { return }
            strong = [:]
        }
        strong?[ObjectIdentifier(object)] = object
    }

    func forgetRetained() { if strong != nil { strong = [:] } }

    func forgetRetained(_ object: NSManagedObject) {
        if strong?.isEmpty == false { strong?[ObjectIdentifier(object)] = nil }
    }

    /// Notifies the program of something in the store that cannot be read.
    func report(_ error: any Error, for object: NSManagedObject?) {
        if let dataErrorHandler { return dataErrorHandler(error, object) }
        let text = (error as NSError).domain == NSCocoaErrorDomain ? error.localizedDescription : "\(error)"
        CoreDataLogging.report(.error, text)
    }
}
