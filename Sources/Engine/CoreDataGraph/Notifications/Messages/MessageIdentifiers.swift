import CoreDataStore

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveMessage> {
    /// The messages of type `NSManagedObjectContext.DidSaveMessage`.
    public static var didSave: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.ObjectsDidChangeMessage> {
    /// The messages of type `NSManagedObjectContext.ObjectsDidChangeMessage`.
    public static var objectsDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsMessage> {
    /// The messages of type `NSManagedObjectContext.DidSaveObjectIDsMessage`.
    public static var didSaveObjectIDs: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidSaveObjectIDsAsyncMessage> {
    /// The messages of type `NSManagedObjectContext.DidSaveObjectIDsAsyncMessage`.
    public static var didSaveObjectIDsAsync: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesMessage> {
    /// The messages of type `NSManagedObjectContext.DidMergeChangesMessage`.
    public static var didMergeChanges: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSManagedObjectContext.DidMergeChangesAsyncMessage> {
    /// The messages of type `NSManagedObjectContext.DidMergeChangesAsyncMessage`.
    public static var didMergeChangesAsync: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.StoresDidChangeMessage> {
    /// The messages of type `NSPersistentStoreCoordinator.StoresDidChangeMessage`.
    public static var storesDidChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage> {
    /// The messages of type `NSPersistentStoreCoordinator.StoresDidChangeAsyncMessage`.
    public static var storesDidChangeAsync: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<NSPersistentStoreCoordinator.RemoteChangeMessage> {
    /// The messages of type `NSPersistentStoreCoordinator.RemoteChangeMessage`.
    public static var remoteChange: Self { .init() }
}
