import CoreDataStore

/// What the open methods of a context do.
///
/// Methods that programs may override must be declared in the class itself, though saving, merging and undoing stand above
/// contexts and objects. The class knows that work by these requirements alone, and reaches it through `operations`; each
/// requirement is met by an extension of the context in the folder of its subject. A context conforms in `Operations/`.
protocol ContextOperations: AnyObject {
    // MARK: Objects

    /// The object of a record if the context has it already.
    func knownObject(_ objectID: NSManagedObjectID) -> NSManagedObject?
    /// All objects that the context has.
    var knownObjects: Set<NSManagedObject> { get }
    /// The object of a record, as a fault if the context does not have it.
    func knownOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject
    /// The object of a record with its values.
    func knownOrRead(_ objectID: NSManagedObjectID) throws -> NSManagedObject
    /// Makes an object one of the context's.
    func takeIn(_ object: NSManagedObject)
    /// Marks an object as deleted.
    func deleteLive(_ object: NSManagedObject)

    // MARK: Reading

    /// Where the context is to read from: its parent, or the stores of its coordinator.
    func makeDataSource() -> any ContextDataSource
    /// The snapshot that the context is pinned to.
    var generation: NSQueryGenerationToken? { get }
    /// Pins the context to a snapshot, or with nil lets it read the stores as they are.
    func pin(to generation: NSQueryGenerationToken?) throws
    /// Gives an object the store's values again.
    func renew(_ object: NSManagedObject, keepsChanges: Bool)
    /// Gives all objects the store's values again, with their changes kept.
    func renewAll()
    /// Forgets every object and every change.
    func forgetObjects()

    // MARK: Changes

    /// The objects inserted since the last save.
    var objectsInserted: Set<NSManagedObject> { get }
    /// The saved objects changed since the last save.
    var objectsUpdated: Set<NSManagedObject> { get }
    /// The saved objects deleted since the last save.
    var objectsDeleted: Set<NSManagedObject> { get }
    /// Makes the next save compare the record of an object, changed or not.
    func watchForConflicts(_ object: NSManagedObject)
    /// Chooses the store that an inserted object will be saved to.
    func choose(_ store: NSPersistentStore, for object: Any)

    // MARK: Saving

    /// Ends an event: follows delete rules and notifies observers.
    func endChanges()
    /// Saves all changes.
    func saveChanges() throws
    /// Gives inserted objects the identifiers that they keep.
    func makePermanent(_ objects: [NSManagedObject]) throws
    /// Forgets every change.
    func forgetChanges()
    /// What decides conflicts where the program has chosen nothing.
    var defaultMergePolicy: Any { get }

    // MARK: Requests

    /// Lets the coordinator execute a request.
    func carryOut(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult
    /// What a fetch request asks for.
    func find(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any]
    /// The number of objects that a fetch request asks for.
    func findCount(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> Int
    /// What a coordinator, which must be the context's own, answers to a request.
    func answer(_ request: NSPersistentStoreRequest, from coordinator: NSPersistentStoreCoordinator) throws -> Any

    // MARK: Changes from elsewhere

    /// Takes over what another context has saved.
    func merge(_ notification: Notification)
    /// Has contexts take over what was changed outside of them.
    static func mergeRemote(_ changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext])
    /// Takes over on the context's queue, later, what was saved elsewhere.
    func mergeLater(_ changes: SavedChanges)
    /// Lets the coordinator know whether the context is to hear of the saves of others.
    func updateAutomaticMerging(former: NSPersistentStoreCoordinator?)

    // MARK: Undo

    /// Takes over another undo manager.
    func takeUndoManager(insteadOf former: UndoManager?)
    /// Takes the changes of a step back.
    func takeBack(_ step: UndoStep)
    /// Undoes what was done last.
    func undoLast()
    /// Does again what was undone last.
    func redoLast()
    /// Discards the recorded undo steps when the context is released.
    func closeUndo()
}

extension NSManagedObjectContext {
    /// The work of the open methods.
    var operations: any ContextOperations { self }
    /// The work of the open methods of the class.
    static var operations: any ContextOperations.Type { self }
}
