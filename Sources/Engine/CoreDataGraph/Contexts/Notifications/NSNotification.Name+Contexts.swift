import CoreDataStore

extension NSNotification.Name {
    /// Posted by a context before it saves.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification")
    /// Posted by a context after it saved, with the sets of inserted, changed and deleted objects.
    public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")
    /// Posted by a context when objects changed, with the inserted, updated, deleted, refreshed and invalidated
    /// objects.
    public static let NSManagedObjectContextObjectsDidChange =
        NSNotification.Name("NSObjectsChangedInManagingContextNotification")
    /// Posted by a context after it saved, with the sets of identifiers of inserted, changed and deleted objects.
    ///
    /// The identifiers may be passed to any thread; the objects of `NSManagedObjectContextDidSave` may not.
    public static let NSManagedObjectContextDidSaveObjectIDs =
        NSNotification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
    /// Posted by a context after it merged another context's changes, with the sets of identifiers of the changed
    /// objects.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs =
        NSNotification.Name("NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}
