import CoreDataStore

extension NSManagedObjectContext {
    /// Posted by a context before it saves.
    public static let willSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextWillSave
    /// Posted by a context after it saved, with the sets of inserted, changed and deleted objects.
    public static let didSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextDidSave
    /// Posted by a context when objects changed, with the sets of objects by what happened to them.
    public static let didChangeObjectsNotification = NSNotification.Name.NSManagedObjectContextObjectsDidChange
    /// Posted by a context after it saved, with the sets of identifiers of inserted, changed and deleted objects.
    public static let didSaveObjectIDsNotification = NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs
    /// Posted by a context after it merged changes of another, with the sets of their identifiers.
    public static let didMergeChangesObjectIDsNotification =
        NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs
}
