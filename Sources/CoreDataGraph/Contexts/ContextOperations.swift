import CoreDataStore

/// What the open methods of a context do.
///
/// Methods that programs may override must be declared in the class itself, though saving, merging and undoing stand above
/// contexts and objects. The class knows that work by these requirements alone, and reaches it through `operations`; each
/// requirement is met by an extension of the context in the folder of its subject. A context conforms in `Operations/`.
protocol ContextOperations: AnyObject {
    // MARK: Objects

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
    /// Gives an object the store's values again.
    func renew(_ object: NSManagedObject, keepsChanges: Bool)
    /// Forgets every object and every change.
    func forgetObjects()

    // MARK: Saving

    /// Ends an event: follows delete rules and tells observers.
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

    /// Has the coordinator execute a request.
    func carryOut(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult
    /// What a coordinator, which must be the context's own, answers to a request.
    func answer(_ request: NSPersistentStoreRequest, from coordinator: NSPersistentStoreCoordinator) throws -> Any

    // MARK: Changes from elsewhere

    /// Takes over what another context has saved.
    func merge(_ notification: Notification)
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
    /// Forgets what could be undone, when the context goes.
    func closeUndo()
}

extension NSManagedObjectContext {
    /// The work of the open methods.
    var operations: any ContextOperations { self }
}
