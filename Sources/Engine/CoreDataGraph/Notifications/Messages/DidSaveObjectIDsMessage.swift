import CoreDataStore

extension NSManagedObjectContext {
    /// Posted after a context saved; contains identifiers.
    ///
    /// For contexts on the main queue; observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct DidSaveObjectIDsMessage: PostedMainActorMessage {
        /// The class of the object that posts the message.
        public typealias Subject = NSManagedObjectContext
        private let sets: IdentifierSets

        /// The context.
        public var context: NSManagedObjectContext { sets.context }
        /// The identifiers of the inserted objects.
        public var insertedIDs: Set<NSManagedObjectID> { sets.inserted }
        /// The identifiers of the changed objects.
        public var updatedIDs: Set<NSManagedObjectID> { sets.updated }
        /// The identifiers of the deleted objects.
        public var deletedIDs: Set<NSManagedObjectID> { sets.deleted }
        /// The history token after the save; nil if none of the stores keeps history.
        public var historyToken: NSPersistentHistoryToken? { sets.historyToken }

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSManagedObjectContextDidSaveObjectIDs }

        /// Makes the message for a notification; nil if its context has another kind of queue.
        public static func makeMessage(_ notification: Notification) -> Self? {
            IdentifierSets(notification, of: .mainQueueConcurrencyType).map(Self.init)
        }

        /// Makes the notification for a message.
        public static func makeNotification(_ message: Self) -> Notification { message.sets.notification(name) }
    }

    /// Posted after a context saved; contains identifiers.
    ///
    /// For contexts on private queues; observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct DidSaveObjectIDsAsyncMessage: PostedAsyncMessage {
        /// The class of the object that posts the message.
        public typealias Subject = NSManagedObjectContext
        private let sets: IdentifierSets

        /// The context.
        public var context: NSManagedObjectContext { sets.context }
        /// The identifiers of the inserted objects.
        public var insertedIDs: Set<NSManagedObjectID> { sets.inserted }
        /// The identifiers of the changed objects.
        public var updatedIDs: Set<NSManagedObjectID> { sets.updated }
        /// The identifiers of the deleted objects.
        public var deletedIDs: Set<NSManagedObjectID> { sets.deleted }
        /// The history token after the save; nil if none of the stores keeps history.
        public var historyToken: NSPersistentHistoryToken? { sets.historyToken }

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSManagedObjectContextDidSaveObjectIDs }

        /// Makes the message for a notification; nil if its context has another kind of queue.
        public static func makeMessage(_ notification: Notification) -> Self? {
            IdentifierSets(notification, of: .privateQueueConcurrencyType).map(Self.init)
        }

        /// Makes the notification for a message.
        public static func makeNotification(_ message: Self) -> Notification { message.sets.notification(name) }
    }
}
