import CoreDataStore

/// A context, in which a program creates, changes and deletes objects until it saves them together.
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
    /// The objects that programs associate with the context.
    final package var associatedObjects: AssociatedObjects?

    let queue: ContextQueue
    let registry: ObjectRegistry
    /// The reference through which the context's objects refer to it.
    let zeroingReference = ZeroingReference<NSManagedObjectContext>()
    // Accessed on the context's queue only, and never nested, so unchecked: each change of an object accesses these.
    @exclusivity(unchecked) final var pending: [NSManagedObject] = []
    @exclusivity(unchecked) final var unannounced: [NSManagedObject] = []
    /// Objects refreshed since the last notification.
    var refreshed: [NSManagedObject] = []
    /// The objects that merges have marked as deleted since the last save, some of which may be released. The
    /// references are weak, since a context may never be saved.
    var mergedDeletions: [WeakReference<NSManagedObject>] = []
    /// Unchanged objects whose records the next save checks for conflicts.
    var watchedForConflicts: [NSManagedObject] = []
    @exclusivity(unchecked) final var temporaryBindings: [EntityBinding?] = []
    /// The scope of new objects of the entity that was inserted last.
    @exclusivity(unchecked) final var recentScope: ObjectScope?
    var isEndOfEventScheduled = false
    /// Whether a save is calling `willSave` and validating.
    var isPreparingSave = false
    /// What the stores answered to a validating save about numbers of members; nil outside of such a save.
    var memberCounts: MemberCounts?
    /// The sets that the notifications of the current save have in common; empty outside of a save.
    var sharedSets = SharedSets<NSManagedObject>()
    /// The registered objects if the context retains them; nil otherwise.
    @exclusivity(unchecked) final var strong: [ObjectIdentifier: NSManagedObject]?
    /// The faults that were recently made together.
    var faultBatches = FaultBatches()

    /// The kind of the context's queue.
    open private(set) var concurrencyType: NSManagedObjectContextConcurrencyType

    private var chosenCoordinator: NSPersistentStoreCoordinator?
    /// The model of the chosen coordinator.
    @exclusivity(unchecked) private var chosenModel: ModelLayout?

    /// The coordinator whose stores the context uses: its own, or else that of its parent.
    ///
    /// Set it once, before the context is used. Stops the program when the context has a parent.
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

    /// The context that this one reads from and saves to instead of the stores; nil by default.
    ///
    /// Set it once, before the context is used; the context retains it. Stops the program when the context has a
    /// coordinator of its own, or is an ancestor of the new parent. See `save()` for what a child's save does.
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

    /// The source of the context's rows.
    private(set) lazy var dataSource = operations.makeDataSource()

    /// The lists of results that are updated with the context's changes.
    let liveResults = LiveResults()

    /// The child contexts, and the new identifiers that this context has not adopted from its parent.
    let family = ContextFamily()
    /// The permanent addresses of the parent's objects by their former temporary keys; used on the context's queue.
    var knownIdentities: [Int64: RowAddress] = [:]

    /// Whether the context merges every save of another context of its coordinator, or of its parent; false by default.
    ///
    /// A child merges another child's save when their parent has saved it, as in Apple's framework. The context merges
    /// on its queue, soon after the save, in the order of the saves; a save to several stores is merged as one for
    /// each. Saves from before this was set are not merged; `refreshAllObjects()` reads what they changed.
    open var automaticallyMergesChangesFromParent = false {
        didSet {
            guard automaticallyMergesChangesFromParent != oldValue else { return }
            operations.updateAutomaticMerging(former: persistentStoreCoordinator)
        }
    }

    /// The name of the context in messages and in persistent history.
    open var name: String?

    /// Undoes and redoes the context's changes; nil by default, when changes are not recorded for undo.
    ///
    /// Every event is one step, which the context registers with the manager at the event's first change. On a private
    /// queue, the group of steps that `undo()` reverts ends with the block passed to `perform`. Setting another manager
    /// processes the pending changes and removes the context's steps from the former one.
    open var undoManager: UndoManager? {
        didSet { if undoManager !== oldValue { operations.takeUndoManager(insteadOf: oldValue) } }
    }

    var undoObserver: (any NSObjectProtocol)?

    /// Values that the program stores in the context.
    open private(set) lazy var userInfo = NSMutableDictionary()

    /// The author of the changes of this context, for the persistent history.
    open var transactionAuthor: String?

    /// Resolves conflicts with records that were changed elsewhere since they were read; by default the save fails.
    open var mergePolicy: Any {
        get { chosenMergePolicy ?? operations.defaultMergePolicy }
        set { chosenMergePolicy = newValue }
    }

    private var chosenMergePolicy: Any?

    /// Whether the context retains its registered objects; false by default.
    open var retainsRegisteredObjects = false {
        didSet {
            strong = retainsRegisteredObjects ? [:] : nil
            if retainsRegisteredObjects { registry.allObjects().forEach(retainIfAsked) }
        }
    }

    /// Whether an object whose record no longer exists counts as deleted; true by default.
    open var shouldDeleteInaccessibleFaults = true

    /// Called when the record of a fault no longer exists: returns whether the object counts as deleted.
    ///
    /// Returns `shouldDeleteInaccessibleFaults` unless a subclass overrides it. In either case the object's values read
    /// as nil and `dataErrorHandler` is called; Apple's framework raises an exception if the result is false.
    /// `property` is the property being read if that is an attribute or a to-one relationship.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool { shouldDeleteInaccessibleFaults }

    /// Whether delete rules are applied at the end of the event rather than at the save; true by default.
    open var propagatesDeletesAtEndOfEvent = true

    /// The age in seconds up to which a cached row may fill a fault; any age if negative, which is the default.
    ///
    /// With 0, every fault that fires reads the store. See `refresh(_:mergeChanges:)` for its effect there.
    open var stalenessInterval: TimeInterval = -1

    /// Called for data that cannot be read: a deleted record, or a value whose type is not that of its attribute.
    ///
    /// Without a handler, the error is logged to standard error. Called on the context's queue.
    public var dataErrorHandler: ((any Error, NSManagedObject?) -> Void)?

    /// Whether a save validates objects; false in migrations, which validate when all objects are complete.
    final package var validatesOnSave = true

    /// Whether objects are valid although relationships lack members that come later, as in an import.
    final package var allowsAbsentMembers = false

    /// What the saves of a transaction of several have changed, none of which is announced before `announceHeldChanges()`;
    /// nil if each save is announced by itself.
    final package var heldChanges: SavedChanges?

    /// The error of the last failed reading of an object or of members; reset before work that must notice a failure.
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

    /// Makes a context of the kind `confinementConcurrencyType`, for programs written before contexts had queues.
    override public convenience init() { self.init(concurrencyType: .confinementConcurrencyType) }

    /// Makes a context with a queue of the given kind.
    public convenience init(_ type: ConcurrencyType) {
        self.init(concurrencyType: type == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
    }

    deinit {
        zeroingReference.empty()
        // Objects retain each other through their values, which would keep them alive in retain cycles.
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
    /// First the context calls `willSave` and validates; see `NSManagedObject.validateForInsert()`. A context with a
    /// parent saves into the parent: sets its changed attributes and to-one relationships there, and adds and removes
    /// members, over whatever the parent has, as one step of the parent's undo manager; nothing is written to a store.
    /// When the parent has deleted a changed object, the merge policy decides: a conflict, or the change is dropped, or
    /// the object is inserted again.
    /// - Throws: an error of `NSCocoaErrorDomain`: 1550–1690 when an object is not valid, `NSCoreDataError` when
    ///   `willSave` keeps changing objects, `NSManagedObjectMergeError` when a record was changed elsewhere and
    ///   `NSManagedObjectConstraintMergeError` when another record has the same unique values, unless `mergePolicy`
    ///   resolves this, `NSPersistentStoreSaveError` and others when the store cannot be written. The store is then
    ///   unchanged and the context keeps its changes, so the save can be tried again.
    open func save() throws {
        checkQueue()
        try operations.saveChanges()
    }

    /// Replaces the temporary identifiers of inserted objects with permanent ones before they are saved.
    ///
    /// - Throws: the error of a store that cannot assign identifiers.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        checkQueue()
        try operations.makePermanent(objects)
    }

    /// Applies delete rules, then posts a notification of the changes since the last one.
    open func processPendingChanges() {
        checkQueue()
        operations.endChanges()
    }

    /// Discards every change: removes inserted objects from the context, and gives the others the values of the last
    /// fetch or save.
    ///
    /// Removes the context's undo steps, so that nothing can be undone afterwards.
    open func rollback() {
        checkQueue()
        operations.forgetChanges()
    }

    /// Removes every object and every change from the context; objects that are still referenced can no longer be used.
    ///
    /// Objects with values are notified that they turn into faults. Reading a removed object returns nil and reports
    /// that it has been invalidated; `codedValue(forKey:)` throws that error. Removes the context's undo steps.
    open func reset() {
        checkQueue()
        operations.forgetObjects()
    }

    /// Replaces an object's values with the store's: turns it into a fault, or reads the values at once and keeps its
    /// changes.
    ///
    /// The store is read even if the row is cached, unless the cache has a later version, or `stalenessInterval` is
    /// positive and the row is younger. Turning into a fault drops changes, transient values and related objects;
    /// merging keeps changes, transient values, and what was added to and removed from relationships. An inserted
    /// object becomes a fault with the model's default values and stays inserted; merging leaves it as it is. Stops the
    /// program for an object of another context.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        operations.renew(object, keepsChanges: flag)
    }

    /// The registered object with an identifier, or a new fault; does not check that the record exists.
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
    /// Stops the program when the object belongs to another context.
    open func insert(_ object: NSManagedObject) {
        checkQueue()
        operations.takeIn(object)
    }

    /// Marks an object as deleted; the next save applies delete rules and deletes the record.
    open func delete(_ object: NSManagedObject) {
        checkQueue()
        operations.deleteLive(object)
    }

    /// Merges the changes in the notification of another context's save into the context.
    ///
    /// Accepts `NSManagedObjectContextDidSave` and `NSManagedObjectContextDidSaveObjectIDs`, also of a context of
    /// another coordinator on the same store. Call it on the receiver's queue. Registered objects get the saved values,
    /// except for values changed here; inserted records are registered as faults; deleted objects count as deleted,
    /// keep their values, and leave the context at its next save, which writes nothing for them. Deleted faults leave
    /// at once. A notification that the receiver posted is ignored, and so are entries of the user info other than
    /// records.
    open func mergeChanges(fromContextDidSave notification: Notification) {
        checkQueue()
        operations.merge(notification)
    }

    /// Executes a request on the stores; the context's own objects and changes stay as they are.
    ///
    /// A batch request returns the result of its kind. A fetch request registers its results in the context without
    /// returning them; `fetch(_:)` returns them. Call it on the context's queue.
    /// - Throws: an error of `NSCocoaErrorDomain`: `NSPersistentStoreUnsupportedRequestTypeError` for a request that a
    ///   store does not execute, `NSCoreDataError` for one that does not fit the model, 1600 if a delete rule forbids a
    ///   deletion, `NSManagedObjectConstraintMergeError` if another record has the same unique values,
    ///   `NSPersistentStoreSaveError` and others when a store cannot be written.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue()
        return try operations.carryOut(request)
    }

    /// Runs a block on the context's queue later and processes its changes afterwards; returns at once.
    ///
    /// The caller must make sure that the block may use its captured values on that queue; see the form that returns a
    /// result.
    open func perform(_ block: @escaping PerformedBlock<Void, Never>) { enqueue(block) }

    /// Runs a block on the context's queue and waits for its end; see the form that returns a result.
    open func performAndWait(_ block: () -> Void) { finish(block) }

    /// Undoes the last group of the undo manager: one event with all its effects, or several events.
    ///
    /// Objects that have the values of the last save again no longer count as changed. Without an undo manager it does
    /// nothing.
    open func undo() {
        checkQueue()
        operations.undoLast()
    }

    /// Redoes what was undone last; does nothing without an undo manager.
    open func redo() {
        checkQueue()
        operations.redoLast()
    }

    /// Whether there are unsaved changes.
    open var hasChanges: Bool { hasPendingChanges }

    /// The objects inserted since the last save.
    open var insertedObjects: Set<NSManagedObject> { operations.objectsInserted }

    /// The saved objects changed since the last save.
    open var updatedObjects: Set<NSManagedObject> { operations.objectsUpdated }

    /// The saved objects deleted since the last save, by this context or, as merges have shown, by others.
    open var deletedObjects: Set<NSManagedObject> { operations.objectsDeleted }

    /// The registered object with an identifier; nil if there is none. Does not read the store.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        operations.knownObject(objectID)
    }

    /// All registered objects, in no order.
    open var registeredObjects: Set<NSManagedObject> { operations.knownObjects }

    /// The query generation that the context is pinned to; nil when it reads the current data of the stores.
    ///
    /// `NSQueryGenerationToken.current` until the first reading after the context was pinned.
    open var queryGenerationToken: NSQueryGenerationToken? { operations.generation }

    /// Pins the context to a query generation of its stores; nil lets it read their current data.
    ///
    /// Objects keep their values. A context that is pinned to a past state
    /// (`NSPersistentStoreCoordinator.queryGeneration(asOf:)`) stays pinned to it and cannot save. In other cases a
    /// save, a merge and a reset pin the context to the then current generation. Only SQLite stores with a write-ahead
    /// log have query generations; others are read in their current state. External large values that were replaced or
    /// deleted after the generation cannot be read any more.
    /// - Throws: `NSCoreDataError` in a context with a parent, since it reads the parent, and for a token of another
    ///   coordinator.
    open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        try operations.pin(to: generation)
    }

    /// Refreshes every registered object, keeping its changes.
    ///
    /// Unchanged objects become faults and release their related objects. Those without another reference are released
    /// when the context has posted its notification, at the end of the event or in `processPendingChanges()`.
    open func refreshAllObjects() { operations.renewAll() }

    /// Makes the next save check whether another context or process changed or deleted the record of an object, even if
    /// the object itself is unchanged.
    ///
    /// If so, the save treats it as a conflict, like that of a changed object, and the merge policy decides. A fault,
    /// which has no values to compare, and an object that was never saved are ignored. A rollback, a reset and a
    /// successful save end the check. Stops the program for an object of another context.
    open func detectConflicts(for object: NSManagedObject) { operations.watchForConflicts(object) }

    /// Chooses the store that an inserted object will be saved to, if several stores keep its entity.
    ///
    /// Without this, the object is saved to the first of the coordinator's stores that keeps the entity and can be
    /// written. Stops the program for an object of another context, an object that was saved or has its permanent
    /// identifier, a store that is not the coordinator's, and a store whose configuration does not include the entity.
    open func assign(_ object: Any, to store: NSPersistentStore) { operations.choose(store, for: object) }

    /// Merges changes made outside of the contexts, such as by another process or a batch request, into them.
    ///
    /// The dictionary has arrays or sets of identifiers, of their URIs, or of objects, under `NSInsertedObjectsKey`,
    /// `NSUpdatedObjectsKey`, `NSDeletedObjectsKey` and the other keys of the contexts' notifications. Each context
    /// merges on its own queue before the method returns. The rows are read from the stores again; entries other
    /// than records of a context's stores are ignored.
    open class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) { operations.mergeRemote(changeNotificationData, into: contexts) }

    /// Waits until no other thread has the lock, then acquires it; a thread may acquire it several times.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func lock() { queue.explicitLock.lock() }

    /// Releases the lock; call it once for each time that the thread acquired it, on that thread.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func unlock() { queue.explicitLock.unlock() }

    /// Acquires the lock unless another thread has it; returns whether it did.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func tryLock() -> Bool { queue.explicitLock.try() }

    /// Executes a fetch request whose type of results is not known to the compiler.
    ///
    /// A subclass may override it, such as a mock: in such a context, `fetch(_:)` of a typed request calls it.
    ///
    /// - Throws: what `fetch(_:)` of a typed request throws.
    open func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] { try operations.find(request) }

    /// Counts the results of a fetch request whose type of results is not known to the compiler.
    ///
    /// A subclass may override it, such as a mock: in such a context, `count(for:)` of a typed request calls it.
    ///
    /// - Throws: what `count(for:)` of a typed request throws.
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

    /// The model of the context's coordinator; nil without a coordinator.
    var knownModel: ModelLayout? { chosenModel ?? persistentStoreCoordinator?.modelLayout }

    private func checkParent(_ candidate: NSManagedObjectContext?) {
        guard let candidate else { return }
        if chosenCoordinator != nil { stop("Context already has a coordinator; cannot replace.") }
        let ancestors = sequence(first: candidate, next: \.parent)
        if ancestors.contains(where: { $0 === self }) { stop("A context cannot be its own parent or ancestor.") }
    }

    /// Passes an error of reading or saving, which no method can throw, to `dataErrorHandler`; without one, logs it.
    func report(_ error: any Error, for object: NSManagedObject?) {
        if let dataErrorHandler { return dataErrorHandler(error, object) }
        let text = (error as NSError).domain == NSCocoaErrorDomain ? error.localizedDescription : "\(error)"
        CoreDataLogging.report(.error, text)
    }
}
