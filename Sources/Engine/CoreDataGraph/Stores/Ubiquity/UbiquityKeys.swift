import CoreDataStore

/// Store option: the name under which a store is synchronized with those of the user's other devices; a text.
///
/// With it a store takes part in sync while the user has an account (`SyncAccount`); without one the store is used as it is, and what
/// it has is sent once there is one. A program that uses it is linked with the product `CoreDataSyncing`.
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentNameKey"
/// Store option: the folder that travels between the devices, a URL, or a path within the account's container.
///
/// In it each name has a folder. Without the option it is the folder `CoreData` of the container.
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURLKey"
/// Store option of Apple's framework by which several stores of a device that have one name differ; here each store is a peer of its own, and
/// the option changes nothing.
public let NSPersistentStoreUbiquitousPeerTokenOption = "NSPersistentStoreUbiquitousPeerTokenOption"
/// Store option: whether the file is removed before the store is opened, so that it gets everything from the other devices; a Boolean.
///
/// A file is kept where nothing was sent yet.
public let NSPersistentStoreRebuildFromUbiquitousContentOption = "NSPersistentStoreRebuildFromUbiquitousContentOption"
/// Store option: whether the store takes part in sync no longer and forgets what it knows of it; a Boolean.
public let NSPersistentStoreRemoveUbiquitousMetadataOption = "NSPersistentStoreRemoveUbiquitousMetadataOption"
/// Store option: the identifier of the container in which the folder lies, as for `url(forUbiquityContainerIdentifier:)`.
public let NSPersistentStoreUbiquitousContainerIdentifierKey = "NSPersistentStoreUbiquitousContainerIdentifierKey"
/// Key in the user info of `NSPersistentStoreCoordinatorStoresDidChange`: why the content of a store changed, a number of
/// ``NSPersistentStoreUbiquitousTransitionType``.
public let NSPersistentStoreUbiquitousTransitionTypeKey = "NSPersistentStoreUbiquitousTransitionTypeKey"

/// Why the content of a store that takes part in sync changed as a whole. Here `initialImportCompleted` is posted alone; the other cases are
/// there for programs that distinguish them.
public enum NSPersistentStoreUbiquitousTransitionType: UInt, Sendable {
    /// The user has another account than before.
    case accountAdded = 1
    /// The user has no account any more.
    case accountRemoved = 2
    /// What the devices share was removed.
    case contentRemoved = 3
    /// The store has for the first time what the other devices had.
    case initialImportCompleted = 4
}

extension NSNotification.Name {
    /// Posted after changes of other devices were written to a store that takes part in sync by its options; the object is the coordinator.
    ///
    /// The user info has sets of identifiers under `NSInsertedObjectsKey`, `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`; a context takes
    /// them by `mergeChanges(fromContextDidSave:)` on its queue. Posted on a queue of sync.
    public static let NSPersistentStoreDidImportUbiquitousContentChanges =
        NSNotification.Name("NSPersistentStoreDidImportUbiquitousContentChangesNotification")
}
