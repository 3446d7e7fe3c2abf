import CoreDataStore

extension NSManagedObjectContext {
    /// Posted by a context before it saves.
    public static let willSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextWillSave
    /// Posted by a context after it saved, with the sets of inserted, changed and deleted objects.
    public static let didSaveObjectsNotification = NSNotification.Name.NSManagedObjectContextDidSave
    /// Posted by a context after objects changed, with a set of objects for each kind of change.
    public static let didChangeObjectsNotification = NSNotification.Name.NSManagedObjectContextObjectsDidChange
    /// Posted by a context after it saved, with the sets of identifiers of inserted, changed and deleted objects.
    public static let didSaveObjectIDsNotification = NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs
    /// Posted by a context after it merged changes of another context or process, with the sets of identifiers.
    public static let didMergeChangesObjectIDsNotification =
        NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs
}
