import CoreDataStore

extension NSNotification.Name {
    /// Posted by a context before it saves.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification")
    /// Posted by a context after it saved, with the sets of inserted, changed and deleted objects.
    public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")
    /// Posted by a context when objects changed, with the sets of objects by what happened to them.
    public static let NSManagedObjectContextObjectsDidChange =
        NSNotification.Name("NSObjectsChangedInManagingContextNotification")
    /// Posted by a context after it saved, with the sets of identifiers of inserted, changed and deleted objects.
    ///
    /// The identifiers may be handed to any thread, which the objects of `NSManagedObjectContextDidSave` may not.
    public static let NSManagedObjectContextDidSaveObjectIDs =
        NSNotification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
    /// Posted by a context after it merged changes of another, with the sets of their identifiers.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs =
        NSNotification.Name("NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}
