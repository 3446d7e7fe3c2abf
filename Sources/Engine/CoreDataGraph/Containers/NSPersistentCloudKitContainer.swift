import CoreDataStore
import Synchronization

/// A container whose stores Apple's framework mirrors to CloudKit; here they are local, as one line on standard error
/// states.
///
/// Xcode's templates build and run with it. Methods that use types of CloudKit, such as records and shares, are
/// missing.
///
/// ```swift
/// let container = NSPersistentCloudKitContainer(name: "Shop")
/// container.loadPersistentStores { _, error in
///     if let error { print("the store cannot be opened:", error) }
/// }
/// print("may be edited:", container.canUpdateRecord(forManagedObjectWith: customer.objectID))
/// ```
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
    private static let hasSaid = Mutex(false)

    /// Posted by Apple's framework when it sets up, imports or exports; never here.
    public static let eventChangedNotification =
        NSNotification.Name("NSPersistentCloudKitContainerEventChangedNotification")

    /// The key of the `Event` in the notification's user info.
    public static let eventNotificationUserInfoKey = "event"

    /// Loads the stores like any container, and reports that they are not mirrored.
    override open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        sayOnce()
        super.loadPersistentStores(completionHandler: block)
    }

    /// Does nothing, as CloudKit is not available; reports that on standard error, once in a process.
    ///
    /// The options have no effect, and nothing is thrown. May be called from any thread.
    open func initializeCloudKitSchema(
        options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
    ) throws { sayOnce() }

    private func sayOnce() {
        let isFirst = Self.hasSaid.withLock { hasSaid in
            defer { hasSaid = true }
            return !hasSaid
        }
        if isFirst {
            CoreDataLogging.report(
                .warning,
                "There is no CloudKit on this system: the stores of NSPersistentCloudKitContainer are "
                    + "local and are not synchronised.")
        }
    }

    /// Whether an object may be changed: whether its store can be written, as stores are not shared.
    open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { isWritable(objectID) }

    /// Whether an object may be deleted: whether its store can be written, as stores are not shared.
    open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { isWritable(objectID) }

    /// Whether the objects of a store may be changed: whether it can be written, as stores are not shared.
    open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { !store.isReadOnly }

    /// An object that was never saved does not have a store yet, so no store forbids writing it.
    private func isWritable(_ objectID: NSManagedObjectID) -> Bool { objectID.persistentStore?.isReadOnly != true }

    /// An event of mirroring a store in Apple's framework; never created here.
    public final class Event: NSObject, Sendable {
        /// The kinds of events.
        public enum EventType: Int, Sendable {
            /// Sets up the mirroring of the store.
            case setup = 0
            /// Imports changes from CloudKit into the store.
            case `import` = 1
            /// Exports changes of the store to CloudKit.
            case export = 2
        }

        /// The identifier of the event.
        public let identifier: UUID
        /// The identifier of the mirrored store.
        public let storeIdentifier: String
        /// The kind of the event.
        public let type: EventType
        /// When the event began.
        public let startDate: Date
        /// When the event ended; nil while it is running.
        public let endDate: Date?
        /// Whether the event ended without an error.
        public let succeeded: Bool
        /// The error with which the event failed; nil if it did not fail.
        public let error: (any Error)?

        package init(
            _ type: EventType, storeIdentifier: String, startDate: Date, endDate: Date? = nil, error: (any Error)? = nil
        ) {
            identifier = UUID()
            self.type = type
            self.storeIdentifier = storeIdentifier
            self.startDate = startDate
            self.endDate = endDate
            succeeded = endDate != nil && error == nil
            self.error = error
        }
    }
}
