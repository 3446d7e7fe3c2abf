import CoreDataStore

/// The implementations of the open methods of a context.
///
/// Methods that programs may override must be declared in the class itself, although saving, merging and undoing are
/// declared in folders above it. The class calls them through `operations`, as requirements of this protocol; an
/// extension of the context in the folder of each subject implements them. The conformance is declared in
/// `Operations/`.
protocol ContextOperations: AnyObject {
    // MARK: Objects

    /// The registered object with an identifier; nil if there is none.
    func knownObject(_ objectID: NSManagedObjectID) -> NSManagedObject?
    /// All registered objects.
    var knownObjects: Set<NSManagedObject> { get }
    /// The registered object with an identifier, or a new fault.
    func knownOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject
    /// The object with an identifier and with its values; throws if the record does not exist.
    func knownOrRead(_ objectID: NSManagedObjectID) throws -> NSManagedObject
    /// Inserts an object that was made without a context.
    func takeIn(_ object: NSManagedObject)
    /// Marks an object as deleted.
    func deleteLive(_ object: NSManagedObject)

    // MARK: Reading

    /// Makes the source of the context's rows: its parent, or the stores of its coordinator.
    func makeDataSource() -> any ContextDataSource
    /// The query generation that the context is pinned to.
    var generation: NSQueryGenerationToken? { get }
    /// Pins the context to a query generation; nil lets it read the current data of the stores.
    func pin(to generation: NSQueryGenerationToken?) throws
    /// Replaces an object's values with the store's; `keepsChanges` keeps unsaved changes.
    func renew(_ object: NSManagedObject, keepsChanges: Bool)
    /// Replaces the values of all objects with the store's, keeping unsaved changes.
    func renewAll()
    /// Removes every object and every change from the context.
    func forgetObjects()

    // MARK: Changes

    /// The objects inserted since the last save.
    var objectsInserted: Set<NSManagedObject> { get }
    /// The saved objects changed since the last save.
    var objectsUpdated: Set<NSManagedObject> { get }
    /// The saved objects deleted since the last save.
    var objectsDeleted: Set<NSManagedObject> { get }
    /// Makes the next save check the record of an object for conflicts, even if the object is unchanged.
    func watchForConflicts(_ object: NSManagedObject)
    /// Chooses the store that an inserted object will be saved to.
    func choose(_ store: NSPersistentStore, for object: Any)

    // MARK: Saving

    /// Ends an event: follows delete rules and notifies observers.
    func endChanges()
    /// Saves all changes.
    func saveChanges() throws
    /// Obtains permanent identifiers for inserted objects.
    func makePermanent(_ objects: [NSManagedObject]) throws
    /// Rolls back every unsaved change.
    func forgetChanges()
    /// The merge policy that applies while the program has set none.
    var defaultMergePolicy: Any { get }

    // MARK: Requests

    /// Lets the coordinator execute a request.
    func carryOut(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult
    /// The results of a fetch request.
    func find(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any]
    /// The number of results of a fetch request.
    func findCount(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> Int
    /// Executes a request that a program passed to a coordinator; throws if that is not the context's own coordinator.
    func answer(_ request: NSPersistentStoreRequest, from coordinator: NSPersistentStoreCoordinator) throws -> Any

    // MARK: Changes from elsewhere

    /// Merges the changes of another context's save into the context.
    func merge(_ notification: Notification)
    /// Merges changes made outside of the contexts into them.
    static func mergeRemote(_ changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext])
    /// Merges changes saved elsewhere, later, on the context's queue.
    func mergeLater(_ changes: SavedChanges)
    /// Registers or removes the context with its coordinator as one that merges saves automatically.
    func updateAutomaticMerging(former: NSPersistentStoreCoordinator?)

    // MARK: Undo

    /// Replaces the undo manager `former` with the present one.
    func takeUndoManager(insteadOf former: UndoManager?)
    /// Reverts the changes of an undo step.
    func takeBack(_ step: UndoStep)
    /// Undoes the last group of steps.
    func undoLast()
    /// Redoes what was undone last.
    func redoLast()
    /// Discards the recorded undo steps when the context is released.
    func closeUndo()
}

extension NSManagedObjectContext {
    /// The context as the implementation of its open methods.
    var operations: any ContextOperations { self }
    /// The class as the implementation of its open class methods.
    static var operations: any ContextOperations.Type { self }
}
